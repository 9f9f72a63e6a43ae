// Unpacks the Chromium from npm once per machine, completely or not at all. Processes that need it start side by side, any of them may be
// killed meanwhile, and nothing is executed from a folder that everybody may write to.
import { execFile } from "node:child_process"
import { access, chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { cacheDir, takePlace } from "../../../bin/parts/os.js"

const entry = pathToFileURL(createRequire(import.meta.url).resolve("@sparticuz/chromium"))
/**
 * Script that unpacks the browser. The package unpacks into the directory for temporary files and accepts any file that is there already,
 * so it gets a directory of its own.
 */
const script = `const { default: chromium } = await import(${JSON.stringify(entry.href)}); await chromium.executablePath()`

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false
  )

/** Makes folder and executable readable for the browser's own user (decisions P9), who may do no more. */
const readable = async (place: string, executable: string) => {
  for (const path of [place, executable])
    await chmod(path, 0o755).catch((error: unknown) => {
      // Ignores EPERM: the files belong to another user, who has set the mode.
      if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error
    })
  return executable
}

/** Path of the executable below `cache`: unpacks a draft next to it, and renames that in one step. */
const unpackIn = async (cache: string, name: string): Promise<string> => {
  const targetFolder = join(cache, name)
  const executable = join(targetFolder, "chromium")
  if (await isThere(executable)) return readable(targetFolder, executable)
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(join(cache, "unpacking-"))
  try {
    const env = { PATH: process.env["PATH"] ?? "", HOME: draft, TMPDIR: draft }
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env })
    await takePlace(draft, targetFolder).catch(async (error: unknown) => {
      // Ignores the failure if another process was first.
      if (!(await isThere(executable))) throw error
    })
    return readable(targetFolder, executable)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Path of the executable; if it is missing, unpacking it takes some seconds. */
export const unpackChromium = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(new URL("../package.json", entry), "utf8")) as { version: string }
  const name = `chromium-${version}`
  return unpackIn(cacheDir(), name).catch(async (error: NodeJS.ErrnoException) => {
    // Uses a temporary folder for this process alone if there is nowhere to keep it.
    if (!["EACCES", "EROFS", "EPERM", "ENOENT", "ENOTDIR"].includes(error.code ?? "")) throw error
    return unpackIn(await mkdtemp(join(tmpdir(), "millrace-")), name)
  })
}

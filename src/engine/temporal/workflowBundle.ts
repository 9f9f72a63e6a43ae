// The workflow bundle, built once and kept for all processes of a person, keyed by everything that can be in it.
import { createHash } from "node:crypto"
import { access, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { bundleWorkflowCode } from "@temporalio/worker"
import { cacheDir } from "../../../bin/parts/os.js"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const workflowsPath = join(root, "workflows/index.ts")

const quiet = () => undefined
const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet }

/** Always built anew. */
export const buildBundle = () => bundleWorkflowCode({ workflowsPath, logger })

const sources = async (directory: string): Promise<ReadonlyArray<string>> =>
  (await readdir(join(root, directory), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

const fingerprint = async (): Promise<string> => {
  const hash = createHash("sha256")
  const sdk = createRequire(import.meta.url)("@temporalio/worker/package.json") as { version: string }
  hash.update(sdk.version)
  for (const file of [...(await sources("workflows")), ...(await sources("src")), join(root, "package-lock.json")]) {
    hash.update(relative(root, file)).update(await readFile(file))
  }
  return hash.digest("hex").slice(0, 24)
}

const NAME = "millrace-workflows-"
const KEEP_MILLIS = 7 * 86_400_000

const writableDirectory = async (): Promise<string> => {
  const preferred = join(cacheDir(), "workflows")
  try {
    await mkdir(preferred, { recursive: true })
    return preferred
  } catch {
    return tmpdir()
  }
}

/** Path of the bundle of this release; built in about three seconds where it is not there yet. */
export const bundlePath = async (): Promise<string> => {
  const directory = await writableDirectory()
  const path = join(directory, `${NAME}${await fingerprint()}.js`)
  try {
    await access(path)
    return path
  } catch {
    const { code } = await buildBundle()
    const draft = `${path}.${process.pid}`
    await writeFile(draft, code)
    await rename(draft, path)
    await removeOthers(directory, path)
    return path
  }
}

/** Bundles of other releases may be in use by a process about to start: young ones stay. */
const removeOthers = async (directory: string, path: string): Promise<void> => {
  for (const name of await readdir(directory)) {
    const other = join(directory, name)
    if (!name.startsWith(NAME) || other === path) continue
    const { mtimeMs } = await stat(other).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (performance.timeOrigin - mtimeMs > KEEP_MILLIS) await rm(other, { force: true })
  }
}

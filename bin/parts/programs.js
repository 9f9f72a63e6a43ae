// Finds the programs of the service: bundled once for each state of the sources (build.js), which takes a second and saves one, and a third
// of the processor's time, at every start.
import { spawn } from "node:child_process"
import { basename, join } from "node:path"
import { runBuilder } from "./builder.js"
import { home, root } from "./environment.js"
import { kept, shippedPath } from "./kept.js"
import { warn } from "./lines.js"
import { compileCache } from "./os.js"

/** Programs by their path below `src`. */
export const PROGRAMS = ["main", "prepare", "cli", "checkSettings"]

/** Folder of the programs, within the clone so that they find its packages. */
const folder = join(root, "node_modules", ".cache", "millrace")

/** Folder with this release's programs. @param {string} node */
export const programsFolder = (node) =>
  kept({ folder, name: "programs", make: (draft) => runBuilder(node, "bin/parts/build.js", draft) })

/** Bundles the programs ahead of their first start; a failure is ignored, since the start itself reports it. @param {string} node */
export const putTogether = (node) => {
  if (shippedPath("main.mjs") === undefined) programsFolder(node).catch(() => undefined)
}

/**
 * File to start for a source: from the bundles of the package or the image, else bundled now; the source itself if the bundle cannot be
 * written, as in another person's clone.
 * @param {string} node @param {string} source such as src/main.ts
 * @returns {Promise<string>} a path
 */
export const programOf = async (node, source) => {
  const name = basename(source).replace(/\.[jt]s$/, "")
  const sourcePath = join(root, source)
  if (!PROGRAMS.some((program) => [`src/${program}.ts`, `src/${program}.js`].includes(source))) return sourcePath
  const shippedProgram = shippedPath(`${name}.mjs`)
  if (shippedProgram !== undefined) return shippedProgram
  try {
    return join(await programsFolder(node), `${name}.mjs`)
  } catch (error) {
    warn(`the programs are started as they are, more slowly: ${/** @type {Error} */ (error).message}`, console.error)
    return sourcePath
  }
}

/**
 * Runs a program to its end.
 * @param {string} source such as src/cli.ts @param {ReadonlyArray<string>} args
 * @param {{ node: string, env: Record<string, string>, signal?: AbortSignal }} options
 * @returns {Promise<{ status: number | Error | null, out: string, err: string }>} status: an error where it could not be run, null where a signal ended it
 */
export const outputOf = async (source, args, { node, env, signal }) => {
  const child = spawn(node, [await programOf(node, source), ...args], {
    cwd: home,
    env: { ...compileCache(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal === undefined ? {} : { signal })
  })
  let [out, err] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text
  })
  child.stderr.setEncoding("utf8").on("data", (text) => {
    err += text
  })
  const status = await new Promise((resolve) => child.once("error", resolve).once("close", resolve))
  return { status, out, err }
}

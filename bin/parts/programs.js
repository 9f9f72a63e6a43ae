// The programs of the service as they are started: put together once for each state of the sources (build.js), which takes a second
// and saves one, and a third of the processor's time, at every start.
import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { runBuilder } from "./builder.js"
import { root } from "./environment.js"
import { kept } from "./kept.js"
import { warn } from "./lines.js"

/** Below `src`. */
export const PROGRAMS = ["main", "prepare", "cli", "checkSettings"]

/** Within the clone, so that they find its packages. */
const folder = join(root, "node_modules", ".cache", "millrace")

/** The folder with this release's programs. @param {string} node */
export const programsFolder = (node) =>
  kept({ folder, name: "programs", make: (draft) => runBuilder(node, "bin/parts/build.js", draft) })

/** Puts them together ahead of whoever starts them, who says why where it comes to nothing. @param {string} node */
export const putTogether = (node) => {
  if (!existsSync(join(root, "programs"))) programsFolder(node).catch(() => undefined)
}

/**
 * What to start for a file of the sources: what was put together with the package or the image, else now; itself where that cannot be
 * written, as in a clone of somebody else's.
 * @param {string} node @param {string} source such as src/main.ts
 * @returns {Promise<string>} a path
 */
export const programOf = async (node, source) => {
  const name = basename(source).replace(/\.[jt]s$/, "")
  const whole = join(root, source)
  const built = join(root, "programs", `${name}.mjs`)
  if (!PROGRAMS.some((program) => [`src/${program}.ts`, `src/${program}.js`].includes(source))) return whole
  if (existsSync(built)) return built
  try {
    return join(await programsFolder(node), `${name}.mjs`)
  } catch (error) {
    warn(`the programs are started as they are, more slowly: ${/** @type {Error} */ (error).message}`, console.error)
    return whole
  }
}

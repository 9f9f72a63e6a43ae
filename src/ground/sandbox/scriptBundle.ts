// The two programs of a script process, each as one piece of JavaScript: what runs the scripts (./runner.ts), and the script
// environment with the libraries of developer-api.md 8.2 (./realm). A process that starts from them reads no source and has nothing
// to strip, which is a third of its start.
import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { InputOptions, OutputOptions } from "rolldown"
import { kept, keptFolder } from "../../../bin/parts/kept.js"
import { scriptLibraries } from "./libraries.ts"

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface Programs {
  /** CommonJS, given to Node on standard input. */
  readonly runner: string
  /** Evaluates to the exports of realm/index.ts. */
  readonly realm: string
}

const make = async (draft: string): Promise<void> => {
  const [madeRunner, madeRealm] = await Promise.all([runner(), realm()])
  await writeFile(draft, JSON.stringify({ runner: madeRunner, realm: madeRealm } satisfies Programs))
}

let found: Promise<Programs> | undefined

/** Bundled once for each release, in about half a second, off the event loop. */
export const programs = (): Promise<Programs> => {
  found ??= kept({ folder: keptFolder("scripts"), name: "millrace-scripts", suffix: ".json", make })
    .then((path) => readFile(path, "utf8"))
    .then((text) => JSON.parse(text) as Programs)
  return found
}

const bundled = async (options: InputOptions, output: OutputOptions): Promise<string> => {
  const { rolldown } = await import("rolldown")
  const bundle = await rolldown({ logLevel: "silent", ...options })
  try {
    return (await bundle.generate({ format: "cjs", minify: true, ...output })).output[0].code
  } finally {
    await bundle.close()
  }
}

const runner = () => bundled({ input: pathOf("./runner.ts"), platform: "node" }, {})

const inRealm: InputOptions = {
  platform: "browser",
  resolve: { mainFields: ["module", "main"] },
  transform: { target: "es2023" }
}

/** Nothing of a library is there, not even its functions, until a script names it: a realm is made for every script. */
const library = async (name: string) => {
  const code = await bundled({ input: name, cwd: pathOf("."), ...inRealm }, {})
  return `${JSON.stringify(name)}: function (module, exports) { ${code}
}`
}

const realm = async () => {
  const [code, ...made] = await Promise.all([
    bundled({ input: pathOf("./realm/index.ts"), ...inRealm }, { exports: "named" }),
    ...scriptLibraries.map(({ from }) => library(from))
  ])
  // Libraries look for `global` and `self`; `crypto` is for uuid alone.
  return `(function (exports) { "use strict";
const global = globalThis, self = globalThis
const crypto = { getRandomValues: (view) => exports.crypto.getRandomValues(view) }
const libraries = { ${made.join(",\n")} }
const loaded = { __proto__: null }
const require = (name) => {
  if (loaded[name] === undefined) {
    // Before it is run: lodash asks for itself while it loads.
    loaded[name] = { exports: {} }
    libraries[name].call(globalThis, loaded[name], loaded[name].exports)
  }
  return loaded[name].exports
}
${code}
return exports })({})`
}

// Puts the two programs of a script process together in the file named by the argument, each as one piece of JavaScript. A process of its
// own (./scriptBundle.ts): what bundles them would stay in the memory of the service. The libraries are those of script-libraries/.
import { writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { type InputOptions, type OutputOptions, rolldown } from "rolldown"
import { scriptLibraries } from "./libraries.ts"
import type { Programs } from "./scriptBundle.ts"

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const bundled = async (options: InputOptions, output: OutputOptions): Promise<string> => {
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

/** Code of a library in a function, so that nothing of it exists until a script names it: a realm is made for every script. */
const library = async (name: string) => {
  const code = await bundled({ input: name, cwd: pathOf("../../../script-libraries"), ...inRealm }, {})
  return `${JSON.stringify(name)}: function (module, exports) { ${code}
}`
}

const realm = async () => {
  const [code, ...made] = await Promise.all([
    bundled({ input: pathOf("./realm/index.ts"), ...inRealm }, { exports: "named" }),
    ...scriptLibraries.map(({ from }) => library(from))
  ])
  // Libraries look for `global` and `self`; uuid for this `crypto`, which hides that of scripts from it.
  return `(function (exports) { "use strict";
const global = globalThis, self = globalThis
const crypto = { getRandomValues: (view) => exports.randomSource.getRandomValues(view) }
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

const [madeRunner, madeRealm] = await Promise.all([runner(), realm()])
await writeFile(process.argv[2] ?? "", JSON.stringify({ runner: madeRunner, realm: madeRealm } satisfies Programs))

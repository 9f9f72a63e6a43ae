// The script environment as one piece of JavaScript: src/sandbox/realm with the libraries of developer-api.md 8.2.
import { fileURLToPath } from "node:url"

const ENTRY = fileURLToPath(new URL("./realm/index.ts", import.meta.url))

let made: Promise<string> | undefined

/** Bundled once per process, off the event loop. The code evaluates to the exports of realm/index.ts. */
export const realmCode = (): Promise<string> => {
  made ??= build()
  return made
}

const build = async (): Promise<string> => {
  const { rolldown } = await import("rolldown")
  const bundle = await rolldown({
    input: ENTRY,
    platform: "browser",
    logLevel: "silent",
    resolve: { mainFields: ["module", "main"] },
    transform: { target: "es2023" }
  })
  try {
    const { output } = await bundle.generate({ format: "cjs", minify: true, exports: "named" })
    // Libraries look for `global` and `self`; `crypto` is for uuid alone.
    return `(function (exports) { "use strict";
const global = globalThis, self = globalThis, module = { exports }
const crypto = { getRandomValues: (view) => exports.crypto.getRandomValues(view) }
${output[0].code}
return exports })({})`
  } finally {
    await bundle.close()
  }
}

// Traces of the programs that are started name the sources (docs/operations.md, logs).
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { rolldown } from "rolldown"

const traces = fileURLToPath(new URL("../../../src/platform/telemetry/sourceTraces.ts", import.meta.url))

const source = `import { traceSources } from ${JSON.stringify(traces)}
interface Nothing { readonly of: string }
const fail = (_: Nothing) => {
  throw Object.assign(new RangeError("too far"), { code: process.argv[2] })
}
traceSources()
try {
  fail({ of: "it" })
} catch (error) {
  console.log((error as Error).stack)
}
`

describe("traces of errors", () => {
  it("name the file and the line of the source, and begin as Node's own", async () => {
    const dir = mkdtempSync(join(tmpdir(), "millrace-traces-"))
    try {
      writeFileSync(join(dir, "far.ts"), source)
      const build = await rolldown({ input: join(dir, "far.ts"), platform: "node", logLevel: "silent" })
      // As bin/parts/build.js has them: all in few lines.
      const minify = { compress: false, mangle: false, codegen: { removeWhitespace: true } } as const
      await build.write({ dir: join(dir, "programs"), entryFileNames: "[name].mjs", sourcemap: true, minify })
      await build.close()
      const run = async (...args: ReadonlyArray<string>) =>
        (await promisify(execFile)(process.execPath, [join(dir, "programs", "far.mjs"), ...args])).stdout.split("\n")
      const [headline, first] = await run()
      assert.strictEqual(headline, "RangeError: too far")
      assert.match(first ?? "", /^ {4}at fail \(file:.*\/far\.ts:4:\d+\)$/)
      assert.strictEqual((await run("ERR_OUT_OF_RANGE"))[0], "RangeError [ERR_OUT_OF_RANGE]: too far")
      rmSync(join(dir, "programs", "far.mjs.map"))
      assert.match((await run())[1] ?? "", /far\.mjs:\d+:\d+\)$/)
    } finally {
      rmSync(dir, { recursive: true })
    }
  })
})

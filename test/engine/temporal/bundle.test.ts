// The sandbox rule: workflow code is small and holds no effect (design: modules).
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { bundlePath } from "../../../src/engine/temporal/workflowBundle.ts"

const source = fileURLToPath(new URL("../../../src/engine/temporal/workflowBundle.ts", import.meta.url))

describe("the workflow bundle", () => {
  it("is smaller than 3 MB and holds nothing of effect", async () => {
    const code = await readFile(await bundlePath(), "utf8")
    assert.isBelow(code.length, 3_000_000)
    assert.notInclude(code, "node_modules/effect")
  })

  it("is built once and kept", async () => {
    const path = await bundlePath()
    const built = await readFile(path, "utf8")
    const { mtimeMs } = await stat(path)
    assert.strictEqual(await bundlePath(), path)
    assert.strictEqual((await stat(path)).mtimeMs, mtimeMs)
    assert.include(built, "webhooksApp")
  })

  it("is built in a process of its own: who asks for the first one of a release holds nothing of what builds it", async () => {
    const cache = mkdtempSync(join(tmpdir(), "millrace-bundle-"))
    try {
      const asks = `const { bundlePath } = await import(${JSON.stringify(source)})
        const path = await bundlePath()
        const { createRequire } = await import("node:module")
        console.log(JSON.stringify({ path, held: Object.keys(createRequire(path).cache) }))`
      const env = { ...process.env, XDG_CACHE_HOME: cache }
      const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", asks], { env })
      const { held, path } = JSON.parse(stdout)
      assert.include(await readFile(path, "utf8"), "webhooksApp")
      assert.isTrue(path.startsWith(cache))
      assert.deepStrictEqual(held, [])
    } finally {
      rmSync(cache, { recursive: true })
    }
  })
})

// The sandbox rule: workflow code is small and holds no effect (design: rooms).
import { readFile, stat } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { buildBundle, bundlePath } from "../../../src/engine/temporal/workflowBundle.ts"

describe("the workflow bundle", () => {
  it("is smaller than 3 MB and holds nothing of effect", async () => {
    const { code } = await buildBundle()
    assert.isBelow(code.length, 3_000_000)
    assert.notInclude(code, "node_modules/effect")
  })

  it("is built once and kept", async () => {
    const first = await bundlePath()
    const built = await readFile(first, "utf8")
    const { mtimeMs } = await stat(first)
    assert.strictEqual(await bundlePath(), first)
    assert.strictEqual((await stat(first)).mtimeMs, mtimeMs)
    assert.include(built, "webhooksApp")
  })
})

// developer-api.md 8: the script environment is put together by whoever needs it first; one attempt that fails, as on a full disk, is not the last.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { programs } from "../../../src/ground/sandbox/scriptBundle.ts"

it("the programs of a script process are put together anew where they could not be", { timeout: 60_000 }, async () => {
  const cache = mkdtempSync(join(tmpdir(), "millrace-scripts-"))
  const before = { cache: process.env["XDG_CACHE_HOME"], node: process.execPath }
  process.env["XDG_CACHE_HOME"] = cache
  try {
    process.execPath = "/bin/false"
    const failure = await programs().catch(({ message }) => message)
    assert.strictEqual(failure, "status 1")
    process.execPath = before.node
    const { realm, runner } = await programs()
    assert.isAbove(Math.min(realm.length, runner.length), 1000)
    assert.strictEqual(await programs(), await programs())
  } finally {
    process.execPath = before.node
    if (before.cache === undefined) delete process.env["XDG_CACHE_HOME"]
    else process.env["XDG_CACHE_HOME"] = before.cache
    rmSync(cache, { recursive: true, force: true })
  }
})

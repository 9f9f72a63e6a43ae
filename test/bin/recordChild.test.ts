// docs/operations.md, "What `npm start` brings up": no part outlives the launcher's knowledge of it; one whose pid file cannot be written (a full disk) is ended.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import { freePort, writeWhole } from "../../bin/parts/os.js"
import { startService } from "../../bin/parts/service.js"
import { startTemporal } from "../../bin/parts/temporal.js"

describe.skipIf(process.platform !== "linux")("a part that cannot be written down", () => {
  let dir = ""
  let program = ""
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "millrace-record-"))
    program = join(dir, "part")
    writeFileSync(program, "#!/bin/sh\nwhile :; do sleep 1; done\n")
    chmodSync(program, 0o755)
  })
  const remainingPids = () =>
    readdirSync("/proc").filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(program)
      } catch {
        return false
      }
    })
  afterEach(() => {
    for (const pid of remainingPids()) process.kill(Number(pid), "SIGKILL")
    rmSync(dir, { recursive: true, force: true })
  })

  const parts: ReadonlyArray<readonly [string, (pidFile: string) => Promise<unknown>]> = [
    ["service", (pidFile) => startService({ node: program, main: "src/main.ts", env: {}, pidFile })],
    [
      "temporal",
      async (pidFile) =>
        startTemporal({
          program,
          database: join(dir, "temporal.db"),
          port: await freePort(),
          log: join(dir, "log"),
          pidFile
        })
    ]
  ]
  for (const [name, start] of parts)
    it(`is ended before its start fails: ${name}`, async () => {
      const failure = await start(join(dir, "away", `${name}.json`)).then(
        () => undefined,
        (error) => error
      )
      assert.strictEqual(failure?.code, "ENOENT")
      assert.deepStrictEqual(remainingPids(), [])
    })

  it("leaves no half of a file", () => {
    assert.throws(() => writeWhole(dir, "text"))
    assert.deepStrictEqual(
      readdirSync(tmpdir()).filter((name) => join(tmpdir(), name).startsWith(`${dir}.`)),
      []
    )
  })
})

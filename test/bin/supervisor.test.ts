// docs/operations.md, "What `npm start` brings up": a part that is told to stop while it starts ends, whether it has begun by then or not.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import { type Identity, isAlive, recordChild, type Signals, stop } from "../../bin/parts/os.js"
import { Supervisor } from "../../bin/parts/supervisor.js"

const signals: Signals = [["SIGKILL", 5_000]]

describe("a part that is never ready", () => {
  let dir = ""
  let childIdentity: Identity | undefined
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "millrace-supervisor-"))
    childIdentity = undefined
  })
  afterEach(async () => {
    if (childIdentity !== undefined) await stop(childIdentity, signals)
    rmSync(dir, { recursive: true, force: true })
  })

  for (const [when, beforehand] of [
    ["before its process has begun", 300],
    ["when its process has begun", 0]
  ] as const)
    it(`is stopped ${when}`, async () => {
      const pidFile = join(dir, "part.json")
      const start = async () => {
        await delay(beforehand)
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })
        childIdentity = await recordChild(pidFile, child, signals)
        await once(child, "exit")
        throw new Error("it ended before it was ready")
      }
      const part = new Supervisor({ name: "It", pidFile, signals, start })
      const started = part.start().catch(({ message }) => message)
      if (beforehand === 0) while (childIdentity === undefined) await delay(10)
      await part.stop()
      assert.strictEqual(await started, "it ended before it was ready")
      assert.isFalse(isAlive(childIdentity!))
    })
})

// PROCESSES (docs/operations.md, "Every core"): several processes of the service share one port, one log and one page of metrics, and each is
// watched over by itself.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import { freePort, type Identity, isAlive, readJson, stop } from "../../bin/parts/os.js"
import { processesOf } from "../../bin/parts/processes.js"
import { Started, until } from "./launcher.ts"

describe("PROCESSES", () => {
  let dir = ""
  let started: Started | undefined

  beforeEach(() => {
    started = undefined
    dir = mkdtempSync(join(tmpdir(), "millrace-processes-"))
  })
  const services = () =>
    ["service", "service-2"].map((name): Identity => readJson(join(dir, "data", "run", `${name}.json`)))
  afterEach(async () => {
    started?.killAll()
    if (started !== undefined)
      for (const part of [...services(), ...Object.values(started.parts())])
        if (part) await stop(part, [["SIGKILL", 5_000]])
    rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  it.skipIf(process.platform !== "linux")(
    "answer at one port and tell one page; who dies is started again while the others answer; all end together",
    async () => {
      const port = await freePort()
      started = new Started(join(dir, "data"), port, {
        PROCESSES: "2",
        MILLRACE_MAIN: "src/main.ts",
        LOG_FORMAT: "json"
      })
      await started.says("Millrace is ready.")
      const origin = `http://127.0.0.1:${port}`
      const ownConnection = { headers: { connection: "close" } }
      const pids = services().map(({ pid }) => pid)
      assert.lengthOf(pids, 2)

      /** How many requests each has had, by its number; the kernel deals connections out by chance. */
      const dealt = await until("requests for both", async () => {
        for (let i = 0; i < 20; i++)
          assert.strictEqual((await fetch(`${origin}/openapi.json`, ownConnection)).status, 200)
        const page = await (await fetch(`${origin}/metrics`, ownConnection)).text()
        const countPattern =
          /^http_server_request_duration_seconds_count\{process="(\d)",[^}]*http_route="\/openapi\.json"[^}]*\} \d+$/gm
        const numbers = new Set([...page.matchAll(countPattern)].map(([, number]) => number))
        return numbers.size === 2 ? page : undefined
      })
      const heads = [...dealt.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
      assert.strictEqual(new Set(heads).size, heads.length)
      assert.match(started.output, /"process":1\b/)
      assert.match(started.output, /"process":2\b/)

      process.kill(pids[1]!, "SIGKILL")
      await started.says("The service (process 2 of 2) ended by itself")
      assert.strictEqual((await fetch(`${origin}/health/live`, ownConnection)).status, 200)
      await started.says("The service (process 2 of 2) runs again")
      const servicesAfter = services()
      assert.deepStrictEqual([servicesAfter[0]!.pid === pids[0], servicesAfter[1]!.pid === pids[1]], [true, false])

      started.child.kill("SIGTERM")
      assert.strictEqual(await started.exit(), 0)
      assert.deepStrictEqual(servicesAfter.filter(isAlive), [])
    }
  )

  it("is a whole number from 1 to 64", () => {
    assert.strictEqual(processesOf({}), 1)
    for (const wrong of ["0", "65", "two", "1.5", "-1", " 2"])
      assert.throws(() => processesOf({ PROCESSES: wrong }), "PROCESSES: expected a whole number from 1 to 64")
  })
})

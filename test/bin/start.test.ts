// npm start: one per data directory, watches over its parts, stops in order, comes back after any kill (issue: the two commands).
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import { freePort, isAlive, readJson, stop } from "../../bin/parts/os.js"
import { root, Started, until } from "./launcher.ts"

describe("npm start", () => {
  let dir = ""
  let port = 0
  let running: Array<Started> = []

  const start = (env: Record<string, string> = {}) => {
    const started = new Started(join(dir, "data"), port, env)
    running.push(started)
    return started
  }

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "millrace-start-"))
    port = await freePort()
    running = []
  })
  afterEach(async () => {
    for (const started of running) started.killAll()
    for (const started of running) for (const part of Object.values(started.parts())) if (part) await stop(part, [])
    rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  it("refuses to start beside a running one, restarts what dies, and stops in order", async () => {
    const firstStart = start()
    await firstStart.says("Millrace is ready.")
    assert.include(firstStart.output, `http://127.0.0.1:${port}/docs`)
    assert.strictEqual(statSync(join(dir, "data")).mode & 0o777, 0o700)

    const second = start()
    assert.strictEqual(await second.exit(), 1)
    assert.include(second.output, `runs already on ${join(dir, "data")} (pid ${firstStart.child.pid}`)

    const partsBefore = firstStart.parts()
    process.kill(partsBefore.service.pid, "SIGKILL")
    await firstStart.says("The service runs again")
    assert.strictEqual((await until("its answer", () => firstStart.get())).starts, 2)

    process.kill(partsBefore.temporal.pid, "SIGKILL")
    await firstStart.says("Temporal runs again")

    process.kill(partsBefore.postgres.pid, "SIGKILL")
    await firstStart.says("Postgres runs again")
    const answer = await until("the service's rows after the death of Postgres", () => firstStart.get())
    assert.isAtLeast(answer.starts, 2)

    const partsAfter = firstStart.parts()
    const slow = firstStart.get("/slow")
    await firstStart.says("slow request in flight")
    const endedParts: Array<string> = []
    firstStart.child.kill("SIGTERM")
    await until("the end of all parts", () => {
      for (const [name, part] of Object.entries(partsAfter))
        if (!isAlive(part) && !endedParts.includes(name)) endedParts.push(name)
      return endedParts.length === 3 ? true : undefined
    })
    assert.strictEqual(await firstStart.exit(), 0)
    assert.deepStrictEqual(endedParts, ["service", "temporal", "postgres"])
    assert.strictEqual((await slow)?.pid, partsAfter.service.pid)
    assert.include(firstStart.log("postgres"), "database system is shut down")
  })

  it("comes up clean with all data after kill -9 of everything, and of itself alone", async () => {
    const firstStart = start()
    await firstStart.says("Millrace is ready.")
    firstStart.killAll()
    await firstStart.exit()

    const second = start()
    await second.says("Millrace is ready.")
    assert.strictEqual((await until("its answer", () => second.get())).starts, 2)
    const orphans = second.parts()
    process.kill(second.identity.pid, "SIGKILL")
    await until("the service's own end without its launcher", () => (isAlive(orphans.service) ? undefined : true))
    assert.isTrue(isAlive(orphans.postgres))

    const third = start()
    await third.says("Millrace is ready.")
    assert.include(third.output, "stopped a postgres process left over")
    assert.isFalse(isAlive(orphans.postgres))
    assert.isFalse(isAlive(orphans.temporal))
    assert.strictEqual((await until("its answer", () => third.get())).starts, 3)
    third.child.kill("SIGINT")
    assert.strictEqual(await third.exit(), 0)
  })

  it("P12: restarts a Temporal whose port answers and whose store fails, and says that it helps nothing", async () => {
    const bin = join(dir, "bin")
    mkdirSync(bin)
    const program = join(root, "test/bin/failing-temporal.ts")
    writeFileSync(join(bin, "temporal"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
    const started = start({ PATH: `${bin}:${process.env["PATH"]}`, PART_RESTART_SECONDS: "1" })
    await started.says("Millrace is ready.")
    await started.says("Temporal has not worked for")
    assert.match(
      started.output,
      /Temporal has not worked for \d+ s \(DescribeNamespace: interrupted \(9\)\): restarting it/
    )
    await started.says("Temporal runs again")
    await started.says("ALERT: Temporal has been restarted 3 times within ten minutes.")
    // The other part is judged by itself.
    assert.notInclude(started.output, "Postgres has not worked")
    assert.isAtLeast(readJson(join(started.dataDir, "run", "restarts.json")).temporal.length, 3)
    started.child.kill("SIGTERM")
    assert.strictEqual(await started.exit(), 0)
  })

  it("ends with status 1, before it starts anything, when another program listens on its port", async () => {
    const other = createServer((_, response) => response.end("another program"))
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve))
    try {
      const started = start()
      assert.strictEqual(await started.exit(), 1)
      assert.include(started.output, `Another program listens on port ${port} of 127.0.0.1.`)
      assert.notInclude(started.output, "starting Postgres")
    } finally {
      other.close()
    }
  })

  it("ends with status 1 and stops the rest when the service refuses to start", async () => {
    const started = start({ MILLRACE_MAIN: "test/bin/no-such-service.ts" })
    assert.strictEqual(await started.exit(), 1)
    assert.include(started.output, "ended before it was ready (status 1)")
    assert.isFalse(isAlive(started.part("postgres") ?? { pid: 0, start: "" }))
  })

  it("stopped while it clears up behind a start that failed, it clears up to the end, and says that it failed", async () => {
    const started = start({ MILLRACE_MAIN: "test/bin/no-such-service.ts" })
    const parts = await until("its parts", () => {
      const { postgres, temporal } = started.parts()
      return postgres !== undefined && temporal !== undefined ? [postgres, temporal] : undefined
    })
    await started.says("ended before it was ready (status 1); its own message is above")
    started.child.kill("SIGINT")
    assert.strictEqual(await started.exit(), 1)
    for (const part of parts) assert.isFalse(isAlive(part))
    assert.isFalse(existsSync(join(started.dataDir, "run", "launcher.json")))
  })
})

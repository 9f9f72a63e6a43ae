// LOG_FORMAT=json: every line that reaches the terminal is one object with its role, from the first of the launcher to the last, whoever
// has written it.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import { freePort, stop } from "../../bin/parts/os.js"
import { Started } from "./launcher.ts"

interface Line {
  readonly timestamp: string
  readonly level: string
  readonly role: string
  readonly message: unknown
  readonly [more: string]: unknown
}

/** Of what was printed whole. */
const linesOf = ({ output }: Started): ReadonlyArray<Line> =>
  output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const entry = JSON.parse(line)
      for (const member of ["level", "role", "message"]) assert.isNotEmpty(String(entry[member] ?? ""), line)
      assert.match(entry.timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      return entry
    })

describe("npm start with LOG_FORMAT=json", () => {
  let dir = ""
  let running: Array<Started> = []

  const start = async (env: Record<string, string>) => {
    const started = new Started(join(dir, "data"), await freePort(), { LOG_FORMAT: "json", ...env })
    running.push(started)
    return started
  }

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "millrace-lines-"))
    running = []
  })
  afterEach(async () => {
    for (const started of running) started.killAll()
    for (const started of running) for (const part of Object.values(started.parts())) if (part) await stop(part, [])
    rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  it("says all that it and its parts have to say as objects with a role", async () => {
    const firstStart = await start({ MILLRACE_MAIN: "src/main.ts", DEMO: "on" })
    await firstStart.says("Millrace is ready.")
    const readyLine = linesOf(firstStart).find(({ message }) => message === "Millrace is ready.")!
    assert.deepInclude(readyLine, {
      level: "INFO",
      role: "launcher",
      base_url: `http://127.0.0.1:${firstStart.port}`,
      data: join(dir, "data"),
      next: "npm run demo (a public data set through the API, with webhooks and an automation on)"
    })
    process.kill(firstStart.part("temporal").pid, "SIGKILL")
    await firstStart.says("Temporal runs again")
    firstStart.child.kill("SIGTERM")
    assert.strictEqual(await firstStart.exit(), 0)
    const lines = linesOf(firstStart)
    assert.deepStrictEqual([...new Set(lines.map(({ role }) => role))].toSorted(), ["all", "launcher", "prepare"])
    const died = lines.find(({ message }) => String(message).startsWith("Temporal ended by itself"))
    assert.deepStrictEqual([died?.level, died?.role], ["WARN", "launcher"])
    assert.strictEqual(lines.at(-1)?.message, "stopped")

    const broken = await start({ MILLRACE_MAIN: "test/bin/no-such-service.ts" })
    assert.strictEqual(await broken.exit(), 1)
    const words = linesOf(broken)
    // The last words of a process that has no logger, and the launcher's.
    assert.isTrue(
      words.some(
        ({ message, role }) => role === "all" && /Cannot find module|ERR_MODULE_NOT_FOUND/.test(String(message))
      )
    )
    const end = words.find(({ message }) => String(message).startsWith("the service ended before it was ready"))
    assert.deepStrictEqual([end?.level, end?.role], ["ERROR", "launcher"])

    const mistaken = await start({ MILLRACE_MAIN: "src/main.ts", LOG_LEVEL: "loud" })
    assert.strictEqual(await mistaken.exit(), 1)
    const reason = linesOf(mistaken).find(({ message }) => String(message).includes("LOG_LEVEL"))
    assert.deepStrictEqual([reason?.level, reason?.role], ["ERROR", "launcher"])
  })

  it("and a mistake in the settings that it reads itself", async () => {
    const started = await start({ SECRET_KEY_FILE: join(dir, "missing") })
    assert.strictEqual(await started.exit(), 1)
    const [line, ...others] = linesOf(started)
    assert.isEmpty(others)
    assert.deepStrictEqual([line?.level, line?.role], ["ERROR", "launcher"])
    assert.include(String(line?.message), "SECRET_KEY_FILE")
  })
})

// What `npm run disturb -- cluster`, `-- --kills` and `-- soak` judge by: requests, samples, chance, and a proxy that sends nothing twice. The
// cluster itself takes minutes and a Temporal server of its own (docs/benchmarks.md).
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { coursesOf } from "../../bench/disturb/cluster/flat.ts"
import { killsOf } from "../../bench/disturb/cluster/onCluster.ts"
import type { Sample } from "../../bench/disturb/cluster/sample.ts"
import { seenIn } from "../../bench/disturb/cluster/seen.ts"
import type { Watched } from "../../bench/disturb/cluster/site.ts"
import { faultsOf } from "../../bench/disturb/cluster/verdict.ts"
import { root } from "../../bench/support/machine.ts"
import { freePort } from "../../bin/parts/os.js"
import { BOUND } from "../support/eventually.ts"

describe("requests under a fault", () => {
  const makeUnanswered = (why: string, status?: number, told?: boolean) => ({
    method: "POST",
    path: "/v1/app",
    why,
    ...(status === undefined ? {} : { status }),
    ...(told === undefined ? {} : { told })
  })
  const watched = (requests: Watched["requests"]): Watched => ({
    steps: 1,
    counts: {},
    settledMillis: 0,
    differences: [],
    ended: [],
    requests,
    slowestMillis: 0,
    deliveries: 0
  })

  it("1.5: an answer of the service is 503 with Retry-After or a fault; no answer is the proxy's word", () => {
    const outcomes = seenIn([
      makeUnanswered("ECONNRESET"),
      makeUnanswered("status 502", 502, false),
      makeUnanswered("status 503", 503, false),
      makeUnanswered("status 503", 503, true),
      makeUnanswered("status 500", 500, true),
      makeUnanswered("first try still running", 409, true)
    ])
    assert.deepStrictEqual(outcomes, { cut: 2, away: 1, unready: 1, failed: ["POST /v1/app: status 500"] })
  })

  it("are wrong where the fault does not explain them", () => {
    const met = { cut: 2, away: 1, unready: 0, failed: ["POST /v1/app: status 500"] }
    assert.deepStrictEqual(faultsOf(watched(met), ["cut", "away"]), ["failed: POST /v1/app: status 500"])
    assert.lengthOf(faultsOf(watched(met), []), 3)
    assert.lengthOf(faultsOf(watched({ ...met, failed: [] }), ["away"]), 1)
  })
})

describe("samples", () => {
  const samples = (at: (minute: number) => Omit<Sample, "at">) =>
    Array.from({ length: 60 }, (_, minute) => ({ ...at(minute), at: minute * 60_000 }))
  const steady = {
    memory: { api1: 300 },
    files: { api1: 80 },
    connections: { "Millrace's: millrace-api": 12 },
    tables: { runs: { bytes: 10 * 2 ** 20, rows: 1000 } }
  }
  const bad = (all: ReadonlyArray<Sample>) => coursesOf(all).flatMap(({ flat, what }) => (flat ? [] : [what]))

  it("that stay are flat, and so is a table that grows with its rows", () => {
    assert.deepStrictEqual(bad(samples(() => steady)), [])
    const grows = samples((minute) => ({
      ...steady,
      tables: { runs: { bytes: (10 + minute) * 2 ** 20, rows: 1000 + 100 * minute } }
    }))
    assert.deepStrictEqual(bad(grows), [])
  })

  it("that grow are not: memory, connections, a table without rows", () => {
    const grows = samples((minute) => ({
      memory: { api1: 300 + 2 * minute },
      files: { api1: 80 },
      connections: { "Millrace's: millrace-api": 12 + minute },
      tables: { outbox: { bytes: (1 + minute) * 2 ** 20, rows: 0 } }
    }))
    assert.deepStrictEqual(bad(grows), [
      "memory of api1",
      "connections of Millrace's: millrace-api",
      "table outbox, 0 to 0 rows"
    ])
    const [memory] = coursesOf(grows)
    assert.closeTo(memory!.perHour, 120, 0.001)
  })
})

describe("kills", () => {
  it("come from the seed alone, and meet everybody", () => {
    const names = ["api1", "worker1", "pg-m"]
    const kills = killsOf(7, names, 60, 2000)
    assert.deepStrictEqual(kills, killsOf(7, names, 60, 2000))
    assert.notDeepEqual(kills, killsOf(8, names, 60, 2000))
    assert.deepStrictEqual([...new Set(kills.map(({ name }) => name))].toSorted(), names.toSorted())
    for (const [i, { at }] of kills.entries()) assert.isTrue(at >= i * 2000 && at <= (i + 1) * 2000)
  })
})

/** Answers /health/ready; anything else is counted and done by the handler. */
const startBehind = (work: (answer: import("node:http").ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const port = await freePort()
      const backend = { port, count: 0 }
      const server = createServer((asked, answer) => {
        if (asked.url === "/health/ready") {
          answer.end("ready")
          return
        }
        backend.count++
        asked.resume().once("end", () => work(answer))
      })
      await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
      return { behind: backend, server }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  ).pipe(Effect.map(({ behind }) => behind))

const startForward = Effect.fnUntraced(function* (behind: ReadonlyArray<number>) {
  const port = yield* Effect.promise(() => freePort())
  const dir = mkdtempSync(join(tmpdir(), "millrace-forward-"))
  writeFileSync(join(dir, "proxy.json"), JSON.stringify([{ port, behind }]))
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [join(root, "bench/disturb/cluster/forward.js"), join(dir, "proxy.json")], {
        stdio: "inherit"
      })
    ),
    (child) =>
      Effect.sync(() => {
        child.kill("SIGKILL")
        rmSync(dir, { recursive: true, force: true })
      })
  )
  const send = Effect.tryPromise({
    try: async () => {
      const response = await fetch(`http://127.0.0.1:${port}/write`, { method: "POST", body: "x" })
      return { status: response.status, text: await response.text() }
    },
    catch: (error) => error as Error
  })
  return { send: send.pipe(Effect.retry(Schedule.upTo(Schedule.spaced("50 millis"), { duration: BOUND }))) }
})

describe("the proxy in front of a cluster", () => {
  it.live("goes on to the next process when one takes no connections", () =>
    Effect.gen(function* () {
      const liveBackend = yield* startBehind((answer) => answer.end("done"))
      const closedPort = yield* Effect.promise(() => freePort())
      const { send } = yield* startForward([closedPort, liveBackend.port])
      for (let i = 0; i < 4; i++)
        assert.deepStrictEqual(
          yield* send.pipe(
            Effect.repeat({ until: ({ status }) => status !== 503, schedule: Schedule.spaced("50 millis") })
          ),
          { status: 200, text: "done" }
        )
      assert.strictEqual(liveBackend.count, 4)
    })
  )

  it.live("answers 502 for a request whose process went away, and sends it to nobody else", () =>
    Effect.gen(function* () {
      const dies = () => startBehind((answer) => answer.socket?.destroy())
      const [one, other] = [yield* dies(), yield* dies()]
      const { send } = yield* startForward([one.port, other.port])
      const answer = yield* send.pipe(
        Effect.repeat({ until: ({ status }) => status !== 503, schedule: Schedule.spaced("50 millis") })
      )
      assert.deepStrictEqual(answer, { status: 502, text: "no answer" })
      assert.strictEqual(one.count + other.count, 1)
    })
  )
})

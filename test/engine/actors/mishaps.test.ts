// The actor mechanism alone, under mishaps: stopped and killed processes, terminated workflows, poison, Temporal away.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ActorKind } from "../../../src/engine/actors/ActorKind.ts"
import { Temporal } from "../../../src/engine/temporal/Temporal.ts"
import { behaviour } from "./support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "./support/harness.ts"
import { exited, startWorker } from "./support/process.ts"
import { makeProxy } from "./support/proxy.ts"
import { freshSetting, layerTestPool, outOfOrder } from "./support/setting.ts"
import { append, makeTestKind } from "./support/testKind.ts"

const kind = makeTestKind(behaviour)
const countDone = countWhere("test_done", "true")

describe("actors under mishaps", () => {
  it.live("commit nothing of a former fence: a process stopped beyond its heartbeat time-out and continued", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ heartbeatTimeoutMillis: 1_000 })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const frozen = yield* startWorker(setting, { FREEZE: "1" })
        yield* append([
          ...Array.from({ length: 20 }, (_, i) => ({ app: 1, record: i, behaviour: "slow 300" })),
          { app: 1, record: 20, behaviour: "freeze" },
          ...Array.from({ length: 20 }, (_, i) => ({ app: 1, record: i }))
        ])
        yield* eventually("frozen in the middle", countWhere("test_begun", "true"), (n) => n >= 21)
        yield* Effect.gen(function* () {
          yield* eventually("taken over", countDone, (n) => n === 41)
          frozen.kill("SIGCONT")
          // The former one wakes up with results in its hands; a later row shows that life went on meanwhile.
          yield* append([{ app: 1, record: 1, behaviour: "slow 1500" }])
          yield* eventually("the later row", countDone, (n) => n === 42)
        }).pipe(Effect.provide(layerWorker(setting, kind)))
        assert.deepStrictEqual(yield* outOfOrder, [])
        assert.deepStrictEqual(yield* sql`SELECT row_id FROM test_done GROUP BY row_id HAVING count(*) > 1`, [])
        // Fences rise with the order of commits: none was committed behind a newer one.
        const former =
          yield* sql`SELECT 1 FROM test_done a JOIN test_done b ON a.done_id < b.done_id AND a.fence > b.fence`
        assert.deepStrictEqual(former, [])
        const processes = yield* sql<{ pid: number }>`SELECT DISTINCT pid FROM test_begun`
        assert.isAtLeast(processes.length, 2)
      }).pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
    }).pipe(Effect.scoped)
  )

  it.live("go on after a SIGKILL in the middle, with every row done", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ heartbeatTimeoutMillis: 1_000 })
      yield* Effect.gen(function* () {
        const events = 300
        const firstWorker = yield* startWorker(setting)
        yield* append(
          Array.from({ length: events }, (_, i) => ({ app: (i % 2) + 1, record: i % 40, behaviour: "slow 20" }))
        )
        yield* eventually("some done", countDone, (n) => n > 40)
        firstWorker.kill("SIGKILL")
        yield* exited(firstWorker)
        yield* startWorker(setting)
        yield* eventually("all done", countDone, (n) => n >= events)
        assert.deepStrictEqual(yield* outOfOrder, [])
        assert.strictEqual(yield* countDone, events)
      }).pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
    }).pipe(Effect.scoped)
  )

  it.live("set aside a row that ends its process, alone, and go on with the others", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ heartbeatTimeoutMillis: 2_000, aloneAt: 2, asideAt: 3 })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* append([
          { app: 1, record: 1 },
          { app: 1, record: 2, behaviour: "crash" },
          { app: 1, record: 2 },
          { app: 1, record: 3 }
        ])
        const supervise = Effect.gen(function* () {
          const child = yield* startWorker(setting)
          yield* exited(child)
        }).pipe(Effect.forever)
        yield* Effect.forkScoped(supervise)
        yield* eventually("done", countDone, (n) => n === 3)
        const [row] = yield* sql<{
          cause: string
          claims: number
        }>`SELECT cause, claims FROM test_rows WHERE state = 'aside'`
        assert.match(row!.cause, /^Given up after 2 attempts that never finished/)
        assert.strictEqual(row!.claims, 3)
        // From the second claim on each was worked on alone: the innocent ones were begun once more at most.
        const often = yield* sql<{ row_id: number }>`
          SELECT row_id FROM test_begun WHERE row_id <> 2 GROUP BY row_id HAVING count(*) > 2`
        assert.deepStrictEqual(often, [])
      }).pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
    }).pipe(Effect.scoped)
  )

  it.live("examine a row with a history of crashes that becomes due in an activation, at its next idle moment", () =>
    Effect.gen(function* () {
      const never = { lingerMillis: 600_000, lingerForDueMillis: 600_000, activationMillis: 600_000 }
      const setting = yield* freshSetting(never)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* append([{ app: 1, record: 1 }])
        yield* eventually("done", countDone, (n) => n === 1)
        yield* sql`INSERT INTO test_rows (event_id, app_id, lane, behaviour, due_at, claims) VALUES (1000000, '1', 2, '', now(), 5)`
        yield* append([{ app: 1, record: 1 }])
        yield* eventually("both done", countDone, (n) => n === 3)
        assert.strictEqual(yield* countWhere("test_done", "fence > 1"), 0)
      }).pipe(Effect.provide(layerWorker(setting, kind)))
    }).pipe(Effect.scoped)
  )

  it.live("set aside a row whose work fails unexpectedly, with what it failed of", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ aloneAt: 2, asideAt: 3 })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* append([
          { app: 1, record: 1, behaviour: "defect" },
          { app: 1, record: 2 }
        ])
        yield* eventually("done", countDone, (n) => n === 1)
        yield* eventually("aside", countWhere("test_rows", "state = 'aside'"), (n) => n === 1)
        const [row] = yield* sql<{ cause: string }>`SELECT cause FROM test_rows WHERE state = 'aside'`
        assert.match(row!.cause, /a bug in the work/)
      }).pipe(Effect.provide(layerWorker(setting, kind)))
    }).pipe(Effect.scoped)
  )

  it.live("are healed by the sweep after somebody terminated their workflow", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting()
      yield* Effect.gen(function* () {
        const temporal = yield* Temporal
        const sql = yield* SqlClient.SqlClient
        yield* append([{ app: 2, record: 1, due: Date.now() + 3_600_000 }])
        yield* eventually(
          "the other sleeps",
          countWhere("actors", "actor_key = 'webhooks/app/2' AND state = 'asleep'"),
          (n) => n === 1
        )
        yield* append([
          { app: 1, record: 1, behaviour: "slow 4000" },
          { app: 1, record: 1 }
        ])
        yield* eventually("begun", countWhere("test_begun", "true"), (n) => n === 1)
        // One in the middle of its work, one on its timer.
        for (const app of [1, 2]) {
          yield* temporal.call((client) => client.workflow.getHandle(`webhooks/app/${app}`).terminate("by an operator"))
        }
        // The timer's instant comes, and there is no timer.
        yield* sql`UPDATE test_rows SET due_at = now() WHERE app_id = '2'`
        yield* eventually("all done", countDone, (n) => n === 3)
      }).pipe(Effect.provide(layerWorker(setting, kind)))
    }).pipe(Effect.scoped)
  )

  it.live("work when Temporal comes later, or goes away for a while", () =>
    Effect.gen(function* () {
      const base = yield* freshSetting()
      const proxy = yield* makeProxy(base.temporalAddress)
      const setting = { ...base, temporalAddress: proxy.address }
      yield* Effect.gen(function* () {
        yield* append([{ app: 1, record: 1 }])
        yield* eventually("fanned out", countWhere("actors", "state = 'called'"), (n) => n === 1)
        yield* proxy.up
        yield* eventually("done", countDone, (n) => n === 1)
        yield* eventually("asleep", countWhere("actors", "state = 'asleep'"), (n) => n === 1)
        yield* proxy.down
        yield* append([
          { app: 1, record: 1 },
          { app: 2, record: 1 }
        ])
        yield* eventually("called", countWhere("actors", "state = 'called'"), (n) => n === 2)
        yield* proxy.up
        yield* eventually("done after", countDone, (n) => n === 3)
      }).pipe(Effect.provide(layerWorker(setting, kind)))
    }).pipe(Effect.scoped)
  )

  it.live("leave rows whose claim nobody knows the answer of to the next activation, which begins at once", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ lingerMillis: 60_000, activationMillis: 120_000 })
      let claimCount = 0
      const losing = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const testKind = yield* kind
        // Committed, and the connection is lost before the answer.
        const killConnection = sql`SELECT pg_terminate_backend(pg_backend_pid())`
        const activate: ActorKind["activate"] = (activation) =>
          testKind.activate({
            ...activation,
            once: {
              ...activation.once,
              claim: (effect, held) =>
                activation.once.claim(claimCount++ === 0 ? Effect.tap(effect, killConnection) : effect, held)
            }
          })
        return { ...testKind, activate }
      })
      yield* Effect.gen(function* () {
        // Over connections that are not lost with it.
        const onOwnPool = <A, E>(self: Effect.Effect<A, E, SqlClient.SqlClient>) =>
          self.pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
        yield* onOwnPool(append([{ app: 1, record: 1 }]))
        yield* onOwnPool(eventually("done", countDone, (n) => n === 1))
        const later = yield* onOwnPool(countWhere("test_done", "fence > 1"))
        assert.strictEqual(later, 1, "by another activation than the one that claimed it first")
      }).pipe(Effect.provide(layerWorker(setting, losing)))
    }).pipe(Effect.scoped)
  )

  it.live("hold their results while Postgres is away, and commit them when it is back", () =>
    Effect.gen(function* () {
      // Nobody takes the activation over where the machine is busy: the next one would begin the row again.
      const base = yield* freshSetting({ heartbeatTimeoutMillis: 60_000, sweepUnseenAfterMillis: 3_600_000 })
      const url = new URL(base.databaseUrl)
      const proxy = yield* makeProxy(url.host)
      yield* proxy.up
      url.host = proxy.address
      const setting = { ...base, databaseUrl: url.href }
      const gate = yield* Deferred.make<void>()
      const gatedKind = makeTestKind({
        ...behaviour,
        work: (row) => (row.behaviour === "held" ? Deferred.await(gate) : behaviour.work(row))
      })
      yield* Effect.gen(function* () {
        // Seen from beside the proxy.
        const onDirectPool = <A, E>(self: Effect.Effect<A, E, SqlClient.SqlClient>) =>
          self.pipe(Effect.provide(layerTestPool(base.databaseUrl)))
        yield* onDirectPool(append([{ app: 1, record: 1, behaviour: "held" }]))
        yield* onDirectPool(eventually("begun", countWhere("test_begun", "true"), (n) => n === 1))
        yield* proxy.down
        // Its result comes now, and is tried again and again.
        yield* Deferred.succeed(gate, undefined)
        yield* Effect.sleep("1 second")
        assert.strictEqual(yield* onDirectPool(countDone), 0)
        yield* proxy.up
        yield* onDirectPool(eventually("done", countDone, (n) => n === 1))
        assert.strictEqual(yield* onDirectPool(countWhere("test_begun", "true")), 1)
        yield* onDirectPool(append([{ app: 1, record: 1 }]))
        yield* onDirectPool(eventually("the next one", countDone, (n) => n === 2))
      }).pipe(Effect.provide(layerWorker(setting, gatedKind)))
    }).pipe(Effect.scoped)
  )
})

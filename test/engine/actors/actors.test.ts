// The actor mechanism alone, on a real Postgres and a real Temporal: the ordinary life of actors (design: actors, 1 to 5).
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Random } from "effect"
import { SqlClient } from "effect/sql"
import { ActorWakes } from "../../../src/engine/actors/ActorWakes.ts"
import { gauges } from "../../../src/engine/actors/gauges.ts"
import { Draining } from "../../../src/engine/temporal/Draining.ts"
import { behaviour } from "./support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "./support/harness.ts"
import { count, historyOf } from "./support/histories.ts"
import { freshSetting, layerTestPool, outOfOrder } from "./support/setting.ts"
import { append, makeTestKind } from "./support/testKind.ts"

const kind = makeTestKind(behaviour)
const countDone = countWhere("test_done", "true")
const asleep = countWhere("actors", "state = 'asleep'")

describe("actors", () => {
  it.live("lose no row while thousands of nudges race with actors that end, sleep and continue as new", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ lingerMillis: 1, historyAtMost: 60 })
      yield* Effect.gen(function* () {
        const actorWakes = yield* ActorWakes
        const events = 1_500
        const actor = (app: number, open: boolean) => ({
          actor_key: `webhooks/app/${app}`,
          kind: "webhooks/app",
          id: String(app),
          org_id: 1,
          open
        })
        for (let sentCount = 0; sentCount < events; sentCount += 15) {
          yield* append(Array.from({ length: 15 }, (_, i) => ({ app: (i % 3) + 1, record: i % 5 })))
          // Nudges that nobody needs, on top of those that the relay sends.
          for (let i = 0; i < 20; i++) yield* actorWakes.offer([actor((i % 3) + 1, i % 2 === 0)])
          yield* Effect.sleep(yield* Random.nextIntBetween(0, 60))
        }
        yield* eventually("rows done", countDone, (n) => n === events)
        assert.deepStrictEqual(yield* outOfOrder, [])
        yield* eventually("asleep", asleep, (n) => n === 3)
        // An actor sleeps first and ends then.
        const names = yield* eventually(
          "ended",
          historyOf("webhooks/app/1"),
          (n) => count(n, "workflowExecutionCompleted") > 0
        )
        assert.isAbove(count(names, "workflowExecutionContinuedAsNew"), 0)
      }).pipe(Effect.provide(layerWorker(setting, kind)))
    }).pipe(Effect.scoped)
  )

  it.live("get no signal while awake", () =>
    Effect.gen(function* () {
      // The sweep may nudge a second time while the worker is still starting: not what is counted here.
      const setting = yield* freshSetting({
        lingerMillis: 2_500,
        activationMillis: 60_000,
        sweepCalledAfterMillis: 60_000
      })
      yield* Effect.gen(function* () {
        for (let i = 0; i < 40; i++) {
          yield* append([{ app: 1, record: i }])
          yield* Effect.sleep("25 millis")
        }
        yield* eventually("rows done", countDone, (n) => n === 40)
        yield* eventually("asleep", asleep, (n) => n === 1)
        const names = yield* eventually(
          "ended",
          historyOf("webhooks/app/1"),
          (n) => count(n, "workflowExecutionCompleted") === 1
        )
        // Started, not signalled.
        assert.strictEqual(count(names, "workflowExecutionSignaled"), 0)
        assert.strictEqual(count(names, "activityTaskScheduled"), 1)
      }).pipe(Effect.provide(layerWorker(setting, kind)))
    }).pipe(Effect.scoped)
  )

  it.live("take a row that comes while they linger in the same activation", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ lingerMillis: 20_000, activationMillis: 60_000, relayPollMillis: 20 })
      yield* Effect.gen(function* () {
        yield* append([{ app: 1, record: 1 }])
        yield* eventually("first", countDone, (n) => n === 1)
        yield* append([{ app: 1, record: 1 }])
        yield* eventually("second", countDone, (n) => n === 2)
        assert.strictEqual(yield* countWhere("actors", "state = 'awake'"), 1)
        // By the same activation: nobody had to be called.
        const sql = yield* SqlClient.SqlClient
        assert.lengthOf(yield* sql`SELECT DISTINCT fence FROM test_done`, 1)
      }).pipe(Effect.provide(layerWorker(setting, kind)))
    }).pipe(Effect.scoped)
  )

  it.live("sleep on a durable timer until the next row is due, and wake earlier for an earlier one", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ lingerMillis: 1, sweepEveryMillis: 60_000 })
      yield* Effect.gen(function* () {
        const start = Date.now()
        yield* append([{ app: 1, record: 1, due: start + 3_600_000 }])
        yield* eventually("asleep", asleep, (n) => n === 1)
        assert.strictEqual(yield* countWhere("actors", "wake_at > now()"), 1)
        // Far enough off for a loaded machine to have fallen asleep again before it is due.
        const due = Date.now() + 10_000
        yield* append([{ app: 1, record: 2, due }])
        yield* eventually("done", countDone, (n) => n === 1)
        // biome-ignore lint/plugin: no sooner than it is due, however late.
        assert.isAtLeast(Date.now(), due)
        yield* eventually("asleep", asleep, (n) => n === 1)
        // The workflow starts its timer a moment after its row says that it sleeps.
        yield* eventually(
          "timers",
          historyOf("webhooks/app/1"),
          (names) => count(names, "timerStarted") >= 2 && count(names, "timerFired") >= 1
        )
      }).pipe(Effect.provide(layerWorker(setting, kind)))
    }).pipe(Effect.scoped)
  )

  it.live("keep the order of a record's rows with two relays and two workers", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({
        lingerMillis: 50,
        relayPollMillis: 10,
        relayContendedMillis: 5,
        relayBatch: 7
      })
      const two = Layer.mergeAll(layerWorker(setting, kind), layerWorker(setting, kind))
      yield* Effect.gen(function* () {
        for (let i = 0; i < 40; i++) {
          yield* append(Array.from({ length: 20 }, (_, j) => ({ app: (j % 4) + 1, record: j % 6 })))
        }
        yield* eventually("rows done", countDone, (n) => n === 800)
        assert.deepStrictEqual(yield* outOfOrder, [])
        const sql = yield* SqlClient.SqlClient
        const twice = yield* sql`SELECT row_id FROM test_done GROUP BY row_id HAVING count(*) > 1`
        assert.deepStrictEqual(twice, [])
        const swapped = yield* sql`SELECT 1 FROM test_rows a JOIN test_rows b ON a.lane = b.lane AND a.app_id = b.app_id
          AND a.row_id < b.row_id AND a.event_id > b.event_id`
        assert.deepStrictEqual(swapped, [])
      }).pipe(Effect.provide(two))
    }).pipe(Effect.scoped)
  )

  it.live("finish what is in the air when told to shut down, claim nothing more, and go on elsewhere at once", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting()
      const gate = yield* Deferred.make<void>()
      const gatedKind = makeTestKind({
        ...behaviour,
        work: (row) => (row.behaviour === "held" ? Deferred.await(gate) : behaviour.work(row))
      })
      yield* Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const draining = yield* Draining
          // One lane: while the first is in the air, the second cannot be claimed.
          yield* append([
            { app: 1, record: 1, behaviour: "held" },
            { app: 1, record: 1 }
          ])
          yield* eventually("begun", countWhere("test_begun", "true"), (n) => n === 1)
          yield* Effect.forkDetach(Effect.andThen(draining.wait, Deferred.succeed(gate, undefined)))
        }).pipe(Effect.provide(layerWorker(setting, gatedKind)))
        assert.strictEqual(yield* countWhere("test_done", "true"), 1)
        assert.strictEqual(yield* countWhere("test_rows", "state = 'open' AND claims = 0"), 1)
        assert.strictEqual(yield* countWhere("actors", "state = 'called'"), 1)
        yield* eventually("done elsewhere", countDone, (n) => n === 2).pipe(Effect.provide(layerWorker(setting, kind)))
        assert.strictEqual(yield* countWhere("test_begun", "true"), 2)
      }).pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
    }).pipe(Effect.scoped)
  )

  it.live("are counted by state, with the relay's lag, for operators", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting()
      yield* Effect.gen(function* () {
        yield* append([{ app: 1, record: 1 }])
        yield* Effect.sleep("10 millis")
        const gaugesBefore = yield* gauges
        assert.isAbove(gaugesBefore.relayLagSeconds, 0)
        assert.strictEqual(gaugesBefore.outboxOpen, 1)
        yield* eventually("asleep", asleep, (n) => n === 1).pipe(Effect.provide(layerWorker(setting, kind)))
        const gaugesAfter = yield* gauges
        assert.deepStrictEqual(gaugesAfter, {
          relayLagSeconds: 0,
          outboxOpen: 0,
          outboxSetAside: 0,
          actors: { asleep: 1, called: 0, awake: 0 }
        })
      }).pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
    }).pipe(Effect.scoped)
  )
})

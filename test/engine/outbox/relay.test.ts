// The relay under mishaps: events that cannot be fanned out, commands nobody carries out, batches that end the process.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ActorKind, FanOut } from "../../../src/engine/actors/ActorKind.ts"
import { gauges } from "../../../src/engine/actors/gauges.ts"
import { behaviour } from "../actors/support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "../actors/support/harness.ts"
import { freshSetting } from "../actors/support/setting.ts"
import { append, makeTestKind } from "../actors/support/testKind.ts"

const kind = makeTestKind(behaviour)
const fannedOut = countWhere("test_rows", "true")
// Nothing here needs Temporal: the port is closed.
const unreachableTemporal = { temporalAddress: "127.0.0.1:1" }

describe("the relay", () => {
  it.live("sets a poison event aside after ten attempts, alone, while other records go on and its own waits", () =>
    Effect.gen(function* () {
      const setting = { ...(yield* freshSetting({ asideAt: 3 })), ...unreachableTemporal }
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* append([
          { app: 1, record: 1 },
          { app: 1, record: 2, type: "app.update" },
          { app: 1, record: 2 },
          { app: 1, record: 3 }
        ])
        yield* eventually("all but one", fannedOut, (n) => n === 3)
        const lanes = yield* sql<{ lane: number }>`SELECT lane FROM test_rows ORDER BY row_id`
        assert.deepStrictEqual(
          lanes.map(({ lane }) => lane),
          [1, 3, 2]
        )
        const [aside] = yield* sql<{ set_aside: string; attempts: number }>`SELECT set_aside, attempts FROM outbox`
        assert.deepStrictEqual(aside, { set_aside: "Error: cannot fan this out", attempts: 3 })
        assert.strictEqual((yield* gauges).outboxSetAside, 1)
      }).pipe(Effect.provide(layerWorker(setting, kind)))
    }).pipe(Effect.scoped)
  )

  it.live("offers commands to the kind that carries them out, and sets aside one that nobody does", () =>
    Effect.gen(function* () {
      const setting = { ...(yield* freshSetting({ asideAt: 1 })), ...unreachableTemporal }
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* append([
          { app: 1, record: 1, type: "command.test" },
          { app: 1, record: 2, type: "command.unheard" }
        ])
        yield* eventually("the known one", fannedOut, (n) => n === 1)
        yield* eventually("the other", countWhere("outbox", "set_aside IS NOT NULL"), (n) => n === 1)
        const [aside] = yield* sql<{ set_aside: string }>`SELECT set_aside FROM outbox`
        assert.match(aside!.set_aside, /nothing carries out command.unheard/)
      }).pipe(Effect.provide(layerWorker(setting, kind)))
    }).pipe(Effect.scoped)
  )

  it.live(
    "takes a batch apart that was begun and never committed, and gives up an event that ended ten processes",
    () =>
      Effect.gen(function* () {
        const setting = { ...(yield* freshSetting()), ...unreachableTemporal }
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          // As processes leave it that died in the middle.
          yield* sql`INSERT INTO relay_attempts (name, tries) VALUES ('batch from shard 1', 3)`
          yield* sql.withTransaction(
            Effect.andThen(
              append([
                { app: 1, record: 1 },
                { app: 1, record: 2 }
              ]),
              sql`UPDATE outbox SET attempts = 10 WHERE record_id = 2`
            )
          )
          yield* eventually("the innocent one", fannedOut, (n) => n === 1)
          yield* eventually(
            "the guilty one",
            countWhere("outbox", "set_aside LIKE '%ended the process%'"),
            (n) => n === 1
          )
          yield* eventually("counted anew", countWhere("relay_attempts", "tries = 0"), (n) => n === 1)
        }).pipe(Effect.provide(layerWorker(setting, kind)))
      }).pipe(Effect.scoped)
  )

  it.live("takes a batch apart that its connection ends with each time, and gives up the guilty event", () =>
    Effect.gen(function* () {
      const tuning = { idleInTransactionMillis: 200, relayCountedMillis: 2_000, relayPollMillis: 10, asideAt: 3 }
      const setting = { ...(yield* freshSetting(tuning)), ...unreachableTemporal }
      // What it is asked for takes longer than the server waits for a transaction that does nothing.
      const slow = Effect.map(
        kind,
        (one): ActorKind => ({
          ...one,
          look: Effect.map(
            one.look,
            (fanOut): FanOut =>
              (events) =>
                Effect.delay(fanOut(events), events.some(({ record_id }) => record_id === 2) ? "1 second" : "0 millis")
          )
        })
      )
      yield* Effect.gen(function* () {
        yield* append([{ app: 1, record: 1 }])
        yield* eventually("at work", fannedOut, (n) => n === 1)
        yield* append([
          { app: 1, record: 1 },
          { app: 1, record: 2 },
          { app: 1, record: 3 }
        ])
        yield* eventually("the others", fannedOut, (n) => n === 3)
        yield* eventually("set aside", countWhere("outbox", "set_aside IS NOT NULL"), (n) => n === 1)
      }).pipe(Effect.provide(layerWorker(setting, slow)))
    }).pipe(Effect.scoped)
  )

  it.live("writes nothing twice when an event is read again after its mailbox rows were written", () =>
    Effect.gen(function* () {
      const setting = { ...(yield* freshSetting()), ...unreachableTemporal }
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* append(Array.from({ length: 50 }, (_, i) => ({ app: 1, record: i })))
        yield* eventually("fanned out", fannedOut, (n) => n === 50)
        yield* sql`INSERT INTO outbox (event_id, type, org_id, app_id, record_id, payload, created_on)
          OVERRIDING SYSTEM VALUE SELECT event_id, 'record.create', 1, 1, lane, '{}', due_at FROM test_rows`
        yield* eventually("gone again", countWhere("outbox", "true"), (n) => n === 0)
        assert.strictEqual(yield* fannedOut, 50)
      }).pipe(Effect.provide(layerWorker(setting, kind)))
    }).pipe(Effect.scoped)
  )
})

// The outbox in shards: relays of several processes work side by side, and each shard, by app, is one's alone (docs/architecture/flow.md, one flow).
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { FanOut } from "../../../src/engine/actors/ActorKind.ts"
import { makeShards } from "../../../src/engine/relay/relayShards.ts"
import { RELAY_LOCK, SHARD_LOCK } from "../../../src/platform/sql/advisoryLocks.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { keepOpen } from "../../support/locks.ts"
import { behaviour } from "../actors/support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "../actors/support/harness.ts"
import { freshSetting, layerTestPool } from "../actors/support/setting.ts"
import { append, makeTestKind } from "../actors/support/testKind.ts"

const kind = makeTestKind(behaviour)
const fannedOut = countWhere("test_rows", "true")
// Nothing here needs Temporal: the port is closed.
const unreachableTemporal = { temporalAddress: "127.0.0.1:1" }

describe("shards of the outbox", () => {
  it.live("what one relay holds waits for it, and every other app goes on", () =>
    Effect.gen(function* () {
      const setting = { ...(yield* freshSetting({ idleInTransactionMillis: 60_000 })), ...unreachableTemporal }
      yield* Effect.gen(function* () {
        const release = yield* keepOpen((sql) => sql`SELECT pg_advisory_xact_lock(${SHARD_LOCK}, 1)`)
        yield* append([
          { app: 1, record: 1 },
          { app: 65, record: 3 },
          { app: 2, record: 2 }
        ])
        yield* eventually("the other", countWhere("test_rows", "app_id = '2'"), (n) => n === 1)
        assert.strictEqual(yield* fannedOut, 1)
        yield* release
        yield* eventually("all", fannedOut, (n) => n === 3)
      }).pipe(Effect.provide(Layer.mergeAll(layerWorker(setting, kind), layerTestPool(setting.databaseUrl))))
    }).pipe(Effect.scoped)
  )

  it.live("a shard whose holder's connection is lost is taken over", () =>
    Effect.gen(function* () {
      const setting = { ...(yield* freshSetting({ idleInTransactionMillis: 60_000 })), ...unreachableTemporal }
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const release = yield* keepOpen((sql) => sql`SELECT pg_advisory_xact_lock(${SHARD_LOCK}, 1)`)
        yield* append([{ app: 1, record: 1 }])
        const holders = yield* sql<{ ended: boolean }>`
          SELECT pg_terminate_backend(pid) AS ended FROM pg_locks
          WHERE locktype = 'advisory' AND classid = ${SHARD_LOCK}::int::oid AND objid = 1 AND pid <> pg_backend_pid() AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
        assert.isAbove(holders.length, 0)
        yield* eventually("taken over", fannedOut, (n) => n === 1)
        yield* Effect.exit(release)
      }).pipe(Effect.provide(Layer.mergeAll(layerWorker(setting, kind), layerTestPool(setting.databaseUrl))))
    }).pipe(Effect.scoped)
  )

  it.live("an event that another relay has moved since the locks were asked for is none any more", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({})
      yield* Effect.gen(function* () {
        const sql = yield* Sql
        const { take } = makeShards(sql, 500, 60_000)
        yield* append([
          { app: 1, record: 1 },
          { app: 1, record: 2 }
        ])
        const commit = yield* keepOpen((other) => other`DELETE FROM outbox WHERE record_id = 1`)
        const takeFiber = yield* Effect.forkChild(sql.withTransaction(take(0)))
        yield* eventually(
          "it waits for the row",
          countWhere("pg_stat_activity", "wait_event_type = 'Lock' AND datname = current_database()"),
          (n) => n === 1
        )
        yield* commit
        const { events, shards } = yield* Fiber.join(takeFiber)
        assert.deepStrictEqual(shards, [1])
        assert.deepStrictEqual(
          events?.map(({ record_id }) => record_id),
          [2]
        )
      }).pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
    }).pipe(Effect.scoped)
  )

  it.live("a relay of the release before, which knows no shards, works alone", () =>
    Effect.gen(function* () {
      const setting = {
        ...(yield* freshSetting({ idleInTransactionMillis: 60_000, relayContendedMillis: 5 })),
        ...unreachableTemporal
      }
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* eventually(
          "begun",
          countWhere("pg_stat_activity", "application_name = 'worker' AND datname = current_database()"),
          (n) => n > 0
        )
        const release = yield* keepOpen((sql) => sql`SELECT pg_advisory_xact_lock(${RELAY_LOCK})`)
        yield* append([{ app: 1, record: 1 }])
        // Each look of the relay in vain is a transaction of this database.
        const transactionCount = sql<{ n: number }>`
          SELECT (pg_stat_force_next_flush() IS NOT NULL OR true) AND false AS x,
            (SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database())::int AS n`
        const countBefore = (yield* transactionCount)[0]!.n
        yield* eventually("looked", transactionCount, (rows) => rows[0]!.n > countBefore + 20)
        assert.strictEqual(yield* fannedOut, 0)
        yield* release
        yield* eventually("all", fannedOut, (n) => n === 1)
      }).pipe(Effect.provide(Layer.mergeAll(layerWorker(setting, kind), layerTestPool(setting.databaseUrl))))
    }).pipe(Effect.scoped)
  )

  it.live("with more than a batch to do, a relay leaves shards to the others", () =>
    Effect.gen(function* () {
      const setting = {
        ...(yield* freshSetting({ relayBatch: 5, relayContendedMillis: 5, idleInTransactionMillis: 60_000 })),
        ...unreachableTemporal
      }
      // Whichever comes to app 9 stays there; the other has to do the rest.
      const fanOutGate = yield* Deferred.make<void>()
      const blockedKind = Effect.gen(function* () {
        const testKind = yield* kind
        return {
          ...testKind,
          look: Effect.map(
            testKind.look,
            (fanOut): FanOut =>
              (events) =>
                Effect.andThen(
                  events.some(({ app_id }) => app_id === 9) ? Deferred.await(fanOutGate) : Effect.void,
                  fanOut(events)
                )
          )
        }
      })
      yield* Effect.gen(function* () {
        yield* append(Array.from({ length: 160 }, (_, n) => ({ app: 1 + (n % 16), record: n })))
        const two = Layer.mergeAll(layerWorker(setting, blockedKind), layerWorker(setting, blockedKind))
        yield* Effect.gen(function* () {
          yield* eventually("all apps but the one's", countWhere("test_rows", "app_id <> '9'"), (n) => n >= 140)
          assert.strictEqual(yield* countWhere("test_rows", "app_id = '9'"), 0)
          yield* Deferred.succeed(fanOutGate, undefined)
          yield* eventually("all", fannedOut, (n) => n === 160)
          const sql = yield* SqlClient.SqlClient
          const swapped = yield* sql`SELECT 1 FROM test_rows a JOIN test_rows b ON a.app_id = b.app_id
            AND a.row_id < b.row_id AND a.event_id > b.event_id`
          assert.deepStrictEqual(swapped, [])
        }).pipe(Effect.provide(two))
      }).pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
    }).pipe(Effect.scoped)
  )
})

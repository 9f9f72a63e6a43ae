// Where a look at the outbox begins (docs/architecture.md, "The relay looks where events are").
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeLowWatermark } from "../../../src/engine/relay/outboxLowWatermark.ts"
import { makeShards } from "../../../src/engine/relay/relayShards.ts"
import { besideTransaction as outside } from "../../../src/platform/sql/besideTransaction.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { ddl } from "../../support/database.ts"
import { behaviour } from "../actors/support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "../actors/support/harness.ts"
import { freshSetting, layerTestPool } from "../actors/support/setting.ts"
import { append, makeTestKind } from "../actors/support/testKind.ts"

const none = { oldest: null, newest: null }

describe("the watermark of the outbox", () => {
  it("is a margin below the oldest event that was seen, or the newest that is gone", () => {
    const watermark = makeLowWatermark()
    assert.strictEqual(watermark.from(), 0)
    watermark.looked({ oldest: 5_000, newest: 7_000 }, 0)
    assert.strictEqual(watermark.from(), 4_000)
    watermark.looked(none, 4_000)
    assert.strictEqual(watermark.from(), 6_001)
    watermark.looked({ oldest: 6_500, newest: 6_500 }, 6_001)
    assert.strictEqual(watermark.from(), 5_500)
    watermark.looked(none, 5_500)
    assert.strictEqual(watermark.from(), 6_001)
  })

  it("is everything until a look that began there has come back", () => {
    const watermark = makeLowWatermark()
    watermark.looked({ oldest: 5_000, newest: 5_000 }, 0)
    watermark.whole()
    assert.deepStrictEqual([watermark.from(), watermark.from()], [0, 0])
    watermark.looked(none, 4_000)
    assert.strictEqual(watermark.from(), 0)
    watermark.looked({ oldest: 3, newest: 5_000 }, 0)
    assert.strictEqual(watermark.from(), 0)
    watermark.looked({ oldest: 2_003, newest: 5_000 }, 0)
    assert.strictEqual(watermark.from(), 1_003)
  })

  it("goes back with the ids of a database that was restored", () => {
    const watermark = makeLowWatermark()
    watermark.looked({ oldest: 90_000, newest: 90_000 }, 0)
    watermark.looked(none, 89_000)
    watermark.whole()
    watermark.looked({ oldest: 50_000, newest: 50_000 }, 0)
    watermark.looked(none, 49_000)
    assert.strictEqual(watermark.from(), 49_001)
  })

  it.live("what is gone is not passed over again, though it still stands in the index", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({})
      yield* Effect.gen(function* () {
        const [sql, client] = [yield* Sql, yield* SqlClient.SqlClient]
        // It would take what is gone out of the index, whenever it comes by.
        yield* ddl("ALTER TABLE outbox SET (autovacuum_enabled = false)")
        yield* append(Array.from({ length: 5_000 }, (_, n) => ({ app: 1, record: n })))
        yield* sql`DELETE FROM outbox`
        yield* append([{ app: 1, record: 1 }])
        const shards = makeShards(sql, 500, 60_000)
        const pages = (from: number) =>
          Effect.gen(function* () {
            yield* sql`SELECT pg_stat_force_next_flush()`
            const read = client<{ n: number }>`SELECT (idx_blks_hit + idx_blks_read)::int AS n
              FROM pg_statio_user_indexes WHERE indexrelname = 'outbox_open'`
            const [before] = yield* read
            const shardEvents = yield* sql.withTransaction(
              Effect.tap(shards.take(from), () => sql`SELECT pg_stat_force_next_flush()`)
            )
            const [after] = yield* read
            return { ...shardEvents, pages: after!.n - before!.n }
          })
        const firstRead = yield* pages(0)
        const watermark = makeLowWatermark()
        watermark.looked(firstRead, 0)
        const second = yield* pages(watermark.from())
        assert.deepStrictEqual([firstRead.oldest, second.oldest], [5_001, 5_001])
        assert.isAbove(firstRead.pages, 2 * second.pages)
      }).pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
    }).pipe(Effect.scoped)
  )

  it.live("what commits after many with greater ids is found by the next look of everything", () =>
    Effect.gen(function* () {
      const setting = { ...(yield* freshSetting({ relayPollMillis: 200 })), temporalAddress: "127.0.0.1:1" }
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = countWhere("test_rows", "true")
        const outsideWorker = <A, E>(self: Effect.Effect<A, E, SqlClient.SqlClient>) =>
          outside(sql)(Effect.provideService(self, SqlClient.SqlClient, sql))
        yield* append([{ app: 1, record: 1 }])
        yield* eventually("begun", rows, (n) => n === 1)
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* append([{ app: 2, record: 2 }])
            yield* outsideWorker(sql`SELECT count(nextval('outbox_event_id_seq')) FROM generate_series(1, 5000)`)
            yield* outsideWorker(append([{ app: 1, record: 3 }]))
            yield* eventually("the one behind it", outsideWorker(rows), (n) => n === 2)
          })
        )
        yield* eventually("all", rows, (n) => n === 3)
      }).pipe(
        Effect.provide(
          Layer.mergeAll(layerWorker(setting, makeTestKind(behaviour)), layerTestPool(setting.databaseUrl))
        )
      )
    }).pipe(Effect.scoped)
  )
})

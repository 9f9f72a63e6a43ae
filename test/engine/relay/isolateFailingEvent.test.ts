// A batch that is taken apart (design: actors, point 6): what counts as an attempt at an event.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeIsolateFailingEvent } from "../../../src/engine/relay/isolateFailingEvent.ts"
import { makeShards } from "../../../src/engine/relay/relayShards.ts"
import { SHARD_LOCK } from "../../../src/platform/sql/advisoryLocks.ts"
import { besideTransaction as outside } from "../../../src/platform/sql/besideTransaction.ts"
import { pipelined } from "../../../src/platform/sql/pipelined.ts"
import { PgSql } from "../../../src/platform/sql/Sql.ts"
import { freshSetting, layerTestPool } from "../actors/support/setting.ts"
import { append } from "../actors/support/testKind.ts"

const ASIDE_AT = 3
const SHARD = 1

const setting = Effect.gen(function* () {
  const sql = yield* PgSql
  const shards = makeShards(sql, 500, 60_000)
  const fanOutApart = makeIsolateFailingEvent({
    sql,
    transactions: yield* pipelined(sql),
    ...shards,
    look: Effect.succeed({ kinds: [], sleepers: new Map() } as never),
    fanOut: () => Effect.die(new Error("cannot fan this out")),
    spread: () => Effect.void,
    asideAt: ASIDE_AT
  })
  const fanOutOnce = Effect.flatMap(shards.eventsOf([SHARD]), fanOutApart)
  return { sql, turn: fanOutOnce, left: sql`SELECT attempts, set_aside FROM outbox` }
})

describe("events one by one", () => {
  it.live(
    "one that another relay's lock keeps from being tried is not counted; one that is tried and fails is, to the last",
    () =>
      Effect.gen(function* () {
        const { databaseUrl } = yield* freshSetting()
        yield* Effect.gen(function* () {
          const { left, sql, turn } = yield* setting
          yield* append([{ app: SHARD, record: 1 }])
          yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT pg_advisory_xact_lock(${SHARD_LOCK}, ${SHARD})`
              for (let n = 0; n <= ASIDE_AT; n++) assert.isTrue(yield* outside(sql)(turn))
            })
          )
          assert.deepStrictEqual(yield* left, [{ attempts: 0, set_aside: null }])
          for (let n = 1; n <= ASIDE_AT; n++) yield* turn
          assert.deepStrictEqual(yield* left, [{ attempts: ASIDE_AT, set_aside: "Error: cannot fan this out" }])
        }).pipe(Effect.provide(layerTestPool(databaseUrl)))
      }).pipe(Effect.scoped)
  )
})

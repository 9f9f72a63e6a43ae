// Rows are what their schema says, or a fault of ours that nobody takes for data.
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowOf, rowsOf } from "../../../src/ground/sql/rows.ts"
import { layerDatabase } from "../../support/database.ts"

const Row = Schema.Struct({
  id: Schema.Int,
  at: Schema.Date,
  words: Schema.Array(Schema.String),
  bytes: Schema.Uint8Array
})

layer(layerDatabase, { excludeTestServices: true })("rows", (it) => {
  it.effect("come as the driver gives them, once their shape is known", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const statement = sql`
        SELECT 7::bigint AS id, timestamptz '2026-11-22 06:00:00+00' AS at, ARRAY['a', 'b'] AS words, '\\x01'::bytea AS bytes`
      const [row] = yield* rowsOf(Row)(statement)
      assert.strictEqual(row?.id, 7)
      assert.strictEqual(row?.at.toISOString(), "2026-11-22T06:00:00.000Z")
      assert.deepStrictEqual(row?.words, ["a", "b"])
      assert.deepStrictEqual([...(row?.bytes ?? [])], [1])
      assert.isUndefined(yield* rowOf(Row)(sql`SELECT 1 AS id WHERE false`))
    })
  )

  it.effect("of another shape are a defect that names the column", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const exit = yield* Effect.exit(
        rowOf(Row)(sql`SELECT 'seven' AS id, now() AS at, ARRAY['a'] AS words, NULL AS bytes`)
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.match(String(Exit.isFailure(exit) && Cause.squash(exit.cause)), /\["id"\]/)
    })
  )
})

// Rows are what their schema says, or a fault of ours that nobody takes for data; and nothing of src reads a row without a schema.
import { readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Schema } from "effect"
import { jsonb } from "../../../src/platform/sql/columns.ts"
import { countOf, RowMismatch, rowOf, rowsByKey, rowsOf } from "../../../src/platform/sql/rows.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { layerDatabase } from "../../support/database.ts"

const Row = Schema.Struct({
  id: Schema.Int,
  at: Schema.Date,
  words: Schema.Array(Schema.String),
  bytes: Schema.Uint8Array,
  facts: jsonb<{ readonly size: number }>()
})

const sound = `7::bigint AS id, timestamptz '2026-11-22 06:00:00+00' AS at, ARRAY['a', 'b'] AS words, '\\x01'::bytea AS bytes,
  '{"size": 3}'::jsonb AS facts`

layer(layerDatabase, { excludeTestServices: true })("rows", (it) => {
  it.effect("come as the driver gives them, once their shape is known", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const statement = sql.unsafe(`SELECT ${sound}, 1 AS more`)
      const [row] = yield* rowsOf(Row)(statement)
      assert.strictEqual(row?.id, 7)
      assert.strictEqual(row?.at.toISOString(), "2026-11-22T06:00:00.000Z")
      assert.deepStrictEqual(row?.words, ["a", "b"])
      assert.deepStrictEqual([...(row?.bytes ?? [])], [1])
      assert.strictEqual(row?.facts.size, 3)
      assert.notProperty(row, "more")
      assert.isUndefined(yield* rowOf(Row)(sql`SELECT 1 AS id WHERE false`))
      assert.strictEqual(yield* countOf(sql`SELECT count(*)::int AS n FROM generate_series(1, 4)`), 4)
    })
  )

  it.effect("of another shape are a defect that names the statement and the column, and no value", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const defectOf = Effect.fnUntraced(function* (columns: string) {
        const exit = yield* Effect.exit(
          rowOf(Row)(sql.unsafe(`SELECT ${columns} WHERE $1::int > 0 AND $2::text > ''`, [4711, "private"]))
        )
        const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        assert.instanceOf(defect, RowMismatch)
        assert.notMatch(defect.message, /4711|private/)
        assert.match(defect.message, /in the rows of: SELECT .* WHERE \$1::int/)
        return defect.issue
      })
      assert.match(yield* defectOf(sound.replace("AS at", "AS created")), /Missing key.*\["at"\]/)
      assert.match(yield* defectOf(sound.replace("7::bigint", "$2::text")), /Expected number.*\["id"\]/)
      assert.match(yield* defectOf(sound.replace("7::bigint", "(2 ^ 60)::bigint")), /\["id"\]/)
      assert.match(yield* defectOf(sound.replace("'\\x01'::bytea", "NULL")), /\["bytes"\]/)
      assert.match(yield* defectOf(sound.replace('{"size": 3}', "[7]").replace("::jsonb", "")), /\["facts"\]/)
    })
  )

  it.effect("of a statement for several callers fail those alone who ask for the one of another shape", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      let decoded = 0
      const byId = yield* rowsByKey(Schema.Struct({ id: Schema.Int, name: Schema.String }), "id", ({ name }) => {
        decoded++
        return name
      })(sql`SELECT i AS id, CASE WHEN i <> 2 THEN 'row ' || i END AS name FROM generate_series(1, 3) AS i`)
      assert.deepStrictEqual([...byId.keys()], [1, 2, 3])
      const exits = yield* Effect.forEach([1, 1, 2, 3], (id) => Effect.exit(byId.get(id)!))
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
      assert.match(
        String(Exit.isFailure(exits[2]!) && Cause.squash(exits[2].cause)),
        /\["name"\] in the rows of: SELECT/
      )
      assert.strictEqual(decoded, 2)
    })
  )
})

describe("rows of src", () => {
  const src = fileURLToPath(new URL("../../../src", import.meta.url))
  const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith(join("platform", "sql", "migrations") + sep))
    .map((name) => [name, readFileSync(join(src, name), "utf8")] as const)
  const where = (pattern: RegExp) => sources.filter(([, text]) => pattern.test(text)).map(([name]) => name)

  it("have no type but their schema's: the client that lets a caller claim one is known in one place", () => {
    assert.deepStrictEqual(where(/^import \{(?:[^}]*[ ,])??(?<!type )(?:SqlClient|PgClient)\b[^}]*\} from/m), [
      join("platform", "sql", "Pool.ts"),
      join("platform", "sql", "Sql.ts")
    ])
    assert.deepStrictEqual(where(/\bsql(?:\.unsafe)?</), [])
  })

  it("have a schema that is made once, not at each call", () => {
    assert.deepStrictEqual(where(/\brows?Of\(Schema\./), [])
  })
})

// developer-api.md 1.4: the `total` of a filter by a field that has an index is what counting the records gives, whatever was written meanwhile.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { buildFieldIndexes } from "../../../src/domain/records/listing/buildFieldIndexes.ts"
import { IndexMemory, LargeApp } from "../../../src/domain/records/listing/fieldIndexes.ts"
import { foldKeyCounts } from "../../../src/domain/records/listing/keyCounts.ts"
import { appLayer } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

/** At the borders of what is counted as one, and within. */
const NUMBERS = [
  0, 0.0001, 0.5, 0.99995, 1, 1.0004, 9.9996, 10, 50, 999.96, 1000, 1000.5, 2025, 2026, 12345, 12349.5, 99999
]
const VALUES = [...NUMBERS, ...NUMBERS.filter((n) => n > 0).map((n) => -n)]
const TESTS = {
  equal: "=",
  smaller: "<",
  smaller_or_equal: "<=",
  larger: ">",
  larger_or_equal: ">="
} as const

const world = appLayer({ RATE_BUDGET: "10000000" }).pipe(
  Layer.provide([Layer.succeed(LargeApp, 1), Layer.succeed(IndexMemory, 0)])
)

layer(world, { excludeTestServices: true, timeout: "2 minutes" })("developer-api.md 1.4: totals of filters", (it) => {
  const setup = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { owner, workspaceId } = yield* seedWorkspace
    const app = yield* createApp(owner, workspaceId, [
      field("number", "Weight", { decimals: 5 }),
      field("single_date", "Due"),
      field("single_user", "Owner")
    ])
    const [weight, due, user] = app.fields.map(({ field_id }: any) => field_id) as [number, number, number]
    const call = as(owner)
    const day = (i: number) => `2026-01-${String(1 + (i % 28)).padStart(2, "0")}`
    const create = (values: ReadonlyArray<number>) =>
      Effect.map(
        call("POST", `/v1/record/app/batch/${app.app_id}`, {
          inputs: values.map((value, i) => ({ fields: { weight: value, due: day(i), owner: owner.userId } }))
        }),
        (reply): ReadonlyArray<number> => {
          assert.strictEqual(reply.status, 200, reply.text)
          return reply.json.records.map(({ record_id }: any) => record_id)
        }
      )
    const total = (field_id: number, type: string, match_type: string, value: unknown, more: object = {}) =>
      Effect.map(
        call("POST", `/v1/record/filter/app/${app.app_id}?limit=0`, {
          filters: [{ field_id, type, match_type, values: [{ value }], ...more }]
        }),
        (reply) => {
          assert.strictEqual(reply.status, 200, reply.text)
          return reply.json.total as number
        }
      )
    /** Every test of every value, beside what the records say. */
    const right = Effect.gen(function* () {
      for (const value of VALUES)
        for (const [match_type, comparator] of Object.entries(TESTS)) {
          const [row] = (yield* sql.unsafe(
            `SELECT count(*)::int AS n FROM records WHERE app_id = $1 AND deleted_on IS NULL AND (cells->$2->>0)::numeric ${comparator} $3::text::numeric`,
            [app.app_id, String(weight), String(value)]
          )) as ReadonlyArray<any>
          assert.strictEqual(yield* total(weight, "number", match_type, value), row.n, `${comparator} ${value}`)
        }
      const [row] = (yield* sql`
        SELECT count(*) FILTER (WHERE cells->${String(due)}->0->>'start' > '2026-01-14~')::int AS late,
          count(*) FILTER (WHERE (cells->${String(user)}->>0)::bigint = ${owner.userId})::int AS owned
        FROM records WHERE app_id = ${app.app_id} AND deleted_on IS NULL`) as ReadonlyArray<any>
      const exact = { relative_date_type: "exact_date" }
      assert.strictEqual(yield* total(due, "date", "after", "2026-01-14", exact), row.late)
      assert.strictEqual(yield* total(user, "user", "equal", owner.userId), row.owned)
    })
    const isCounted = Effect.map(
      sql`SELECT counted FROM field_indexes WHERE app_id = ${app.app_id}`,
      (rows) => (rows as ReadonlyArray<any>).length === 3 && (rows as ReadonlyArray<any>).every((one) => one.counted)
    )
    const rows = Effect.map(
      sql`SELECT count(*)::int AS n FROM record_key_counts WHERE field_id = ANY(${[weight, due, user].map(String)}::text[]::bigint[])`,
      ([row]) => (row as any).n as number
    )
    return { app, call, counted: isCounted, create, due, right, rows, sql, weight }
  })

  it.effect(
    "follow records that are made, changed, trashed, restored and destroyed, and writes beside the counting",
    () =>
      Effect.gen(function* () {
        const { call, counted, create, right } = yield* setup
        const ids = [...(yield* create(VALUES)), ...(yield* create(VALUES))]
        yield* right
        yield* buildFieldIndexes
        assert.isTrue(yield* counted)
        yield* right
        yield* Effect.forEach(
          ids.slice(0, 40),
          (id, i) =>
            i % 4 === 0
              ? call("DELETE", `/v1/record/${id}`)
              : call("PUT", `/v1/record/${id}`, {
                  fields: { weight: i % 3 === 0 ? null : VALUES[(i * 7) % VALUES.length] }
                }),
          { concurrency: 4 }
        )
        yield* call("POST", `/v1/record/${ids[0]}/restore`)
        yield* call("DELETE", `/v1/record/${ids[4]}?permanent=true`)
        yield* right
        yield* Effect.all([create(VALUES), foldKeyCounts, create(VALUES), foldKeyCounts], { concurrency: "unbounded" })
        yield* foldKeyCounts
        yield* right
      })
  )

  it.effect("of an index from before the counts: what is there is added once, whoever writes meanwhile", () =>
    Effect.gen(function* () {
      const { app, counted, create, due, right, sql, weight } = yield* setup
      yield* create(VALUES)
      yield* right
      yield* buildFieldIndexes
      yield* sql`UPDATE field_indexes SET counted = false, counts_from = NULL WHERE app_id = ${app.app_id}`
      yield* sql`DELETE FROM record_key_counts WHERE field_id IN (${weight}, ${due})`
      yield* create(VALUES)
      yield* right
      yield* Effect.all([buildFieldIndexes, create(VALUES), create(VALUES)], { concurrency: "unbounded" })
      assert.isTrue(yield* counted)
      yield* right
    })
  )

  it.effect("nothing stays of values that nobody has any more, and of indexes that are gone", () =>
    Effect.gen(function* () {
      const { app, call, create, right, rows, sql } = yield* setup
      const ids = yield* create(VALUES)
      yield* right
      yield* buildFieldIndexes
      yield* Effect.forEach(ids, (id) => call("DELETE", `/v1/record/${id}`))
      yield* foldKeyCounts
      yield* foldKeyCounts
      assert.strictEqual(yield* rows, 0)
      yield* create([1, 2, 3])
      yield* right
      yield* sql`DELETE FROM field_indexes WHERE app_id = ${app.app_id}`
      yield* foldKeyCounts
      assert.strictEqual(yield* rows, 0)
    })
  )

  it.effect("a number's part is not above it, its own part, and in the order of the numbers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const wrong = yield* sql`
        WITH seen AS (
          SELECT x, key_part(x) AS part, lag(key_part(x)) OVER (ORDER BY x) AS before FROM (
            SELECT (sign * (b.base + d * step))::numeric AS x
            FROM unnest(ARRAY[0, 0.5, 1, 9.999, 10, 99.99, 999.9, 1000, 99995, 100000, 123456789]::numeric[]) AS b(base)
            CROSS JOIN unnest(ARRAY[0.000001, 0.0003, 0.07, 11]::numeric[]) AS s(step)
            CROSS JOIN generate_series(-40, 40) AS d CROSS JOIN unnest(ARRAY[1, -1]) AS g(sign)
          ) AS numbers
        )
        SELECT * FROM seen WHERE part > x OR key_part(part) <> part OR before > part LIMIT 3`
      assert.deepStrictEqual(wrong, [])
    })
  )
})

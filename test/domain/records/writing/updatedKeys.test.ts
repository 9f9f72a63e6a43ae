// developer-api.md 4.2, 4.3: keys of fields and pairs follow the updates of a statement together, and come by no others.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownWrite } from "../../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../../src/engine/outbox/Event.ts"
import { appLayer } from "../../../support/app.ts"
import { asOwner } from "../../../support/database.ts"
import { callerOf, createApp, field, seedWorkspace } from "../../../support/records.ts"

/** Keys enough that to read all of a field's differs from reading one record's. */
const RECORDS = 600
/** Rows of a table of keys that a statement about one record may come by. */
const FEW = 4

layer(appLayer(), { excludeTestServices: true })("keys of updated records", (it) => {
  const setting = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const writer = yield* RecordWriter
    const { owner, workspaceId } = yield* seedWorkspace
    const fields = [field("single_text", "Name"), field("number", "Weight")]
    const { app_id: appId, fields: appFields } = yield* createApp(owner, workspaceId, fields, "Many")
    const [name, weight] = appFields.map(({ field_id }: any) => field_id as number)
    const write = ownWrite(callerOf(owner), defaultSwitches)
    const records = yield* writer.create(
      write,
      appId,
      Array.from({ length: RECORDS }, (_, i) => ({ name: `Record ${i}`, weight: i % 10 }))
    )
    const ids = records.map(({ record_id }) => record_id)
    yield* sql`
      INSERT INTO field_indexes (field_id, app_id, kind, asked_on) VALUES (${name}, ${appId}, 'text', now()), (${weight}, ${appId}, 'number', now())`
    yield* sql`
      INSERT INTO pair_indexes (app_id, filter_id, sort_id, requests, counted_from, chosen_on) VALUES (${appId}, ${weight}, ${name}, 100, now(), now())`
    const rowsRead = (table: string) =>
      Effect.map(
        sql<{ rows: number }>`
          SELECT (pg_stat_get_xact_tuples_returned(${table}::regclass) + pg_stat_get_xact_tuples_fetched(${table}::regclass))::int AS rows`,
        ([row]) => row!.rows
      )
    /** Keys as the records have them, of those who have any. */
    const missingKeys = sql`
      (SELECT f.field_id, r.record_id, k.* FROM records r JOIN field_indexes f USING (app_id)
        CROSS JOIN LATERAL record_key_rows(f.kind, r.cells->(f.field_id::text)) AS k WHERE r.app_id = ${appId})
      EXCEPT SELECT field_id, record_id, n, number, words, plain, ref FROM record_keys`
    const update = (
      fieldsOf: (id: number, i: number) => Readonly<Record<string, unknown>>,
      changedIds: ReadonlyArray<number>
    ) =>
      writer.update(
        write,
        appId,
        changedIds.map((record_id, i) => ({ record_id, fields: fieldsOf(record_id, i) }))
      )
    return { ids, missingKeys, rowsRead, sql, update, weight }
  })

  it.effect("are found by the records, also by a plan that was made while there were none", () =>
    Effect.gen(function* () {
      const { ids, missingKeys, rowsRead, sql, update } = yield* setting
      const counts = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* update(() => ({ name: "Another" }), [ids[0]!])
          yield* update((_, i) => ({ name: `Other ${i}`, weight: 20 + i }), ids)
          assert.deepStrictEqual(yield* missingKeys, [])
          const rowsBefore = [yield* rowsRead("record_keys"), yield* rowsRead("record_pairs")]
          yield* update(() => ({ name: "Third" }), [ids[7]!])
          return [(yield* rowsRead("record_keys")) - rowsBefore[0]!, (yield* rowsRead("record_pairs")) - rowsBefore[1]!]
        })
      )
      for (const count of counts) assert.isAtMost(count, FEW)
      assert.deepStrictEqual(
        yield* sql`SELECT number::int AS weight, words FROM record_keys WHERE record_id = ${ids[7]!} ORDER BY words`,
        [
          { weight: null, words: "Third" },
          { weight: 27, words: null }
        ]
      )
      assert.deepStrictEqual(
        yield* sql`SELECT value::int AS weight, words FROM record_pairs WHERE record_id = ${ids[7]!}`,
        [{ weight: 27, words: "Third" }]
      )
    })
  )

  it.effect("are kept once for all records of a statement, and not for what stays as it is", () =>
    Effect.gen(function* () {
      const { ids, update, weight } = yield* setting
      const fewIds = ids.slice(0, 20)
      yield* update((_, i) => ({ weight: 100 + i }), fewIds)
      const counts = yield* asOwner(
        Effect.flatMap(SqlClient.SqlClient, (sql) => {
          const notes = sql<{ n: number }>`SELECT count(*)::int AS n FROM record_key_counts`
          return sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`SET LOCAL track_functions = 'pl'`
              const notesBefore = (yield* notes)[0]!.n
              // The first of them has that number already, so that its key is neither taken nor brought.
              yield* sql`
                UPDATE records SET cells = jsonb_set(cells, ARRAY[${weight}::text], '[100]')
                WHERE record_id IN (SELECT e::bigint FROM jsonb_array_elements(${JSON.stringify(fewIds)}::jsonb) AS j (e))`
              const [usage] = yield* sql<{ calls: number }>`
                SELECT calls::int AS calls FROM pg_stat_xact_user_functions WHERE funcname = 'record_keys_update'`
              return { calls: usage!.calls, notes: (yield* notes)[0]!.n - notesBefore }
            })
          )
        })
      )
      assert.deepStrictEqual(counts, { calls: 1, notes: 2 * (fewIds.length - 1) })
    })
  )
})

// The search entry of a changed record (developer-api.md 11.1): the updating statement writes it, with the line that Postgres would make; whatever
// else changes a record has it from the trigger.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { INDEXED_REVISIONS } from "../../../src/platform/sql/migrations/0077_search_updates.ts"
import { appLayer } from "../../support/app.ts"
import { ddl } from "../../support/database.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

const quay = Effect.gen(function* () {
  const { owner, workspaceId } = yield* seedWorkspace
  const by = as(owner)
  const app = yield* createApp(owner, workspaceId, [
    field("single_text", "Title"),
    field("multi_text", "Notes"),
    field("multi_phone", "Phone"),
    field("number", "Weight")
  ])
  const add = Effect.map(
    by("POST", `/v1/record/app/${app.app_id}`, { fields: { title: "Anchor", notes: "<p>rusty</p>", weight: 1 } }),
    ({ json }) => json.record_id as number
  )
  const change = (id: number, fields: object) =>
    Effect.map(by("PUT", `/v1/record/${id}`, { fields }), ({ json, status }) => {
      assert.strictEqual(status, 200, JSON.stringify(json))
    })
  return { add, app, by, change }
})

/** Line of a record's entry, the one that Postgres makes of the record, and the transaction that wrote the entry. */
const entryOf = Effect.fnUntraced(function* (recordId: number) {
  const sql = yield* SqlClient.SqlClient
  const [entry] = yield* sql<{ line: string; expected: string; written_by: string }>`
    SELECT e.line, e.xmin::text AS written_by, search_record_line(r.title, r.app_record_id, r.cells,
      ARRAY(SELECT f.field_id::text FROM fields f WHERE f.app_id = r.app_id AND f.field_type = 'multi_text' ORDER BY f.field_id)) AS expected
    FROM records r JOIN search_entries e ON e.kind = 'record' AND e.id = r.record_id WHERE r.record_id = ${recordId}`
  return entry!
})

/** Runs the effect while the trigger fails whoever calls it. */
const withoutTrigger = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [definition] = yield* sql<{ text: string }>`
      SELECT pg_get_functiondef('search_record_changed'::regproc) AS text`
    yield* ddl(`
      CREATE OR REPLACE FUNCTION search_record_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'the trigger is called'; END $$`)
    return yield* Effect.ensuring(effect, Effect.orDie(ddl(definition!.text)))
  })

layer(appLayer(), { excludeTestServices: true })("search entries of changed records", (it) => {
  it.effect("an update writes the line that Postgres would make, and none where the words stay", () =>
    Effect.gen(function* () {
      const { add, app, by, change } = yield* quay
      const id = yield* add
      const changes: ReadonlyArray<object> = [
        { title: "Kedge" },
        { notes: "<p>Sand<b>blasted</b> &amp; <i>painted</i></p>", weight: 2 },
        { phone: "+43 664 123" },
        { phone: [] },
        { title: null },
        { title: "Ünder", notes: "<p>京都 Ｆｕｌｌ</p>" }
      ]
      yield* withoutTrigger(
        Effect.gen(function* () {
          for (const fields of changes) {
            const formerEntry = yield* entryOf(id)
            yield* change(id, fields)
            const nextEntry = yield* entryOf(id)
            assert.strictEqual(nextEntry.line, nextEntry.expected, JSON.stringify(fields))
            assert.notStrictEqual(nextEntry.line, formerEntry.line, JSON.stringify(fields))
            yield* change(id, { weight: Number(nextEntry.line.length) + 7 })
            assert.strictEqual((yield* entryOf(id)).written_by, nextEntry.written_by)
          }
          const other = yield* add
          const inputs = [id, other].map((record_id) => ({ record_id, fields: { title: `Buoy ${record_id}` } }))
          const { status } = yield* by("PUT", `/v1/record/app/batch/${app.app_id}`, { inputs })
          assert.strictEqual(status, 200)
          for (const record_id of [id, other]) {
            const { expected, line } = yield* entryOf(record_id)
            assert.strictEqual(line, expected)
            assert.include(line, ` buoy ${record_id} `)
          }
        })
      )
    })
  )

  it.effect("a long text, a change without a new revision and another writer have their line from Postgres", () =>
    Effect.gen(function* () {
      const { add, change } = yield* quay
      const sql = yield* SqlClient.SqlClient
      const id = yield* add
      const follows = Effect.fnUntraced(function* (word: string) {
        const { expected, line } = yield* entryOf(id)
        assert.strictEqual(line, expected)
        assert.include(line, ` ${word} `)
      })
      yield* change(id, { notes: `<p>${"hawser ".repeat(1_000)}</p>` })
      yield* follows("hawser")
      yield* sql`UPDATE records SET title = 'Capstan', revision = revision + 1 WHERE record_id = ${id}`
      yield* follows("capstan")
      // The revision is listed, as after an update in the same transaction.
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`
            SELECT set_config(${INDEXED_REVISIONS}, ' ' || record_id || '/' || revision || ' ', true) FROM records WHERE record_id = ${id}`
          yield* sql`UPDATE records SET title = 'Windlass' WHERE record_id = ${id}`
        })
      )
      yield* follows("windlass")
    })
  )

  it.effect("an update adds an entry that is missing", () =>
    Effect.gen(function* () {
      const { add, change } = yield* quay
      const sql = yield* SqlClient.SqlClient
      const id = yield* add
      yield* sql`DELETE FROM search_entries WHERE kind = 'record' AND id = ${id}`
      yield* change(id, { title: "Bollard" })
      const { expected, line } = yield* entryOf(id)
      assert.strictEqual(line, expected)
    })
  )
})

// The search entry of a new record (developer-api.md 11.1): whoever makes the record, the look whether the entry is there reads no entries of
// other records.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appLayer } from "../../support/app.ts"
import { ddl } from "../../support/database.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"

const MANY = 200

layer(appLayer(), { excludeTestServices: true })("search entries of new records", (it) => {
  it.effect("reads no entries of other records, also with a plan made beside few entries", () =>
    Effect.gen(function* () {
      const { owner, workspaceId } = yield* seedWorkspace
      const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Title")])
      const sql = yield* SqlClient.SqlClient
      yield* ddl("ANALYZE search_entries")

      const insert = (from: number, count: number) => sql`
        INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
        SELECT app_id, org_id, n, 'Anchor ' || n, '{}', now(), '{"type":"user","user_id":1}'
        FROM apps, generate_series(${from}::int, ${from + count - 1}::int) AS n WHERE app_id = ${app_id}`
      const entriesRead = Effect.map(
        sql<{
          read: string
        }>`SELECT idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = 'search_entries'`,
        ([row]) => Number(row!.read)
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* insert(1, 1)
          yield* insert(2, MANY)
          const readBefore = yield* entriesRead
          yield* insert(MANY + 2, MANY)
          assert.strictEqual((yield* entriesRead) - readBefore, 0)
        })
      )
      const [{ entries } = { entries: 0 }] = yield* sql<{ entries: number }>`
        SELECT count(*)::int AS entries FROM search_entries WHERE app_id = ${app_id} AND kind = 'record'`
      assert.strictEqual(entries, 2 * MANY + 1)
    })
  )
})

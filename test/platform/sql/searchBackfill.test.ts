// The index of search is filled beside the service (developer-api.md 11.1, migration 0073): of a database with many records, in batches that
// a kill in the middle does not lose, while records are written and deleted.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgMigrator } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type LaterChange, laterPending, runLater } from "../../../src/platform/sql/laterChanges.ts"
import { laterList } from "../../../src/platform/sql/laterList.ts"
import { migrations } from "../../../src/platform/sql/migrations/index.ts"
import { emptyDatabaseUrl, layerOn } from "../../support/database.ts"

const migrationsBefore = (name: string) => Object.fromEntries(Object.entries(migrations).filter(([one]) => one < name))
const RECORDS = 12_000
const ofSearch = laterList.filter(({ name }) => name.startsWith("search_entries."))

/** The back-fill of records, killed as it begins its batch of this number. */
const killedAt = (batch: number): ReadonlyArray<LaterChange> => {
  let count = 0
  return ofSearch.map((change) =>
    change.kind === "backfill" && change.name === "search_entries.record"
      ? {
          ...change,
          batch: (after) =>
            Effect.suspend(() =>
              ++count === batch ? Effect.andThen(change.batch(after), Effect.die("killed")) : change.batch(after)
            )
        }
      : change
  )
}

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO organizations (name, slug, created_on) VALUES ('O', 'o', now())`
  yield* sql`
    INSERT INTO workspaces (org_id, name, slug, type, created_on) SELECT org_id, 'W', 'w', 'default', now() FROM organizations`
  yield* sql`
    INSERT INTO apps (org_id, workspace_id, slug, name, item_name, position, created_on)
    SELECT org_id, workspace_id, 'a', 'Pier', 'Crate', 0, now() FROM workspaces`
  yield* sql`
    INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
    SELECT app_id, org_id, n, 'Crate ' || n, jsonb_build_object('1', jsonb_build_array('Crate ' || n)), now(), '{}'
    FROM apps, generate_series(1, ${RECORDS}::int) AS n`
})

for (const [from, former] of [
  ["without an index", migrationsBefore("0068")],
  ["with the index before", migrationsBefore("0073")]
] as const)
  it.live(`a database ${from} is filled, also after a kill in the middle, while records change`, () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* PgMigrator.run({ loader: PgMigrator.fromRecord(former) })
      yield* seed
      yield* PgMigrator.run({ loader: PgMigrator.fromRecord(migrations) })
      // What is few is there at once.
      assert.deepStrictEqual(yield* sql`SELECT kind, line FROM search_entries`, [
        { kind: "app", line: " pier \u0001 crate " }
      ])
      assert.deepStrictEqual(yield* laterPending(ofSearch), ["search_entries.record"])

      assert.strictEqual((yield* Effect.exit(runLater(killedAt(5), () => Effect.void)))._tag, "Failure")
      const count = sql<{ count: number }>`SELECT count(*)::int AS count FROM search_entries WHERE kind = 'record'`
      assert.deepStrictEqual(yield* count, [{ count: 4_000 }])
      assert.deepStrictEqual(yield* laterPending(ofSearch), ["search_entries.record"])

      // Of those that are filled already and of others.
      yield* sql`UPDATE records SET title = 'Renamed ' || app_record_id WHERE app_record_id % 1000 = 1`
      yield* sql`DELETE FROM records WHERE app_record_id % 1000 = 2`
      yield* sql`UPDATE records SET deleted_on = now() WHERE app_record_id % 1000 = 3`
      assert.isTrue(yield* runLater(ofSearch, () => Effect.void))
      assert.deepStrictEqual(yield* laterPending(ofSearch), [])
      assert.deepStrictEqual(
        yield* sql`
          SELECT r.app_record_id, e.line FROM (SELECT * FROM records WHERE deleted_on IS NULL) r
          FULL JOIN (SELECT * FROM search_entries WHERE kind = 'record') e ON e.id = r.record_id
          WHERE e.line IS DISTINCT FROM search_record_line(r.title, r.app_record_id, r.cells, '{}')`,
        []
      )
      assert.deepStrictEqual(yield* count, [{ count: RECORDS - 24 }])
      assert.deepStrictEqual(
        yield* sql<{ count: number }>`
          SELECT count(*)::int AS count FROM search_entries e JOIN organizations o USING (org_id)
          WHERE search_vector(e.org_id, e.kind, e.line) @@ ('''' || o.org_id || 'r/renamed''')::tsquery`,
        [{ count: 12 }]
      )
    }).pipe(
      Effect.provide(NodeServices.layer),
      (test) => Effect.flatMap(emptyDatabaseUrl, (url) => Effect.provide(test, layerOn(url, 3))),
      Effect.scoped
    )
  )

// Places of runs are numbered, so that an organization's limit is a unique index and nobody waits for a lock (developer-api.md 7.11
// rule 7); the line of runs that want one is kept by app.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Null: taken by a process of the release before.
  yield* sql`ALTER TABLE run_places ADD COLUMN slot integer`
  yield* sql`
    UPDATE run_places p SET slot = n.slot
    FROM (SELECT run_id, row_number() OVER (PARTITION BY org_id ORDER BY taken_on, run_id) AS slot FROM run_places) AS n
    WHERE p.run_id = n.run_id`
  yield* sql`CREATE UNIQUE INDEX run_places_slot ON run_places (org_id, slot)`
  yield* sql`DROP INDEX run_places_org`
  yield* sql`CREATE INDEX runs_line ON runs (org_id, app_id, place_wanted_on, run_id) WHERE place_wanted_on IS NOT NULL`
  yield* sql`DROP INDEX runs_places_wanted`
})

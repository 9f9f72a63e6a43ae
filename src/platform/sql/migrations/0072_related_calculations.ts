// Calculations over related records (developer-api.md 11.3): which relations of an app they follow to which apps, and the changes of related
// records that the background pass has not come to.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `members`: external ids that calculations of `app_id` read of the records of `read_app_id`.
  yield* sql`
    CREATE TABLE calculation_relations (
      relation_id bigint NOT NULL,
      read_app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
      app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
      members text[] NOT NULL,
      PRIMARY KEY (relation_id, read_app_id)
    )`
  yield* sql`CREATE INDEX calculation_relations_read ON calculation_relations (read_app_id)`
  yield* sql`CREATE INDEX calculation_relations_app ON calculation_relations (app_id)`
  // `record_id`: with `relation_id` a record to which those to be calculated point, otherwise the one to be calculated. Those up to
  // `position` are done. `effects`: author and switches of the write; null: no revision, no event.
  yield* sql`
    CREATE TABLE calculation_changes (
      change_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint NOT NULL,
      app_id bigint NOT NULL,
      relation_id bigint,
      record_id bigint NOT NULL,
      position bigint NOT NULL DEFAULT 0,
      effects jsonb,
      due_on timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX calculation_changes_org ON calculation_changes (org_id, change_id)`
  yield* sql`CREATE INDEX calculation_changes_app ON calculation_changes (app_id)`
})

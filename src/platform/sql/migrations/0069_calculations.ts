// Calculation fields (developer-api.md 11.3): the day for which an app's calculations with `today()` were last begun; how open
// recalculations of an app are looked up.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE calculation_days (
      app_id bigint PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
      day date NOT NULL
    )`
  yield* sql`CREATE INDEX fields_calculated ON fields (app_id) WHERE field_type = 'calculation'`
  yield* sql`
    CREATE INDEX jobs_recalculating ON jobs (((input->>'app_id')::bigint))
    WHERE kind = 'field_recalculate' AND completed_on IS NULL`
})

// Conversion of a field to another type (developer-api.md 11.4): new cells that wait for the switch, and the types that fields had.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // When the field got the type that it has; null: it was created with it.
  yield* sql`ALTER TABLE fields ADD COLUMN converted_on timestamptz`
  // Key of the values in the deltas of revisions: `<field_id>@<number>`.
  yield* sql`
    CREATE TABLE former_fields (
      field_id bigint NOT NULL REFERENCES fields ON DELETE CASCADE,
      number integer NOT NULL,
      field_type text NOT NULL,
      settings jsonb NOT NULL,
      converted_on timestamptz NOT NULL,
      PRIMARY KEY (field_id, number)
    )`
  // No foreign keys, as with all hot tables (migration 0004). `source`: the cell that was converted; `problem`: why `cell` is empty.
  yield* sql`
    CREATE TABLE converted_cells (
      job_id bigint NOT NULL,
      record_id bigint NOT NULL,
      source jsonb NOT NULL,
      cell jsonb NOT NULL,
      problem text,
      PRIMARY KEY (job_id, record_id)
    )`
})

// What a view keeps beside conditions and order (developer-api.md 11.6): its columns and groups, the fields of its layouts, and its maker, who
// alone sees it while it is private.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Fields and users have no foreign keys: a view lets go of a field in the statements that delete or convert it.
  yield* sql`
    ALTER TABLE views
      ADD COLUMN columns jsonb NOT NULL DEFAULT '[]',
      ADD COLUMN frozen integer NOT NULL DEFAULT 1,
      ADD COLUMN group_by bigint,
      ADD COLUMN board_field_id bigint,
      ADD COLUMN calendar_field_ids jsonb NOT NULL DEFAULT '[]',
      ADD COLUMN cover_field_id bigint,
      ADD COLUMN created_by bigint,
      DROP CONSTRAINT views_layout_check`
  // Every row from before fits, so that none is read again.
  yield* sql`
    ALTER TABLE views ADD CONSTRAINT views_layout_check
      CHECK (layout IN ('table', 'list', 'board', 'calendar', 'gallery')) NOT VALID`
  yield* sql`CREATE INDEX views_private ON views (created_by) WHERE private`
})

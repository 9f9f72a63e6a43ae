// How many live records an app has, kept by the writes themselves, so that the `total` of a listing (developer-api.md 1.4) is not
// counted. A write adds a row with its change and waits for nobody; what was there before is counted once, when it is first asked for.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `counted`: the one row of an app that the others are added to. No reference to apps: each write would look it up.
  yield* sql`
    CREATE TABLE record_counts (
      app_id bigint NOT NULL,
      change bigint NOT NULL,
      counted boolean NOT NULL DEFAULT false
    )`
  yield* sql`CREATE INDEX record_counts_app ON record_counts (app_id)`
  yield* sql`CREATE UNIQUE INDEX record_counts_counted ON record_counts (app_id) WHERE counted`
  // By triggers, so that the release before this one keeps them too; as the owner, so that it may.
  yield* sql`
    CREATE FUNCTION record_counts_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        INSERT INTO record_counts (app_id, change) VALUES (NEW.app_id, CASE WHEN NEW.deleted_on IS NULL THEN 1 ELSE -1 END);
      ELSE
        INSERT INTO record_counts (app_id, change)
        SELECT app_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
        FROM changed WHERE deleted_on IS NULL GROUP BY app_id;
      END IF;
      RETURN NULL;
    END $$`
  yield* sql`
    CREATE TRIGGER records_counted_insert AFTER INSERT ON records REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_counts_change()`
  yield* sql`
    CREATE TRIGGER records_counted_delete AFTER DELETE ON records REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_counts_change()`
  yield* sql`
    CREATE TRIGGER records_counted_update AFTER UPDATE OF deleted_on ON records
    FOR EACH ROW WHEN ((OLD.deleted_on IS NULL) <> (NEW.deleted_on IS NULL)) EXECUTE FUNCTION record_counts_change()`
})

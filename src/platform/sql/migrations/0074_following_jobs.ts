// Jobs that follow what others do. A transaction that rewrites all records of an app (developer-api.md 11.4) may leave their search entries to a job that follows it: they cost
// ten times what the records do, while the app's writers wait. It says so by a setting of its own, `millrace.search_deferred`: the app's id.
// And a replay of deliveries (decisions W16), which the actor of its app carries out, is a job.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const SEARCH_DEFERRED = "millrace.search_deferred"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The trigger as it is, with one condition more.
  yield* sql.unsafe(`
    DO $$
    DECLARE definition text;
    BEGIN
      IF NOT lock_shortly('records', 60) THEN
        RAISE EXCEPTION 'others hold records for too long' USING ERRCODE = 'lock_not_available';
      END IF;
      SELECT pg_get_triggerdef(oid) INTO STRICT definition FROM pg_trigger
      WHERE tgrelid = 'records'::regclass AND tgname = 'records_searched_update';
      DROP TRIGGER records_searched_update ON records;
      EXECUTE overlay(definition
        PLACING ' WHEN (current_setting(''${SEARCH_DEFERRED}'', true) IS DISTINCT FROM NEW.app_id::text AND '
        FROM position(' WHEN (' IN definition) FOR length(' WHEN ('));
    END $$`)
  // Null: begun by an earlier release.
  yield* sql`ALTER TABLE webhook_replays ADD COLUMN job_id bigint`
})

// Keys of records that a transaction leaves as they are. The switch of a conversion (developer-api.md 11.4) rewrites one field of all records
// of an app, whose index it has dropped: no key follows from that, and to find none cost 40 % of the update, for which the app's writers wait.
// It says so by a setting of its own, `millrace.keys_kept`: the app's id.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const KEYS_KEPT = "millrace.keys_kept"

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
      WHERE tgrelid = 'records'::regclass AND tgname = 'records_keyed_update';
      DROP TRIGGER records_keyed_update ON records;
      EXECUTE overlay(definition
        PLACING ' WHEN (current_setting(''${KEYS_KEPT}'', true) IS DISTINCT FROM NEW.app_id::text AND '
        FROM position(' WHEN (' IN definition) FOR length(' WHEN ('));
    END $$`)
})

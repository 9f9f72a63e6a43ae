// Updates keep the search entries of their records themselves (developer-api.md 11.1), with lines that the writing process makes. Such a statement
// lists the revisions whose entries it keeps in a setting of its transaction, each as ` record_id/revision `, and the trigger leaves these out. A
// revision is made once: what changes a record without a new one, or comes from a release before, has its entry from the trigger.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const INDEXED_REVISIONS = "millrace.indexed_revisions"

const isListed = `strpos(current_setting(''${INDEXED_REVISIONS}'', true), '' '' || NEW.record_id || ''/'' || NEW.revision || '' '') > 0`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The trigger as it is, with one condition more. What waits to be sorted into the index (in kB) is four times as much: to sort that at once
  // costs half as much for each row, and a search reads it within 3 ms.
  yield* sql.unsafe(`
    DO $$
    DECLARE definition text;
    BEGIN
      IF NOT lock_shortly('records, search_entries', 60) THEN
        RAISE EXCEPTION 'others hold records or search_entries for too long' USING ERRCODE = 'lock_not_available';
      END IF;
      ALTER INDEX search_entries_words SET (gin_pending_list_limit = 4096);
      SELECT pg_get_triggerdef(oid) INTO STRICT definition FROM pg_trigger
      WHERE tgrelid = 'records'::regclass AND tgname = 'records_searched_update';
      DROP TRIGGER records_searched_update ON records;
      EXECUTE overlay(definition
        PLACING ' WHEN ((OLD.revision = NEW.revision OR (${isListed}) IS NOT TRUE) AND '
        FROM position(' WHEN (' IN definition) FOR length(' WHEN ('));
    END $$`)
})

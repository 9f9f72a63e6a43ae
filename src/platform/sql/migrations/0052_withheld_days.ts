// What is withheld has its seven days however old it is (decisions W5): the log does not go from under it (0038, 0051). What has had them is
// expired before by whoever asks (domain/webhooks/hookHousekeeping.ts), which looks for it among the same hooks.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  const pinned = `SET search_path = ${schema}, pg_temp`

  yield* sql.unsafe(`
    CREATE FUNCTION webhook_part_waits(part regclass, lowest bigint, beyond bigint) RETURNS boolean LANGUAGE plpgsql ${pinned} AS $$
    DECLARE withheld boolean;
    BEGIN
      IF EXISTS (SELECT FROM webhook_queue q WHERE q.event_id >= coalesce(lowest, 0) AND q.event_id < beyond) THEN RETURN true; END IF;
      EXECUTE format('SELECT EXISTS (
        SELECT FROM hooks h JOIN %s d USING (hook_id) WHERE h.lost_on IS NOT NULL AND d.status = ''withheld'')', part) INTO withheld;
      RETURN withheld;
    END $$`)
  yield* sql.unsafe("REVOKE ALL ON FUNCTION webhook_part_waits(regclass, bigint, bigint) FROM PUBLIC")

  yield* sql.unsafe(`
    CREATE OR REPLACE FUNCTION webhook_log_keep(days integer) RETURNS text LANGUAGE plpgsql SECURITY DEFINER ${pinned} AS $$
    DECLARE
      kept timestamptz := now() - make_interval(days => greatest(days, 1));
      this_week bigint := id_week(now());
      given bigint := coalesce(pg_sequence_last_value('outbox_event_id_seq'), 0);
      logs regclass[] := ARRAY['webhook_deliveries', 'webhook_attempts'];
      parent regclass;
      old record;
      needed boolean;
    BEGIN
      IF NOT pg_try_advisory_xact_lock('webhook_deliveries'::regclass::oid::bigint) THEN RETURN NULL; END IF;
      FOREACH parent IN ARRAY logs LOOP
        -- Until then it waits to be begun beside the service.
        IF NOT EXISTS (SELECT FROM id_weeks_parts(parent)) THEN RETURN NULL; END IF;
        IF id_weeks_add(parent, greatest(this_week, given / id_week_first(1))) THEN RETURN 'made'; END IF;
      END LOOP;
      IF given < id_week_first(this_week) AND 2 = (SELECT count(*) FROM unnest(logs) AS b
          CROSS JOIN LATERAL id_weeks_parts(b) p WHERE p.lowest = id_week_first(this_week)) THEN
        -- Nobody may plan for a part that was found empty: whatever is read of it then is read as a whole.
        IF current_setting('server_version_num')::integer >= 180000 THEN
          PERFORM pg_clear_relation_stats(relnamespace::regnamespace::name::text, relname::text)
            FROM unnest(logs) AS b CROSS JOIN LATERAL id_weeks_parts(b) p JOIN pg_class ON oid = p.part
            WHERE p.lowest = id_week_first(this_week);
        END IF;
        PERFORM setval('outbox_event_id_seq', id_week_first(this_week));
        RETURN 'jumped';
      END IF;
      FOREACH parent IN ARRAY logs LOOP
        IF EXISTS (SELECT FROM pg_stat_user_tables WHERE relid = parent
            AND coalesce(last_analyze < now() - interval '1 day', true)) THEN
          EXECUTE format('ANALYZE %s %s',
            CASE WHEN current_setting('server_version_num')::integer >= 180000 THEN 'ONLY' END, parent);
          RETURN 'analyzed';
        END IF;
      END LOOP;
      -- A part that holds something younger, or a delivery that waits or is withheld, stays as it is.
      FOR old IN SELECT * FROM id_weeks_parts('webhook_deliveries') WHERE beyond <= id_week_first(id_week(kept)) ORDER BY beyond LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE created_on > $1)', old.part) INTO needed USING kept;
        CONTINUE WHEN needed OR webhook_part_waits(old.part, old.lowest, old.beyond);
        IF NOT lock_parts('webhook_deliveries', old.part) THEN RETURN NULL; END IF;
        IF webhook_part_waits(old.part, old.lowest, old.beyond) THEN RETURN NULL; END IF;
        RETURN CASE WHEN drop_part(old.part) THEN 'dropped' END;
      END LOOP;
      FOR old IN SELECT * FROM id_weeks_parts('webhook_attempts') a WHERE a.beyond <= id_week_first(id_week(kept)) AND NOT EXISTS (
          SELECT FROM id_weeks_parts('webhook_deliveries') d WHERE coalesce(d.lowest, 0) < a.beyond AND d.beyond > coalesce(a.lowest, 0)) ORDER BY a.beyond LOOP
        IF NOT lock_parts('webhook_attempts', old.part) THEN RETURN NULL; END IF;
        RETURN CASE WHEN drop_part(old.part) THEN 'dropped' END;
      END LOOP;
      RETURN NULL;
    END $$`)
  yield* sql.unsafe(`
    CREATE OR REPLACE FUNCTION webhook_log_astray(days integer, most integer, OUT deliveries integer, OUT attempts integer)
    LANGUAGE plpgsql SECURITY DEFINER ${pinned} AS $$
    DECLARE kept timestamptz := now() - make_interval(days => greatest(days, 1));
    BEGIN
      EXECUTE format('DELETE FROM %1$s WHERE (hook_id, event_id) IN (
        SELECT d.hook_id, d.event_id FROM %1$s d WHERE d.created_on <= $1 AND NOT EXISTS (
          SELECT FROM webhook_queue q WHERE q.hook_id = d.hook_id AND q.event_id = d.event_id)
          AND NOT (d.status = ''withheld'' AND EXISTS (SELECT FROM hooks h WHERE h.hook_id = d.hook_id AND h.lost_on IS NOT NULL)) LIMIT $2)',
        id_weeks_default('webhook_deliveries')) USING kept, most;
      GET DIAGNOSTICS deliveries = ROW_COUNT;
      EXECUTE format('DELETE FROM %1$s WHERE (hook_id, event_id, attempt) IN (
        SELECT hook_id, event_id, attempt FROM %1$s WHERE attempted_on <= $1 LIMIT $2)',
        id_weeks_default('webhook_attempts')) USING kept, most;
      GET DIAGNOSTICS attempts = ROW_COUNT;
    END $$`)
})

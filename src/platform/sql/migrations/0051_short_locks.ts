// What makes and drops the parts of a log waits for nobody while others wait behind it (docs/architecture/database.md, "Logs by weeks"): it gets all that it
// changes at once, within an instant, or leaves it for another hour. The audit log by months (0016), webhooks (0037, 0038) and runs (0047) alike.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const ENTRY =
  "audit_id, happened_on, event, reason_id, org_id, person_id, user_id, client_id, connection_id, source_address, details, count"
/** Of a week of runs (0047). */
const STRIDE = "1000000000"
const RUN_LOGS = "ARRAY['run_logs', 'run_ledger']::regclass[]"
const RUN_IDS = "'runs_run_id_seq'"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  const pinned = `SET search_path = ${schema}, pg_temp`

  // What Postgres locks to make or drop a part: that part, the default one, whose bounds change with it, and the parent. That one last, so that
  // nobody waits at it for who holds a part.
  yield* sql.unsafe(`
    CREATE FUNCTION lock_parts(parent regclass, part regclass DEFAULT NULL) RETURNS boolean LANGUAGE sql ${pinned} AS $$
      SELECT lock_shortly(concat_ws(', ', part, id_weeks_default(parent), format('ONLY %s', parent)), 5)
    $$`)
  // What is behind a part may be held by itself, as its long values by a vacuum.
  yield* sql.unsafe(`
    CREATE FUNCTION drop_part(part regclass) RETURNS boolean LANGUAGE plpgsql ${pinned} SET lock_timeout = '200ms' AS $$
    BEGIN
      EXECUTE format('DROP TABLE %s', part);
      RETURN true;
    EXCEPTION WHEN lock_not_available THEN
      RETURN false;
    END $$`)
  for (const each of ["lock_parts(regclass, regclass)", "drop_part(regclass)"])
    yield* sql.unsafe(`REVOKE ALL ON FUNCTION ${each} FROM PUBLIC`)

  // One step, a transaction of its own: the oldest month that has lapsed goes, or what is missing is made. It tells how many went: after 0
  // nothing is left, or others are at it.
  yield* sql.unsafe(`
    CREATE OR REPLACE FUNCTION audit_log_keep(months integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER ${pinned}
    SET lock_timeout = '200ms' SET timezone = 'UTC' AS $$
    DECLARE
      this_month date := date_trunc('month', now());
      oldest date := this_month - make_interval(months => greatest(months, 3));
      ahead date := this_month + interval '3 months';
      astray boolean;
      month date;
      old regclass;
    BEGIN
      IF NOT pg_try_advisory_xact_lock('audit_log'::regclass::oid::bigint) THEN RETURN 0; END IF;
      SELECT c.oid::regclass INTO old FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'audit_log'::regclass AND c.relname ~ '^audit_log_[0-9]{4}_[0-9]{2}$'
        AND to_date(right(c.relname, 7), 'YYYY_MM') < oldest
      ORDER BY c.relname LIMIT 1;
      IF old IS NOT NULL AND lock_parts('audit_log', old) THEN RETURN drop_part(old)::integer; END IF;

      astray := EXISTS (SELECT FROM audit_log_default WHERE happened_on < ahead + interval '1 month');
      IF NOT astray AND NOT EXISTS (SELECT FROM generate_series(this_month, ahead, interval '1 month') AS m
          WHERE to_regclass(to_char(m, '"audit_log_"YYYY_MM')) IS NULL) THEN RETURN 0; END IF;
      IF NOT lock_parts('audit_log') THEN RETURN 0; END IF;
      astray := EXISTS (SELECT FROM audit_log_default WHERE happened_on < ahead + interval '1 month');
      IF astray THEN
        ALTER TABLE audit_log DETACH PARTITION audit_log_default;
        ALTER TABLE audit_log_default RENAME TO audit_log_astray;
        PERFORM audit_log_add_default();
        FOR month IN SELECT DISTINCT date_trunc('month', happened_on) FROM audit_log_astray
          WHERE happened_on >= oldest AND happened_on < ahead
        LOOP
          PERFORM audit_log_add_month(month);
        END LOOP;
      END IF;
      FOR month IN SELECT generate_series(this_month, ahead, interval '1 month') LOOP
        PERFORM audit_log_add_month(month);
      END LOOP;
      IF astray THEN
        INSERT INTO audit_log (${ENTRY}) OVERRIDING SYSTEM VALUE
        SELECT ${ENTRY} FROM audit_log_astray WHERE happened_on >= oldest;
        DROP TABLE audit_log_astray;
      END IF;
      RETURN 0;
    END $$`)

  // As they were but for the locks; and once they are held, no other part is waited for.
  yield* sql.unsafe(`
    CREATE OR REPLACE FUNCTION id_weeks_add(parent regclass, first_week bigint) RETURNS boolean LANGUAGE plpgsql ${pinned} SET timezone = 'UTC' AS $$
    DECLARE
      week bigint;
      astray boolean;
      made boolean := false;
    BEGIN
      FOR week IN first_week..first_week + 1 LOOP
        CONTINUE WHEN EXISTS (SELECT FROM id_weeks_parts(parent) p
          WHERE p.beyond > id_week_first(week) AND coalesce(p.lowest, 0) < id_week_first(week + 1));
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE event_id >= $1 AND event_id < $2)', id_weeks_default(parent))
          INTO astray USING id_week_first(week), id_week_first(week + 1);
        CONTINUE WHEN astray;
        IF NOT made AND NOT lock_parts(parent) THEN RETURN false; END IF;
        PERFORM id_weeks_make(parent, format('%s_%s', parent, to_char(to_timestamp(week * 604800 + 345600), 'YYYY_MM_DD')),
          format('FOR VALUES FROM (%s) TO (%s)', id_week_first(week), id_week_first(week + 1)));
        made := true;
      END LOOP;
      RETURN made;
    END $$`)
  yield* sql.unsafe(`
    CREATE OR REPLACE FUNCTION run_weeks_add(parent regclass) RETURNS boolean LANGUAGE plpgsql ${pinned} AS $$
    DECLARE
      monday date := date_trunc('week', now() AT TIME ZONE 'UTC');
      week date;
      first bigint;
      astray boolean;
      made boolean := false;
    BEGIN
      FOR week IN SELECT monday UNION SELECT monday + 7 ORDER BY 1 LOOP
        CONTINUE WHEN EXISTS (SELECT FROM run_weeks_parts(parent) WHERE begins = week);
        IF NOT made AND NOT lock_parts(parent) THEN RETURN false; END IF;
        SELECT (greatest(pg_sequence_last_value(${RUN_IDS}), max(beyond) - 1, 0) / ${STRIDE} + 1) * ${STRIDE} INTO first
        FROM id_weeks_parts(parent);
        -- Rows of an organization that came from another cell lie in the default partition, wherever their ids are.
        LOOP
          EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE run_id >= $1 AND run_id < $1 + ${STRIDE})', id_weeks_default(parent))
            INTO astray USING first;
          EXIT WHEN NOT astray;
          first := first + ${STRIDE};
        END LOOP;
        PERFORM id_weeks_make(parent, format('%s_%s', parent, to_char(week, 'YYYY_MM_DD')),
          format('FOR VALUES FROM (%s) TO (%s)', first, first + ${STRIDE}));
        made := true;
      END LOOP;
      RETURN made;
    END $$`)
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
      -- A part that holds something younger, or a delivery that waits, stays as it is.
      FOR old IN SELECT * FROM id_weeks_parts('webhook_deliveries') WHERE beyond <= id_week_first(id_week(kept)) ORDER BY beyond LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE created_on > $1)', old.part) INTO needed USING kept;
        CONTINUE WHEN needed OR EXISTS (
          SELECT FROM webhook_queue WHERE event_id >= coalesce(old.lowest, 0) AND event_id < old.beyond);
        IF NOT lock_parts('webhook_deliveries', old.part) THEN RETURN NULL; END IF;
        IF EXISTS (SELECT FROM webhook_queue WHERE event_id >= coalesce(old.lowest, 0) AND event_id < old.beyond) THEN RETURN NULL; END IF;
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
    CREATE OR REPLACE FUNCTION run_log_keep() RETURNS text LANGUAGE plpgsql SECURITY DEFINER ${pinned} AS $$
    DECLARE
      monday date := date_trunc('week', now() AT TIME ZONE 'UTC');
      given bigint := coalesce(pg_sequence_last_value(${RUN_IDS}), 0);
      parent regclass;
      old record;
      first bigint;
    BEGIN
      IF NOT pg_try_advisory_xact_lock('run_logs'::regclass::oid::bigint) THEN RETURN NULL; END IF;
      FOREACH parent IN ARRAY ${RUN_LOGS} LOOP
        -- Until then it waits to be begun beside the service.
        IF NOT EXISTS (SELECT FROM id_weeks_parts(parent)) THEN RETURN NULL; END IF;
        IF run_weeks_add(parent) THEN RETURN 'made'; END IF;
      END LOOP;
      SELECT max(lowest) INTO first FROM unnest(${RUN_LOGS}) AS b CROSS JOIN LATERAL run_weeks_parts(b)
        WHERE begins = monday HAVING count(*) = 2;
      IF given < first THEN
        -- Nobody may plan for a part that was found empty: whatever is read of it then is read as a whole.
        IF current_setting('server_version_num')::integer >= 180000 THEN
          PERFORM pg_clear_relation_stats(relnamespace::regnamespace::name::text, relname::text)
            FROM unnest(${RUN_LOGS}) AS b CROSS JOIN LATERAL run_weeks_parts(b) p JOIN pg_class ON oid = p.part WHERE p.begins = monday;
        END IF;
        PERFORM setval(${RUN_IDS}, first);
        RETURN 'jumped';
      END IF;
      FOREACH parent IN ARRAY ${RUN_LOGS} LOOP
        IF EXISTS (SELECT FROM pg_stat_user_tables WHERE relid = parent
            AND coalesce(last_analyze < now() - interval '1 day', true)) THEN
          EXECUTE format('ANALYZE %s %s',
            CASE WHEN current_setting('server_version_num')::integer >= 180000 THEN 'ONLY' END, parent);
          RETURN 'analyzed';
        END IF;
      END LOOP;
      -- A day after its end nobody holds an id whose run is still to come.
      FOREACH parent IN ARRAY ${RUN_LOGS} LOOP
        FOR old IN SELECT * FROM run_weeks_parts(parent) ORDER BY beyond LOOP
          CONTINUE WHEN old.beyond > given OR coalesce(old.ends >= now() - interval '1 day', true)
            OR EXISTS (SELECT FROM runs WHERE run_id >= coalesce(old.lowest, 0) AND run_id < old.beyond);
          IF NOT lock_parts(parent, old.part) THEN RETURN NULL; END IF;
          IF EXISTS (SELECT FROM runs WHERE run_id >= coalesce(old.lowest, 0) AND run_id < old.beyond) THEN RETURN NULL; END IF;
          RETURN CASE WHEN drop_part(old.part) THEN 'dropped' END;
        END LOOP;
      END LOOP;
      RETURN NULL;
    END $$`)
})

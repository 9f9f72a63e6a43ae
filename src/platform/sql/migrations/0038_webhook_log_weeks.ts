// The log of webhooks by weeks (decisions W8; ./0037_id_weeks.ts): deliveries and attempts by the id of their event, by which they
// are found. A week goes as a whole once all of it has had its time; the service's role makes and drops none by itself.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const KEYS = { webhook_deliveries: "hook_id, event_id", webhook_attempts: "hook_id, event_id, attempt" } as const
const AGES = { webhook_deliveries: "created_on", webhook_attempts: "attempted_on" } as const
/** What is read within a second becomes the part before the first week at once; the rest: `migrate --later` (laterList.ts). */
const SMALL = "67108864"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  const pinned = `SET search_path = ${schema}, pg_temp`

  // Where an earlier migration of the same upgrade holds the deliveries, results that hold attempts wait for this one: it waits for
  // longer than Postgres takes to find that out and to end them, and they are tried again.
  yield* sql`
    DO $$
    BEGIN
      IF EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'webhook_deliveries'::regclass
          AND mode = 'AccessExclusiveLock' AND granted) THEN
        PERFORM set_config('lock_timeout', '5s', true);
        LOCK TABLE webhook_attempts IN ACCESS EXCLUSIVE MODE;
        PERFORM set_config('lock_timeout', '0', true);
      ELSIF NOT lock_shortly('webhook_deliveries, webhook_attempts', 60) THEN
        RAISE EXCEPTION 'others hold webhook_deliveries or webhook_attempts for too long' USING ERRCODE = 'lock_not_available';
      END IF;
    END $$`
  for (const table of ["webhook_deliveries", "webhook_attempts"] as const) {
    const former = `${table}_before`
    yield* sql.unsafe(`ALTER TABLE ${table} RENAME TO ${former}`)
    yield* sql.unsafe(`ALTER INDEX ${table}_pkey RENAME TO ${former}_pkey`)
    yield* sql.unsafe(`ALTER INDEX ${table}_age RENAME TO ${former}_age`)
    yield* sql.unsafe(`
      CREATE TABLE ${table} (LIKE ${former} INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (event_id)`)
    yield* sql.unsafe(`ALTER TABLE ${table} ADD PRIMARY KEY (${KEYS[table]})`)
    yield* sql.unsafe(`CREATE INDEX ${table}_age ON ${table} USING brin (${AGES[table]})`)
    // Processes of the release before work on while this one migrates: whoever had rights has them.
    yield* sql.unsafe(`
      DO $$
      DECLARE had record;
      BEGIN
        FOR had IN SELECT grantee::regrole AS role, string_agg(privilege_type, ', ') AS rights
          FROM pg_class CROSS JOIN LATERAL aclexplode(relacl)
          WHERE oid = '${former}'::regclass AND grantee <> 0 AND grantee <> relowner GROUP BY grantee
        LOOP
          EXECUTE format('GRANT %s ON ${table} TO %s', had.rights, had.role);
        END LOOP;
      END $$`)
    yield* sql.unsafe(`ALTER TABLE ${table} ATTACH PARTITION ${former} DEFAULT`)
    yield* sql.unsafe(`
      DO $$ BEGIN
        IF pg_relation_size('${former}') <= ${SMALL} THEN PERFORM id_weeks_begin('${table}', 'outbox_event_id_seq'); END IF;
      END $$`)
  }

  // One step, each a transaction of its own that holds one table for an instant: partitions of this week and the next, the jump of the
  // ids once they are there for good, statistics of a day, a week that has had its time. Null: nothing is left, or others are at it.
  yield* sql.unsafe(`
    CREATE FUNCTION webhook_log_keep(days integer) RETURNS text LANGUAGE plpgsql SECURITY DEFINER ${pinned} AS $$
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
        IF NOT lock_shortly('ONLY webhook_deliveries', 5) THEN RETURN NULL; END IF;
        CONTINUE WHEN EXISTS (SELECT FROM webhook_queue WHERE event_id >= coalesce(old.lowest, 0) AND event_id < old.beyond);
        EXECUTE format('DROP TABLE %s', old.part);
        RETURN 'dropped';
      END LOOP;
      FOR old IN SELECT * FROM id_weeks_parts('webhook_attempts') a WHERE a.beyond <= id_week_first(id_week(kept)) AND NOT EXISTS (
          SELECT FROM id_weeks_parts('webhook_deliveries') d WHERE coalesce(d.lowest, 0) < a.beyond AND d.beyond > coalesce(a.lowest, 0)) ORDER BY a.beyond LOOP
        IF NOT lock_shortly('ONLY webhook_attempts', 5) THEN RETURN NULL; END IF;
        EXECUTE format('DROP TABLE %s', old.part);
        RETURN 'dropped';
      END LOOP;
      RETURN NULL;
    END $$`)

  // What is in no week goes row by row: all of a large table before `migrate --later`, otherwise nothing.
  yield* sql.unsafe(`
    CREATE FUNCTION webhook_log_astray(days integer, most integer, OUT deliveries integer, OUT attempts integer)
    LANGUAGE plpgsql SECURITY DEFINER ${pinned} AS $$
    DECLARE kept timestamptz := now() - make_interval(days => greatest(days, 1));
    BEGIN
      EXECUTE format('DELETE FROM %1$s WHERE (hook_id, event_id) IN (
        SELECT d.hook_id, d.event_id FROM %1$s d WHERE d.created_on <= $1 AND NOT EXISTS (
          SELECT FROM webhook_queue q WHERE q.hook_id = d.hook_id AND q.event_id = d.event_id) LIMIT $2)',
        id_weeks_default('webhook_deliveries')) USING kept, most;
      GET DIAGNOSTICS deliveries = ROW_COUNT;
      EXECUTE format('DELETE FROM %1$s WHERE (hook_id, event_id, attempt) IN (
        SELECT hook_id, event_id, attempt FROM %1$s WHERE attempted_on <= $1 LIMIT $2)',
        id_weeks_default('webhook_attempts')) USING kept, most;
      GET DIAGNOSTICS attempts = ROW_COUNT;
    END $$`)
})

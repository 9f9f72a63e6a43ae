// The logs and ledgers of runs by weeks (developer-api.md 7.11; ./0037_id_weeks.ts): by the id of their run, by which they are found. Ids go on
// at the next whole billion each week, not at one that names the week, since the ids of a cell begin where its number says (docs/scaling.md).
// A part goes as a whole once none of its runs is left.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const KEYS = { run_logs: "run_id, seq", run_ledger: "run_id, path, iteration" } as const
/** What is read within a second becomes the part before the first week at once; the rest: `migrate --later` (laterList.ts). */
const SMALL = "67108864"
/** Ids of a week; one that needs more goes on in those of the next. */
const STRIDE = "1000000000"
const LOGS = "ARRAY['run_logs', 'run_ledger']::regclass[]"
const IDS = "'runs_run_id_seq'"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  const pinned = `SET search_path = ${schema}, pg_temp`

  // When a part begins, by its name; null for what was there before the first week, which is over with that one.
  yield* sql.unsafe(`
    CREATE FUNCTION run_weeks_parts(parent regclass)
    RETURNS TABLE (part regclass, lowest bigint, beyond bigint, begins date, ends date) STABLE LANGUAGE sql ${pinned} AS $$
      SELECT part, lowest, beyond, begins, coalesce(begins, min(begins) OVER ()) + 7
      FROM (SELECT *, to_date(substring(part::text FROM '[0-9]{4}_[0-9]{2}_[0-9]{2}$'), 'YYYY_MM_DD') AS begins
        FROM id_weeks_parts(parent)) AS p
    $$`)

  // What is missing of this week and the next. True: one was made.
  yield* sql.unsafe(`
    CREATE FUNCTION run_weeks_add(parent regclass) RETURNS boolean LANGUAGE plpgsql ${pinned} AS $$
    DECLARE
      monday date := date_trunc('week', now() AT TIME ZONE 'UTC');
      week date;
      first bigint;
      astray boolean;
      made boolean := false;
    BEGIN
      FOR week IN SELECT monday UNION SELECT monday + 7 ORDER BY 1 LOOP
        CONTINUE WHEN EXISTS (SELECT FROM run_weeks_parts(parent) WHERE begins = week);
        IF NOT made AND NOT lock_shortly(format('ONLY %s', parent), 5) THEN RETURN false; END IF;
        SELECT (greatest(pg_sequence_last_value(${IDS}), max(beyond) - 1, 0) / ${STRIDE} + 1) * ${STRIDE} INTO first
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

  // As id_weeks_bound and id_weeks_begin; half of the billion is left for ids that are being drawn.
  yield* sql.unsafe(`
    CREATE FUNCTION run_weeks_bound(parent regclass, ids regclass) RETURNS text LANGUAGE plpgsql ${pinned} AS $$
    DECLARE
      former regclass := id_weeks_default(parent);
      beyond bigint := ((coalesce(pg_sequence_last_value(ids), 0) + ${STRIDE} / 2) / ${STRIDE} + 1) * ${STRIDE};
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = former AND conname = 'id_weeks_bound') THEN
        IF NOT lock_shortly(former::text, 60) THEN RAISE EXCEPTION 'others hold % for too long', former; END IF;
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT id_weeks_bound CHECK (run_id < %s) NOT VALID', former, beyond);
      END IF;
      RETURN former;
    END $$`)
  yield* sql.unsafe(`
    CREATE FUNCTION run_weeks_begin(parent regclass, ids regclass) RETURNS void LANGUAGE plpgsql ${pinned} AS $$
    DECLARE
      former regclass := id_weeks_default(parent);
      beyond bigint;
    BEGIN
      IF NOT lock_shortly(parent::text, 60) THEN RAISE EXCEPTION 'others hold % for too long', parent; END IF;
      PERFORM run_weeks_bound(parent, ids);
      SELECT substring(pg_get_constraintdef(oid) FROM '[0-9]+')::bigint INTO beyond
      FROM pg_constraint WHERE conrelid = former AND conname = 'id_weeks_bound';
      EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, former);
      EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%s)', parent, former, beyond);
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT id_weeks_bound', former);
      PERFORM id_weeks_make(parent, parent || '_default', 'DEFAULT');
      PERFORM run_weeks_add(parent);
    END $$`)

  // Where an earlier migration of the same upgrade holds the logs, commits of steps that hold the ledger wait for this one: it waits for
  // longer than Postgres takes to find that out and to end them, and they are tried again.
  yield* sql`
    DO $$
    BEGIN
      IF EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'run_logs'::regclass
          AND mode = 'AccessExclusiveLock' AND granted) THEN
        PERFORM set_config('lock_timeout', '5s', true);
        LOCK TABLE run_ledger IN ACCESS EXCLUSIVE MODE;
        PERFORM set_config('lock_timeout', '0', true);
      ELSIF NOT lock_shortly('run_ledger, run_logs', 60) THEN
        RAISE EXCEPTION 'others hold run_ledger or run_logs for too long' USING ERRCODE = 'lock_not_available';
      END IF;
    END $$`
  for (const table of ["run_logs", "run_ledger"] as const) {
    const former = `${table}_before`
    yield* sql.unsafe(`ALTER TABLE ${table} RENAME TO ${former}`)
    yield* sql.unsafe(`ALTER INDEX ${table}_pkey RENAME TO ${former}_pkey`)
    yield* sql.unsafe(`
      CREATE TABLE ${table} (LIKE ${former} INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (run_id)`)
    yield* sql.unsafe(`ALTER TABLE ${table} ADD PRIMARY KEY (${KEYS[table]})`)
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
        IF pg_relation_size('${former}') <= ${SMALL} THEN PERFORM run_weeks_begin('${table}', ${IDS}); END IF;
      END $$`)
  }

  // One step, each a transaction of its own that holds one table for an instant: parts of this week and the next, the jump of the ids once
  // they are there for good, statistics of a day, a part of which no run is left. Null: nothing is left, or others are at it.
  yield* sql.unsafe(`
    CREATE FUNCTION run_log_keep() RETURNS text LANGUAGE plpgsql SECURITY DEFINER ${pinned} AS $$
    DECLARE
      monday date := date_trunc('week', now() AT TIME ZONE 'UTC');
      given bigint := coalesce(pg_sequence_last_value(${IDS}), 0);
      parent regclass;
      old record;
      first bigint;
      needed boolean;
    BEGIN
      IF NOT pg_try_advisory_xact_lock('run_logs'::regclass::oid::bigint) THEN RETURN NULL; END IF;
      FOREACH parent IN ARRAY ${LOGS} LOOP
        -- Until then it waits to be begun beside the service.
        IF NOT EXISTS (SELECT FROM id_weeks_parts(parent)) THEN RETURN NULL; END IF;
        IF run_weeks_add(parent) THEN RETURN 'made'; END IF;
      END LOOP;
      SELECT max(lowest) INTO first FROM unnest(${LOGS}) AS b CROSS JOIN LATERAL run_weeks_parts(b)
        WHERE begins = monday HAVING count(*) = 2;
      IF given < first THEN
        -- Nobody may plan for a part that was found empty: whatever is read of it then is read as a whole.
        IF current_setting('server_version_num')::integer >= 180000 THEN
          PERFORM pg_clear_relation_stats(relnamespace::regnamespace::name::text, relname::text)
            FROM unnest(${LOGS}) AS b CROSS JOIN LATERAL run_weeks_parts(b) p JOIN pg_class ON oid = p.part WHERE p.begins = monday;
        END IF;
        PERFORM setval(${IDS}, first);
        RETURN 'jumped';
      END IF;
      FOREACH parent IN ARRAY ${LOGS} LOOP
        IF EXISTS (SELECT FROM pg_stat_user_tables WHERE relid = parent
            AND coalesce(last_analyze < now() - interval '1 day', true)) THEN
          EXECUTE format('ANALYZE %s %s',
            CASE WHEN current_setting('server_version_num')::integer >= 180000 THEN 'ONLY' END, parent);
          RETURN 'analyzed';
        END IF;
      END LOOP;
      -- A day after its end nobody holds an id whose run is still to come.
      FOREACH parent IN ARRAY ${LOGS} LOOP
        FOR old IN SELECT * FROM run_weeks_parts(parent) ORDER BY beyond LOOP
          CONTINUE WHEN old.beyond > given OR coalesce(old.ends >= now() - interval '1 day', true)
            OR EXISTS (SELECT FROM runs WHERE run_id >= coalesce(old.lowest, 0) AND run_id < old.beyond);
          IF NOT lock_shortly(format('ONLY %s', parent), 5) THEN RETURN NULL; END IF;
          CONTINUE WHEN EXISTS (SELECT FROM runs WHERE run_id >= coalesce(old.lowest, 0) AND run_id < old.beyond);
          EXECUTE format('DROP TABLE %s', old.part);
          RETURN 'dropped';
        END LOOP;
      END LOOP;
      RETURN NULL;
    END $$`)

  // What a run leaves behind of which others of its week are kept: a part that ended so many days ago is held by few of its runs, and what
  // is of none of them goes by the run, so many runs of each table at most.
  yield* sql.unsafe(`
    CREATE FUNCTION run_log_astray(days integer, most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER ${pinned} AS $$
    DECLARE
      parent regclass;
      old record;
      gone bigint[];
      total integer := 0;
    BEGIN
      FOREACH parent IN ARRAY ${LOGS} LOOP
        FOR old IN SELECT part FROM run_weeks_parts(parent) WHERE ends <= now() - make_interval(days => greatest(days, 1)) LOOP
          EXECUTE format('SELECT array_agg(run_id) FROM (SELECT DISTINCT run_id FROM %s l
            WHERE NOT EXISTS (SELECT FROM runs r WHERE r.run_id = l.run_id) LIMIT $1) AS g', old.part) INTO gone USING most;
          EXECUTE format('DELETE FROM %s WHERE run_id = ANY($1)', old.part) USING gone;
          total := greatest(total, coalesce(cardinality(gone), 0));
        END LOOP;
      END LOOP;
      RETURN total;
    END $$`)

  // Of runs that are gone: what lies in no week goes at once, that of before the first week and that for which there was none.
  yield* sql.unsafe(`
    CREATE FUNCTION run_log_forget(gone bigint[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${pinned} AS $$
    DECLARE old regclass;
    BEGIN
      FOR old IN SELECT id_weeks_default(b) FROM unnest(${LOGS}) AS b
        UNION ALL SELECT part FROM unnest(${LOGS}) AS b CROSS JOIN LATERAL id_weeks_parts(b) WHERE lowest IS NULL
      LOOP
        EXECUTE format('DELETE FROM %s l WHERE run_id = ANY($1) AND NOT EXISTS (SELECT FROM runs r WHERE r.run_id = l.run_id)', old)
          USING gone;
      END LOOP;
    END $$`)

  const inner = ["run_weeks_parts(regclass)", "run_weeks_add(regclass)", "run_weeks_bound(regclass, regclass)"]
  for (const each of [...inner, "run_weeks_begin(regclass, regclass)"])
    yield* sql.unsafe(`REVOKE ALL ON FUNCTION ${each} FROM PUBLIC`)
})

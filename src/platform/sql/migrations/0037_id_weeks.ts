// Logs by weeks (docs/architecture/database.md, "Logs by weeks"): a table is partitioned by ranges of ids, and the sequence of the ids jumps at
// the beginning of each week, so that an id says its week: week 2966 begins with id 29,660,000,000,000. What all such tables
// share is here; nobody but the schema's owner may call it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Of each week. */
const IDS = "10000000000"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  const pinned = `SET search_path = ${schema}, pg_temp`

  // Weeks begin on Mondays, UTC; week 0 on January 5th, 1970.
  yield* sql.unsafe(`
    CREATE FUNCTION id_week(at timestamptz) RETURNS bigint IMMUTABLE LANGUAGE sql ${pinned}
    AS $$ SELECT floor((extract(epoch FROM at) - 345600) / 604800)::bigint $$`)
  yield* sql.unsafe(`
    CREATE FUNCTION id_week_first(week bigint) RETURNS bigint IMMUTABLE LANGUAGE sql ${pinned}
    AS $$ SELECT week * ${IDS} $$`)

  // Gives up rather than that others wait behind it: false where somebody holds the tables for too long. With many tries the last ones
  // wait for longer, to end an automatic vacuum, which gives way after a second.
  yield* sql.unsafe(`
    CREATE FUNCTION lock_shortly(tables text, tries integer) RETURNS boolean LANGUAGE plpgsql ${pinned} SET lock_timeout = '200ms' AS $$
    BEGIN
      FOR attempt IN 1..tries LOOP
        BEGIN
          IF attempt > 50 THEN PERFORM set_config('lock_timeout', '1500ms', true); END IF;
          EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', tables);
          RETURN true;
        EXCEPTION WHEN lock_not_available THEN
          PERFORM pg_sleep(0.5 * random());
        END;
      END LOOP;
      RETURN false;
    END $$`)

  // `lowest` is null for what was there before the first week.
  yield* sql.unsafe(`
    CREATE FUNCTION id_weeks_parts(parent regclass) RETURNS TABLE (part regclass, lowest bigint, beyond bigint)
    STABLE LANGUAGE sql ${pinned} AS $$
      SELECT c.oid::regclass, substring(bound FROM 'FROM \\(''?([0-9]+)')::bigint, substring(bound FROM 'TO \\(''?([0-9]+)')::bigint
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid CROSS JOIN LATERAL pg_get_expr(c.relpartbound, c.oid) AS bound
      WHERE i.inhparent = parent AND bound <> 'DEFAULT'
    $$`)
  yield* sql.unsafe(`
    CREATE FUNCTION id_weeks_default(parent regclass) RETURNS regclass STABLE LANGUAGE sql ${pinned}
    AS $$ SELECT partdefid::regclass FROM pg_partitioned_table WHERE partrelid = parent AND partdefid <> 0 $$`)

  // Parts have no settings but those of the others: a partitioned table has none.
  yield* sql.unsafe(`
    CREATE FUNCTION id_weeks_make(parent regclass, part text, bound text) RETURNS void LANGUAGE plpgsql ${pinned} AS $$
    DECLARE settings text;
    BEGIN
      SELECT format('WITH (%s)', array_to_string(reloptions, ', ')) INTO settings
      FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = parent AND reloptions IS NOT NULL LIMIT 1;
      EXECUTE format('CREATE TABLE %I PARTITION OF %s %s %s', part, parent, bound, coalesce(settings, ''));
    END $$`)

  // What is missing of a week and the one after it; one that has begun in the default partition stays there. True: one was made.
  yield* sql.unsafe(`
    CREATE FUNCTION id_weeks_add(parent regclass, first_week bigint) RETURNS boolean LANGUAGE plpgsql ${pinned} SET timezone = 'UTC' AS $$
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
        IF NOT made AND NOT lock_shortly(format('ONLY %s', parent), 5) THEN RETURN false; END IF;
        PERFORM id_weeks_make(parent, format('%s_%s', parent, to_char(to_timestamp(week * 604800 + 345600), 'YYYY_MM_DD')),
          format('FOR VALUES FROM (%s) TO (%s)', id_week_first(week), id_week_first(week + 1)));
        made := true;
      END LOOP;
      RETURN made;
    END $$`)

  // A table that is large has all its rows in the default partition at first. Its ids get a bound, which is then validated beside the
  // service (`migrate --later`), so that the table can become the part before the first week without being read under a lock.
  yield* sql.unsafe(`
    CREATE FUNCTION id_weeks_bound(parent regclass, ids regclass) RETURNS text LANGUAGE plpgsql ${pinned} AS $$
    DECLARE
      former regclass := id_weeks_default(parent);
      beyond bigint := id_week_first(greatest(id_week(now()), coalesce(pg_sequence_last_value(ids), 0) / ${IDS} + 1));
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = former AND conname = 'id_weeks_bound') THEN
        IF NOT lock_shortly(former::text, 60) THEN RAISE EXCEPTION 'others hold % for too long', former; END IF;
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT id_weeks_bound CHECK (event_id < %s) NOT VALID', former, beyond);
      END IF;
      RETURN former;
    END $$`)
  yield* sql.unsafe(`
    CREATE FUNCTION id_weeks_begin(parent regclass, ids regclass) RETURNS void LANGUAGE plpgsql ${pinned} AS $$
    DECLARE
      former regclass := id_weeks_default(parent);
      beyond bigint;
    BEGIN
      IF NOT lock_shortly(parent::text, 60) THEN RAISE EXCEPTION 'others hold % for too long', parent; END IF;
      PERFORM id_weeks_bound(parent, ids);
      SELECT substring(pg_get_constraintdef(oid) FROM '[0-9]+')::bigint INTO beyond
      FROM pg_constraint WHERE conrelid = former AND conname = 'id_weeks_bound';
      EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, former);
      EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%s)', parent, former, beyond);
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT id_weeks_bound', former);
      PERFORM id_weeks_make(parent, parent || '_default', 'DEFAULT');
      PERFORM id_weeks_add(parent, greatest(id_week(now()), beyond / ${IDS}));
    END $$`)

  const inner = [
    ...["id_week(timestamptz)", "id_week_first(bigint)", "lock_shortly(text, integer)", "id_weeks_parts(regclass)"],
    ...["id_weeks_default(regclass)", "id_weeks_make(regclass, text, text)", "id_weeks_add(regclass, bigint)"],
    ...["id_weeks_bound(regclass, regclass)", "id_weeks_begin(regclass, regclass)"]
  ]
  for (const each of inner) yield* sql.unsafe(`REVOKE ALL ON FUNCTION ${each} FROM PUBLIC`)
})

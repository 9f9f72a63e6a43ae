// The audit log by month, with refusals counted in one row a minute (decisions O23), and since when a password holds (O22).
// The log stays append-only: nothing but the count of a counted row changes, and what lapses goes month by month, through a
// function of the schema's owner that takes no names and keeps three months whatever it is asked.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const columns =
  "audit_id, happened_on, event, reason_id, org_id, person_id, user_id, client_id, connection_id, source_address, details"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  const pinned = `SET search_path = ${schema}, pg_temp`

  yield* sql`ALTER TABLE people ADD COLUMN password_set_on timestamptz`

  yield* sql`ALTER TABLE audit_log RENAME TO audit_log_former`
  yield* sql`ALTER INDEX audit_log_pkey RENAME TO audit_log_former_pkey`
  yield* sql`ALTER INDEX audit_log_org RENAME TO audit_log_former_org`
  yield* sql`ALTER SEQUENCE audit_log_audit_id_seq RENAME TO audit_log_former_audit_id_seq`
  // `count` is null for an entry of its own; a counted row stands at the beginning of its minute.
  yield* sql`
    CREATE TABLE audit_log (
      audit_id bigint GENERATED ALWAYS AS IDENTITY,
      happened_on timestamptz NOT NULL,
      event text NOT NULL,
      reason_id text,
      org_id bigint,
      person_id bigint,
      user_id bigint,
      client_id text,
      connection_id bigint,
      source_address text,
      details jsonb NOT NULL DEFAULT '{}',
      count integer CHECK (count > 0),
      PRIMARY KEY (audit_id, happened_on)
    ) PARTITION BY RANGE (happened_on)`
  yield* sql`CREATE INDEX audit_log_org ON audit_log (org_id, audit_id)`
  yield* sql`
    CREATE UNIQUE INDEX audit_log_counted
    ON audit_log (happened_on, event, reason_id, source_address, client_id, org_id, person_id, user_id)
    NULLS NOT DISTINCT WHERE count IS NOT NULL`

  yield* sql.unsafe(`
    CREATE OR REPLACE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql ${pinned} AS $$
    DECLARE grown record;
    BEGIN
      IF TG_OP = 'UPDATE' AND TG_LEVEL = 'ROW' THEN
        grown := OLD;
        grown.count := NEW.count;
        IF NEW.count > OLD.count AND grown IS NOT DISTINCT FROM NEW THEN RETURN NEW; END IF;
      END IF;
      RAISE EXCEPTION 'audit_log is append-only';
    END $$`)
  yield* sql`
    CREATE TRIGGER audit_log_append_only BEFORE DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only()`
  yield* sql`
    CREATE TRIGGER audit_log_rows_append_only BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_append_only()`

  // Triggers for each row are inherited by partitions, those against TRUNCATE are not.
  yield* sql.unsafe(`
    CREATE FUNCTION audit_log_guard(part regclass) RETURNS void LANGUAGE plpgsql ${pinned} AS $$
    BEGIN
      EXECUTE format('CREATE TRIGGER audit_log_append_only BEFORE TRUNCATE ON %s
        FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only()', part);
    END $$`)
  yield* sql.unsafe(`
    CREATE FUNCTION audit_log_add_default() RETURNS void LANGUAGE plpgsql ${pinned} AS $$
    BEGIN
      CREATE TABLE audit_log_default PARTITION OF audit_log DEFAULT;
      PERFORM audit_log_guard('audit_log_default');
    END $$`)
  yield* sql.unsafe(`
    CREATE FUNCTION audit_log_add_month(month date) RETURNS void LANGUAGE plpgsql ${pinned} AS $$
    DECLARE part text := to_char(month, '"audit_log_"YYYY_MM');
    BEGIN
      IF to_regclass(part) IS NOT NULL THEN RETURN; END IF;
      EXECUTE format('CREATE TABLE %I PARTITION OF audit_log FOR VALUES FROM (%L) TO (%L)', part,
        month::timestamp AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
      PERFORM audit_log_guard(part::regclass);
    END $$`)
  // Nobody waits for long behind the locks that this takes: it gives up, and is run again within the hour.
  yield* sql.unsafe(`
    CREATE FUNCTION audit_log_keep(months integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER ${pinned}
    SET lock_timeout = '5s' SET timezone = 'UTC' AS $$
    DECLARE
      this_month date := date_trunc('month', now());
      oldest date := this_month - make_interval(months => greatest(months, 3));
      ahead date := this_month + interval '3 months';
      astray boolean;
      month date;
      part regclass;
      dropped integer := 0;
    BEGIN
      PERFORM pg_advisory_xact_lock('audit_log'::regclass::oid::bigint);
      astray := EXISTS (SELECT FROM audit_log_default WHERE happened_on < ahead + interval '1 month');
      IF astray THEN
        LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE;
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
        INSERT INTO audit_log (${columns}, count) OVERRIDING SYSTEM VALUE
        SELECT ${columns}, count FROM audit_log_astray WHERE happened_on >= oldest;
        DROP TABLE audit_log_astray;
      END IF;
      FOR part IN
        SELECT c.oid::regclass FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'audit_log'::regclass AND c.relname ~ '^audit_log_[0-9]{4}_[0-9]{2}$'
          AND to_date(right(c.relname, 7), 'YYYY_MM') < oldest
      LOOP
        EXECUTE format('DROP TABLE %s', part);
        dropped := dropped + 1;
      END LOOP;
      RETURN dropped;
    END $$`)
  for (const inner of ["guard(regclass)", "add_default()", "add_month(date)"])
    yield* sql.unsafe(`REVOKE ALL ON FUNCTION audit_log_${inner} FROM PUBLIC`)

  // What is there already finds its month; with the partitions ahead comes what `audit_log_keep` would make.
  yield* sql`SELECT audit_log_add_default()`
  yield* sql`
    SELECT audit_log_add_month(month) FROM (
      SELECT date_trunc('month', happened_on AT TIME ZONE 'UTC')::date AS month FROM audit_log_former
      UNION SELECT generate_series(m, m + interval '3 months', interval '1 month')::date
      FROM (SELECT date_trunc('month', now() AT TIME ZONE 'UTC') AS m) present) months`
  yield* sql.unsafe(
    `INSERT INTO audit_log (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM audit_log_former ORDER BY audit_id`
  )
  yield* sql`
    SELECT setval(pg_get_serial_sequence('audit_log', 'audit_id'), last_value, is_called)
    FROM audit_log_former_audit_id_seq`
  yield* sql`DROP TABLE audit_log_former`
})

// What has just changed, for who listens (decisions, "Events"): a few minutes of rows without data, written by triggers in the transaction of
// the change, and only for organizations that somebody listens to. Where nobody does, no trigger runs: its condition looks at a sequence.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const LISTENED = `pg_sequence_last_value('change_gate') > date_part('epoch', clock_timestamp())`
const listeners = (org: string) => `change_listeners l WHERE l.org_id = ${org} AND l.until > clock_timestamp()`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`

  // Its last value: the second until which somebody listens. Read without a look at a table.
  yield* sql`CREATE SEQUENCE change_gate MINVALUE 0`
  // `since`: whoever has seen that transaction, and all before it, has had every row of the organization that came later.
  yield* sql`
    CREATE UNLOGGED TABLE change_listeners (
      org_id bigint PRIMARY KEY,
      since xid8 NOT NULL,
      until timestamptz NOT NULL
    )`
  yield* sql`
    CREATE UNLOGGED TABLE changes (
      change_id bigint GENERATED ALWAYS AS IDENTITY,
      made_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
      made_on timestamptz NOT NULL DEFAULT clock_timestamp(),
      org_id bigint NOT NULL,
      app_id bigint NOT NULL,
      kind text NOT NULL,
      detail jsonb NOT NULL
    )`
  yield* sql`CREATE INDEX changes_made_in ON changes (made_in)`

  // The service's role may not set a sequence: this does no more than it says, for ten minutes at most.
  yield* sql.unsafe(`
    CREATE FUNCTION change_listen(org bigint, lasting integer) RETURNS xid8
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
    DECLARE
      seconds integer := least(greatest(lasting, 1), 600);
      began xid8;
    BEGIN
      INSERT INTO change_listeners AS l (org_id, since, until)
      VALUES (org, pg_current_xact_id(), clock_timestamp() + make_interval(secs => seconds))
      ON CONFLICT (org_id) DO UPDATE SET
        since = CASE WHEN l.until < clock_timestamp() OR l.since > pg_current_xact_id() THEN excluded.since ELSE l.since END,
        until = greatest(l.until, excluded.until)
      RETURNING l.since INTO began;
      PERFORM setval('change_gate', greatest(coalesce(pg_sequence_last_value('change_gate'), 0),
        ceil(date_part('epoch', clock_timestamp()))::bigint + seconds));
      RETURN began;
    END $$`)

  yield* sql.unsafe(`
    CREATE FUNCTION change_of_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (NEW.record_id IS NOT NULL OR NEW.type = 'app.update') AND NEW.type NOT LIKE 'command.%' THEN
        INSERT INTO changes (org_id, app_id, kind, detail)
        SELECT NEW.org_id, NEW.app_id, CASE WHEN NEW.record_id IS NULL THEN 'app' ELSE 'record' END,
          jsonb_strip_nulls(jsonb_build_object('type', NEW.type, 'record_id', NEW.record_id, 'revision', NEW.payload->'revision',
            'comment_id', NEW.payload->'comment_id', 'reply_id', NEW.payload->'reply_id'))
        FROM ${listeners("NEW.org_id")} AND NEW.app_id IS NOT NULL;
      END IF;
      RETURN NULL;
    END $$`)
  yield* sql.unsafe(`
    CREATE FUNCTION change_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (TG_OP = 'INSERT' OR NEW.status <> OLD.status OR NEW.log_seq <> OLD.log_seq) THEN
        INSERT INTO changes (org_id, app_id, kind, detail)
        SELECT NEW.org_id, NEW.app_id, 'run', jsonb_build_object('run_id', NEW.run_id::text, 'automation_id', NEW.automation_id,
          'record_id', NEW.record_id, 'status', NEW.status, 'entries', NEW.log_seq)
        FROM ${listeners("NEW.org_id")};
      END IF;
      RETURN NULL;
    END $$`)
  yield* sql.unsafe(`
    CREATE FUNCTION change_of_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (TG_OP = 'INSERT' OR NEW.status <> OLD.status OR NEW.num_attempts <> OLD.num_attempts) THEN
        INSERT INTO changes (org_id, app_id, kind, detail)
        SELECT h.org_id, h.app_id, 'delivery', jsonb_build_object('hook_id', NEW.hook_id, 'event_id', NEW.event_id, 'type', NEW.type,
          'status', NEW.status, 'num_attempts', NEW.num_attempts)
        FROM hooks h CROSS JOIN ${listeners("h.org_id")} AND h.hook_id = NEW.hook_id;
      END IF;
      RETURN NULL;
    END $$`)

  // Processes of the release before write while this one migrates: whoever may write what is watched may write what is seen.
  yield* sql.unsafe(`
    DO $$
    DECLARE had record;
    BEGIN
      FOR had IN SELECT DISTINCT grantee::regrole AS role
        FROM pg_class CROSS JOIN LATERAL aclexplode(relacl)
        WHERE oid = 'outbox'::regclass AND grantee <> 0 AND grantee <> relowner
      LOOP
        EXECUTE format('GRANT SELECT ON SEQUENCE change_gate TO %s', had.role);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON change_listeners, changes TO %s', had.role);
      END LOOP;
    END $$`)
  // A condition of the trigger costs a third of what a look by its function does.
  const triggers = [
    ["outbox_changes AFTER INSERT ON outbox", "change_of_outbox"],
    ["runs_changes AFTER INSERT OR UPDATE OF status, log_seq ON runs", "change_of_run"],
    ["deliveries_changes AFTER INSERT OR UPDATE OF status, num_attempts ON webhook_deliveries", "change_of_delivery"]
  ]
  for (const [trigger, run] of triggers)
    yield* sql.unsafe(`CREATE TRIGGER ${trigger} FOR EACH ROW WHEN (${LISTENED}) EXECUTE FUNCTION ${run}()`)
})

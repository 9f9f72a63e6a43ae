// The deliveries of an event that an activation took as they were fanned out (docs/architecture/flow.md, "Bundles"): one row for all of them, under
// its fence. What is not over in time, or is looked at by anybody else, becomes rows of the queue and of the log, as all others are.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  const pinned = `SET search_path = ${schema}, pg_temp`

  // `rest`: the body behind the id of the hook, with which every body begins. `hooks`: those whose delivery is not over.
  yield* sql`
    CREATE TABLE webhook_bundles (
      event_id bigint PRIMARY KEY,
      app_id bigint NOT NULL,
      fence bigint NOT NULL,
      record_id bigint,
      type text NOT NULL,
      rest text NOT NULL,
      created_on timestamptz NOT NULL,
      due_at timestamptz NOT NULL,
      traceparent text,
      hooks bigint[] NOT NULL
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`CREATE INDEX webhook_bundles_app ON webhook_bundles (app_id, record_id)`
  // Processes of the release before work on while this one migrates, and take actors over: whoever has the queue has the bundles.
  yield* sql`
    DO $$
    DECLARE had record;
    BEGIN
      FOR had IN SELECT DISTINCT grantee::regrole AS role
        FROM pg_class CROSS JOIN LATERAL aclexplode(relacl)
        WHERE oid = 'webhook_queue'::regclass AND grantee <> 0 AND grantee <> relowner
      LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_bundles TO %s', had.role);
      END LOOP;
    END $$`

  // Takes bundles apart: each delivery that is not over is in the air under the fence of its bundle, or withheld where its hook has lost its
  // verification. Events that have no bundle are passed over.
  yield* sql.unsafe(`
    CREATE FUNCTION webhook_unbundle(events bigint[]) RETURNS void LANGUAGE sql ${pinned} AS $$
      WITH held AS (
        SELECT event_id FROM webhook_bundles WHERE event_id = ANY(events) ORDER BY event_id FOR UPDATE
      ), b AS (
        DELETE FROM webhook_bundles b USING held WHERE b.event_id = held.event_id RETURNING b.*
      ), one AS (
        SELECT b.*, h.hook_id, h.status = 'active' AS active FROM b CROSS JOIN unnest(b.hooks) AS u(hook_id) JOIN hooks h USING (hook_id)
      ), logged AS (
        INSERT INTO webhook_deliveries (hook_id, event_id, record_id, type, status, payload, created_on, traceparent, withheld_on)
        SELECT hook_id, event_id, record_id, type, CASE WHEN active THEN 'queued' ELSE 'withheld' END, '{"hook_id":' || hook_id || rest,
          created_on, traceparent, CASE WHEN NOT active THEN due_at END
        FROM one ON CONFLICT DO NOTHING
      )
      INSERT INTO webhook_queue (hook_id, event_id, app_id, record_id, ordered, blocked, due_at, fence, claims)
      SELECT hook_id, event_id, app_id, record_id, record_id IS NOT NULL, false, due_at, fence, 1 FROM one WHERE active
      ON CONFLICT DO NOTHING
    $$`)
  yield* sql.unsafe(`
    CREATE FUNCTION webhook_unbundle_hook(hook bigint) RETURNS void LANGUAGE sql ${pinned} AS $$
      SELECT webhook_unbundle(ARRAY(
        SELECT b.event_id FROM hooks h JOIN webhook_bundles b USING (app_id) WHERE h.hook_id = hook AND hook = ANY(b.hooks)))
    $$`)

  // Whoever activates the actor next, of this release or the one before, finds them in the queue.
  yield* sql.unsafe(`
    CREATE FUNCTION webhook_bundles_left() RETURNS trigger LANGUAGE plpgsql ${pinned} AS $$
    BEGIN
      PERFORM webhook_unbundle(ARRAY(SELECT event_id FROM webhook_bundles WHERE app_id = NEW.id::bigint));
      RETURN NULL;
    END $$`)
  yield* sql`
    DO $$ BEGIN
      IF NOT lock_shortly('actors', 60) THEN RAISE EXCEPTION 'others hold actors for too long' USING ERRCODE = 'lock_not_available'; END IF;
    END $$`
  yield* sql.unsafe(`
    CREATE TRIGGER webhook_bundles_left AFTER UPDATE OF fence ON actors FOR EACH ROW
    WHEN (NEW.kind = 'webhooks/app' AND NEW.fence <> OLD.fence) EXECUTE FUNCTION webhook_bundles_left()`)

  yield* sql.unsafe(`
    CREATE OR REPLACE FUNCTION webhook_part_waits(part regclass, lowest bigint, beyond bigint) RETURNS boolean LANGUAGE plpgsql ${pinned} AS $$
    DECLARE withheld boolean;
    BEGIN
      IF EXISTS (SELECT FROM webhook_queue q WHERE q.event_id >= coalesce(lowest, 0) AND q.event_id < beyond)
        OR EXISTS (SELECT FROM webhook_bundles b WHERE b.event_id >= coalesce(lowest, 0) AND b.event_id < beyond) THEN RETURN true; END IF;
      EXECUTE format('SELECT EXISTS (
        SELECT FROM hooks h JOIN %s d USING (hook_id) WHERE h.lost_on IS NOT NULL AND d.status = ''withheld'')', part) INTO withheld;
      RETURN withheld;
    END $$`)
})

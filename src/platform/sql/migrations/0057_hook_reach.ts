// Who a hook reads for (decisions W17): whoever made or last changed it, within the reach of the credential that did so, as a revision of
// an automation has it. What was there before belongs to its creator; where the audit log names the app that saved it last, it has the
// scopes of that app's connection, and is paused where this has ended.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  const pinned = `SET search_path = ${schema}, pg_temp`

  // Read before `hooks` is locked: the log may be long. The newest connection of the app for this person that was there by then;
  // one that is no longer in the database ended long ago.
  yield* sql`
    CREATE TEMPORARY TABLE hook_savers ON COMMIT DROP AS
    SELECT s.hook_id, s.user_id, s.client_id IS NOT NULL AS by_app, c.connection_id, c.scopes,
      CASE WHEN s.client_id IS NOT NULL AND c.connection_id IS NULL THEN now() ELSE c.ended_on END AS ended_on FROM (
      SELECT DISTINCT ON (details->>'hook_id') (details->>'hook_id')::bigint AS hook_id, org_id, user_id, client_id, happened_on
      FROM audit_log WHERE event IN ('hook.created', 'hook.changed', 'hook.settings_changed') AND details ? 'hook_id'
      ORDER BY details->>'hook_id', audit_id DESC) s
    LEFT JOIN LATERAL (
      SELECT connection_id, scopes, ended_on FROM connections c
      WHERE c.user_id = s.user_id AND c.client_id = s.client_id AND c.org_id = s.org_id AND c.approved_on <= s.happened_on
      ORDER BY c.approved_on DESC, c.connection_id DESC LIMIT 1) c ON true
    WHERE s.user_id IS NOT NULL`

  // `author_id` null: the creator. `reach` null: all that its author may do (src/domain/accounts/Authority.ts). `connection_id`: of the app
  // that saved it; `connection_ended_on`: it ended, and nobody has saved the hook since. `record_withheld_on`: since when bodies go without
  // the record, as admins have been told.
  yield* sql`
    ALTER TABLE hooks ADD COLUMN author_id bigint, ADD COLUMN reach jsonb,
      ADD COLUMN connection_id bigint REFERENCES connections ON DELETE SET NULL,
      ADD COLUMN connection_ended_on timestamptz, ADD COLUMN record_withheld_on timestamptz`
  yield* sql`CREATE INDEX hooks_connection ON hooks (connection_id)`
  // What else than failures and filters a notice is about.
  yield* sql`ALTER TABLE webhook_notices ADD COLUMN kind text`

  // In the transaction that ends the connection, whatever ends it.
  yield* sql.unsafe(`
    CREATE FUNCTION hooks_connection_ended(ended bigint, moment timestamptz) RETURNS integer VOLATILE LANGUAGE plpgsql ${pinned} AS $$
    DECLARE paused integer;
    BEGIN
      WITH locked AS MATERIALIZED (
        SELECT hook_id FROM hooks WHERE connection_id = ended AND connection_ended_on IS NULL ORDER BY hook_id FOR NO KEY UPDATE
      ), paused AS (
        UPDATE hooks h SET paused_on = coalesce(paused_on, moment), connection_ended_on = moment FROM locked l WHERE h.hook_id = l.hook_id
        RETURNING h.hook_id, h.app_id, h.org_id, h.host, h.type, h.num_failed_executions
      )
      INSERT INTO webhook_notices (hook_id, app_id, org_id, host, type, failures, allowed, reason, kind, created_on)
      SELECT hook_id, app_id, org_id, host, type, num_failed_executions, num_failed_executions,
        'The connection of the app that saved it last has ended.', 'connection_ended', moment FROM paused;
      GET DIAGNOSTICS paused = ROW_COUNT;
      RETURN paused;
    END $$`)
  yield* sql.unsafe(`
    CREATE FUNCTION connections_ended_hooks() RETURNS trigger LANGUAGE plpgsql ${pinned} AS $$
    BEGIN
      PERFORM hooks_connection_ended(NEW.connection_id, NEW.ended_on);
      RETURN NULL;
    END $$`)
  yield* sql`
    CREATE TRIGGER connections_ended_hooks AFTER UPDATE OF ended_on ON connections FOR EACH ROW
    WHEN (OLD.ended_on IS NULL AND NEW.ended_on IS NOT NULL) EXECUTE FUNCTION connections_ended_hooks()`

  yield* sql`
    UPDATE hooks h SET author_id = s.user_id, connection_id = s.connection_id,
      reach = CASE WHEN s.by_app THEN jsonb_build_object('scopes', to_jsonb(coalesce(s.scopes, '{}'))) END
    FROM hook_savers s WHERE s.hook_id = h.hook_id`
  yield* sql`
    WITH paused AS (
      UPDATE hooks h SET paused_on = coalesce(paused_on, s.ended_on), connection_ended_on = s.ended_on
      FROM hook_savers s WHERE s.hook_id = h.hook_id AND s.ended_on IS NOT NULL
      RETURNING h.hook_id, h.app_id, h.org_id, h.host, h.type, h.num_failed_executions
    )
    INSERT INTO webhook_notices (hook_id, app_id, org_id, host, type, failures, allowed, reason, kind, created_on)
    SELECT hook_id, app_id, org_id, host, type, num_failed_executions, num_failed_executions,
      'The connection of the app that saved it last has ended.', 'connection_ended', now() FROM paused`
})

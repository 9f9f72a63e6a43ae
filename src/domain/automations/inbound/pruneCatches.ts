// Releases files and large payloads of inbound webhooks (developer-api.md 7.9). They are kept while they are the last received ones, while
// an event has made no run yet, and as long as a run that refers to them exists: it may wait or be retried.
import { Clock, Effect } from "effect"
import { deleteInBatches } from "../../../platform/sql/deleteInBatches.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { CAUGHT } from "./Catches.ts"

/** Age below which a payload stays: an upload that is being stored has no event yet. */
const YOUNG_MILLIS = 3_600_000
const BATCH = 1_000

/** Run it before runs are pruned: a retry of a run that is pruned at this moment refers to its payload before this runs again. */
export const releasePayloads = Effect.gen(function* () {
  const sql = yield* Sql
  const youngSince = new Date((yield* Clock.currentTimeMillis) - YOUNG_MILLIS)
  const deletedPayloads = yield* deleteInBatches(
    BATCH,
    sql`
      DELETE FROM webhook_payloads WHERE payload_id IN (
        SELECT payload_id FROM webhook_payloads p
        WHERE kept_on < ${youngSince}
          AND NOT EXISTS (SELECT 1 FROM webhook_catches c JOIN automations a USING (automation_id)
            WHERE c.payload_id = p.payload_id AND a.deleted_on IS NULL)
          AND NOT EXISTS (SELECT 1 FROM run_triggers t
            WHERE t.data ? 'webhook_payload_id' AND (t.data ->> 'webhook_payload_id')::bigint = p.payload_id)
          AND payload_id NOT IN (
            SELECT (e.payload -> 'data' ->> 'webhook_payload_id')::bigint
            FROM (SELECT payload FROM automation_events UNION ALL SELECT payload FROM outbox) AS e
            WHERE e.payload -> 'data' ? 'webhook_payload_id')
        LIMIT ${BATCH}::int)
      RETURNING 1`
  )
  return { payloads: deletedPayloads }
}).pipe(orSqlDefect)

export const releaseCaught = Effect.gen(function* () {
  const sql = yield* Sql
  const youngSince = new Date((yield* Clock.currentTimeMillis) - YOUNG_MILLIS)
  /** SQL for the files that a JSON value names, if it is a list of files. */
  const named = (files: string) =>
    sql.literal(`LATERAL (SELECT (file ->> 'file_id')::bigint AS file_id FROM jsonb_array_elements(
      CASE WHEN jsonb_typeof(${files}) = 'array' THEN ${files} END) AS file) AS named`)
  const rows = yield* sql`
    WITH held AS (
      SELECT h.file_id, h.holder, substr(h.holder, ${CAUGHT.length + 1}::int)::bigint AS automation_id
      FROM file_holds h JOIN files f USING (file_id)
      WHERE h.holder LIKE ${`${CAUGHT}%`} AND f.created_on < ${youngSince}
    ), needed AS (
      SELECT named.file_id FROM webhook_catches c JOIN automations a USING (automation_id), ${named("c.files")}
      WHERE c.automation_id IN (SELECT automation_id FROM held) AND a.deleted_on IS NULL
      UNION ALL
      SELECT named.file_id FROM runs r JOIN run_triggers t USING (run_id), ${named("t.data -> 'webhook_files'")}
      WHERE r.automation_id IN (SELECT automation_id FROM held)
      UNION ALL
      SELECT named.file_id FROM (
        SELECT payload FROM automation_events UNION ALL SELECT payload FROM outbox
      ) AS e, ${named("e.payload -> 'data' -> 'webhook_files'")}
    )
    DELETE FROM file_holds h USING held
    WHERE h.file_id = held.file_id AND h.holder = held.holder AND held.file_id NOT IN (SELECT file_id FROM needed)
    RETURNING 1`
  return { caught_files: rows.length }
}).pipe(orSqlDefect)

// Writes results of deliveries whose bundle has not been split: first attempts that are final (docs/architecture/flow.md, "Bundles"). The log's
// row is inserted once, with the result.
import { idListParameter } from "../../../platform/sql/listParameters.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { ResultForm } from "../resultStatements.ts"
import { payloadIn } from "./bundledRow.ts"

export const makeBundleForm = (sql: Sql): ResultForm => ({
  // Locked after the hooks: whoever splits bundles locks both.
  locked: (written) => sql`, b AS MATERIALIZED (
    SELECT event_id, record_id, type, rest, created_on, traceparent, hooks FROM webhook_bundles
    WHERE (SELECT count(*) FROM h) > 0 AND event_id IN ${idListParameter(sql, [...new Set(written.map(({ event_id }) => event_id))])}
    ORDER BY event_id FOR UPDATE
  )`,
  isThere: (count) =>
    sql`(SELECT count(*) FROM batch x JOIN b USING (event_id) WHERE x.hook_id = ANY(b.hooks)) = ${count}`,
  // No delivery of its record waits for it (queueDeliveries.ts).
  resultWrites: () => sql`
    logged AS (
      INSERT INTO webhook_deliveries (hook_id, event_id, record_id, type, status, payload, num_attempts, created_on, traceparent)
      SELECT r.hook_id, r.event_id, b.record_id, b.type, r.status, ${sql.literal(payloadIn("r.hook_id", "b.rest"))}, r.attempt, b.created_on, b.traceparent
      FROM r JOIN b USING (event_id)
    ), attempts AS (
      INSERT INTO webhook_attempts (hook_id, event_id, attempt, attempted_on, status_code, latency_ms, error, response_body)
      SELECT hook_id, event_id, attempt, attempted_on, status_code, latency_ms, error, response_body FROM r
    ), left_over AS MATERIALIZED (
      SELECT b.event_id, ARRAY(SELECT u.hook_id FROM unnest(b.hooks) AS u(hook_id) WHERE u.hook_id <> ALL(e.ended)) AS hooks
      FROM b JOIN (SELECT event_id, array_agg(hook_id) AS ended FROM r GROUP BY event_id) e USING (event_id)
    ), done AS (
      DELETE FROM webhook_bundles w USING left_over l WHERE w.event_id = l.event_id AND cardinality(l.hooks) = 0
    ), fewer AS (
      UPDATE webhook_bundles w SET hooks = l.hooks FROM left_over l WHERE w.event_id = l.event_id AND cardinality(l.hooks) > 0
    )`
})

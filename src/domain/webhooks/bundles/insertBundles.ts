// Inserts bundles in the relay's transaction, under the fence of the activation that takes them. Applies the rules of ../claim.ts that
// matter here: the app's window has room for all of them, and none must wait for an earlier delivery of its record (decisions W1, W3).
import { Effect, Schema } from "effect"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { heldBy } from "../../../engine/actors/fence.ts"
import { compiledOnce, slotsOf } from "../../../platform/sql/compiledOnce.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { ClaimedHooks, type ClaimValues, claimValues, makeClaimParts } from "../claimParts.ts"
import { isBehindNothing, makeQueueDeliveries, openOfRecord } from "../queueDeliveries.ts"
import type { WebhookSettingsShape } from "../WebhookSettings.ts"
import type { NewBundle } from "./Bundle.ts"
import { payloadIn } from "./bundledRow.ts"

/** Hooks and events of the inserted bundles; the other events are in the queue. No row is returned if the fence was lost. */
const Taken = Schema.Struct({ hooks: ClaimedHooks, events: Schema.Array(Schema.Int) })
export type Taken = typeof Taken.Type

interface Values extends ClaimValues {
  /** Bundles as JSON. */
  readonly bundles: string
}
const slots = slotsOf<Values>()

export const makeInsertBundles = (settings: WebhookSettingsShape) =>
  Effect.map(Sql, (sql) => {
    const { counted, hooksOfPicked, standing } = makeClaimParts(sql)
    const { queued } = makeQueueDeliveries(sql)
    const compiled = compiledOnce<Values>(sql)
    const payload = sql.literal(payloadIn("u.hook_id", "b.rest"))
    const openBefore = openOfRecord(sql, sql`ANY(b.hooks)`, sql`b.record_id`)
    const behindNothing = sql.literal(isBehindNothing("b"))

    const statement = () => sql`
      WITH mine AS (${heldBy(sql, slots)}), standing AS (${standing(slots)}), bundles AS MATERIALIZED (
        SELECT * FROM json_to_recordset(${slots.bundles}::json) AS x(event_id bigint, record_id bigint, type text, rest text,
          created_on timestamptz, traceparent text, hooks bigint[])
      ), fit AS MATERIALIZED (
        SELECT b.* FROM bundles b CROSS JOIN standing s
        WHERE s.room >= (SELECT sum(cardinality(hooks)) FROM bundles) AND (${behindNothing} OR NOT EXISTS (SELECT 1 FROM ${openBefore}))
      ), made AS (
        INSERT INTO webhook_bundles (event_id, app_id, fence, record_id, type, rest, created_on, due_at, traceparent, hooks)
        SELECT event_id, ${slots.app_id}::bigint, ${slots.fence}::bigint, record_id, type, rest, created_on, ${slots.now}::timestamptz,
          traceparent, hooks FROM fit
      ), picked AS MATERIALIZED (
        SELECT u.hook_id, fit.event_id, NULL::bigint AS replay_id FROM fit CROSS JOIN unnest(fit.hooks) AS u(hook_id)
      ), counted AS (${counted(slots)}), given AS (
        SELECT u.hook_id, b.event_id, ${slots.app_id}::bigint AS app_id, b.record_id, b.type, 'queued'::text AS status,
          ${payload} AS payload, b.created_on, b.traceparent
        FROM bundles b CROSS JOIN unnest(b.hooks) AS u(hook_id) WHERE NOT EXISTS (SELECT 1 FROM fit WHERE fit.event_id = b.event_id)
      ), ${queued(slots.now)}
      SELECT ${hooksOfPicked} AS hooks, (SELECT coalesce(jsonb_agg(event_id), '[]') FROM fit) AS events FROM mine`

    return (activation: Pick<Activation, "id" | "key" | "fence">, bundles: ReadonlyArray<NewBundle>, now: Date) =>
      rowsOf(Taken)(
        compiled("bundles", { ...claimValues(settings, activation, now), bundles: JSON.stringify(bundles) }, statement)
      )
  })

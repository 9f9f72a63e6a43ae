// The bundle of an event that comes alone (docs/architecture.md, "A lone event"), for an activation that has nothing to send: every hook that is told of it
// has nothing special about it, the app's window has room for all, and nothing of its record is open (decisions W1, W3).
import { Effect, Schema } from "effect"
import { idleOf, LoneFound, type LoneHead, type LoneKind, type LoneValues } from "../../../engine/actors/LoneEvent.ts"
import { compiledOnce, slotsOf } from "../../../ground/sql/compiledOnce.ts"
import { sizesOf } from "../../../ground/sql/given.ts"
import { rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { ClaimedHooks, HOOK_OF_POST, makeClaimedParts, PLAIN_HOOK, TOLD_HOOK, windowTimes } from "../claimed.ts"
import type { WebhookSettingsShape } from "../settings.ts"
import type { NewBundle } from "./Bundle.ts"
import { restIn } from "./bundledRow.ts"

/** Hooks that are told of it. */
export const LONE_AT_MOST = 16

const nullable = Schema.NullOr
const Row = Schema.Struct({
  ...LoneFound.fields,
  created_on: nullable(Schema.Date),
  rest: nullable(Schema.String),
  told: nullable(Schema.Array(Schema.Int)),
  hooks: nullable(ClaimedHooks)
})

/** What the activation is given. */
export interface LoneBundle {
  readonly bundle: NewBundle
  readonly hooks: typeof ClaimedHooks.Type
}

interface Values extends LoneValues {
  readonly lapsed: Date
  /** Executions in a window, where the organization has no limit of its own. */
  readonly per_window: number
}
const slots = slotsOf<Values>()

export const makeLone = (settings: WebhookSettingsShape) =>
  Effect.map(Sql, (sql): LoneKind => {
    const compiled = compiledOnce<Values>(sql)
    const { counted, standing } = makeClaimedParts(sql)
    const appId = sql.literal("(SELECT of_app FROM mine)")
    const window = {
      ...{ now: slots.now, lapsed: slots.lapsed, per_window: slots.per_window, app_id: appId },
      ...{ key: sql.literal("mine.actor_key"), fence: sql.literal("mine.fence") }
    }
    const atMost = sql.literal(String(LONE_AT_MOST))
    const rest = sql.literal(restIn("one"))
    const plain = sql.literal(PLAIN_HOOK)

    /** Hooks that the fan-out tells of it, or withholds it from (../hookFanOut.ts). */
    const told = (event: string) =>
      sql.literal(`${TOLD_HOOK} AND ${event}.type = ANY(coalesce(h.types, ARRAY[h.type]))
          AND ${event}.event_id >= coalesce(h.events_from, 0)`)

    const statement = (head: LoneHead, idle: number) => sql`
      WITH ${head.ctes(slots, idle)}, held AS MATERIALIZED (
        SELECT h.hook_id, ${plain} AS plain, ${sql.literal(HOOK_OF_POST)} AS hook
        FROM one JOIN mine ON one.hook AND mine.of_app = one.app_id JOIN hooks h ON h.app_id = one.app_id
        WHERE ${told("one")}
        ORDER BY h.hook_id FOR KEY SHARE OF h NOWAIT
      ), standing AS (${standing(window)}), fit AS MATERIALIZED (
        SELECT one.event_id, one.type, one.org_id, one.app_id, one.record_id, one.traceparent, one.created_on, b.rest, t.told, t.hooks
        FROM one CROSS JOIN LATERAL (SELECT ${rest} AS rest) b CROSS JOIN standing s CROSS JOIN (
          SELECT array_agg(hook_id) AS told, jsonb_agg(hook) AS hooks, bool_and(plain) AS plain, count(*) AS count FROM held) t
        WHERE t.count BETWEEN 1 AND ${atMost} AND t.plain AND s.cap - s.used >= t.count AND b.rest IS NOT NULL
          AND (one.type = 'record.create' OR NOT EXISTS (
              SELECT 1 FROM webhook_queue q WHERE q.hook_id = ANY(t.told) AND q.record_id = one.record_id AND q.ordered)
            AND NOT EXISTS (SELECT 1 FROM webhook_bundles o WHERE o.app_id = one.app_id AND o.record_id = one.record_id))
      ), gone AS (${head.gone}), made AS (
        INSERT INTO webhook_bundles (event_id, app_id, fence, record_id, type, rest, created_on, due_at, traceparent, hooks)
        SELECT event_id, app_id, fence, record_id, type, rest, created_on, ${slots.now}, traceparent, told FROM gone CROSS JOIN mine
      ), picked AS MATERIALIZED (SELECT unnest(told) AS hook_id, NULL::bigint AS replay_id FROM gone),
      counted AS (${counted(window)})
      SELECT ${head.found}, t.created_on, t.rest, t.told, t.hooks
      FROM gate LEFT JOIN (SELECT actor_key, gone.* FROM gone CROSS JOIN mine) t ON true`

    const bundleOf = ({ created_on, event_id, record_id, rest, told, type }: typeof Row.Type) => ({
      ...{ event_id: event_id!, record_id, type: type!, created_on: created_on!, rest: rest!, hooks: [...told!] }
    })

    return {
      concerns: sql`(o.hook AND EXISTS (SELECT 1 FROM hooks h WHERE h.app_id = o.app_id AND ${told("o")}))`,
      takes:
        (head) =>
        ({ from, idle, now }) => {
          const values: Values = {
            idle: idleOf(idle),
            from,
            ...windowTimes(settings, now),
            per_window: settings.perWindow
          }
          return Effect.map(
            rowsOf(Row)(compiled(sizesOf(idle.length), values, () => statement(head, idle.length))),
            ([row]) => ({
              found: row!,
              answer:
                row!.event_id === null
                  ? undefined
                  : (traceparent: string | null): LoneBundle => ({
                      bundle: { ...bundleOf(row!), traceparent } as NewBundle,
                      hooks: row!.hooks!
                    })
            })
          )
        }
    }
  })

// The claim of deliveries that the relay has just queued (docs/architecture.md, "One flow"), with as much of the rules of ./claim.ts as these
// need: the app's window, and whether their hook may send (decisions W1, W4, W12).
import { Effect } from "effect"
import type { Activation, ClaimRequest } from "../../engine/actors/ActorKind.ts"
import { heldBy } from "../../engine/actors/fence.ts"
import { compiledOnce, slotsOf } from "../../ground/sql/compiledOnce.ts"
import { atMost, sizesOf } from "../../ground/sql/given.ts"
import { rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { ClaimedRow, type ClaimValues, claimValues, makeClaimedParts, OPEN_HOOK } from "./claimed.ts"
import type { ClaimedDelivery } from "./mailboxRows.ts"
import type { WebhookSettingsShape } from "./settings.ts"

/** A delivery that has just been queued. */
export type WrittenDelivery = Pick<ClaimedDelivery, "hook_id" | "event_id">

interface Values extends ClaimValues {
  /** Keys of the new rows as JSON. */
  readonly written: string
  readonly limit: number
  readonly min_claims: number
  readonly max_claims: number
}
const slots = slotsOf<Values>()

export const makeClaimWritten = (settings: WebhookSettingsShape) =>
  Effect.map(Sql, (sql) => {
    const { counted, hooksOfPicked, standing, taken } = makeClaimedParts(sql)
    const compiled = compiledOnce<Values>(sql)
    const open = sql.literal(OPEN_HOOK)

    const statement = (count: number) => sql`
        WITH mine AS (${heldBy(sql, slots)}), standing AS (${standing(slots)}), picked AS MATERIALIZED (
          SELECT q.hook_id, q.event_id, q.replay_id
          FROM ${atMost(sql, count, sql`jsonb_to_recordset(${slots.written}::jsonb) AS j (hook_id bigint, event_id bigint)`, "w")}
            JOIN hooks h USING (hook_id) JOIN webhook_queue q USING (hook_id, event_id)
          WHERE q.app_id = ${slots.app_id} AND h.app_id = ${slots.app_id} AND ${open} AND h.per_minute IS NULL AND q.tries = 0 AND NOT q.blocked
            AND q.due_at <= ${slots.now} AND q.fence <> ${slots.fence} AND q.claims BETWEEN ${slots.min_claims} AND ${slots.max_claims}
            AND EXISTS (SELECT 1 FROM standing)
          LIMIT (SELECT greatest(0, least(${slots.limit}::int, cap - used)) FROM standing)
        ), counted AS (${counted(slots)}), taken AS (${taken(slots, "picked")})
        SELECT jsonb_build_object(
            'window_start', s.window_start, 'used', s.used, 'cap', s.cap, 'commands', false, 'replays', false, 'more', false,
            'upcoming', NULL, 'held_since', NULL, 'hooks', ${hooksOfPicked}
          ) AS said, t.*
        FROM mine LEFT JOIN standing s ON true LEFT JOIN taken t ON false
        UNION ALL SELECT NULL, t.* FROM taken t`

    /**
     * Claims rows that were just inserted, for an activation with nothing in flight: none has failed before, and no other hook needs a
     * share of the concurrency slots. Hooks with a window of their own are left to the ordinary claim.
     */
    return (
      activation: Pick<Activation, "id" | "key" | "fence">,
      { limit, maxClaims, minClaims, now }: ClaimRequest,
      written: ReadonlyArray<WrittenDelivery>
    ) => {
      const values: Values = {
        ...claimValues(settings, activation, now),
        written: JSON.stringify(written.map(({ event_id, hook_id }) => ({ hook_id, event_id }))),
        limit,
        min_claims: minClaims,
        max_claims: maxClaims
      }
      return rowsOf(ClaimedRow)(compiled(sizesOf(written.length), values, () => statement(written.length)))
    }
  })

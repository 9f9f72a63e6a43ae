// Claims the deliveries that an activation sends next: hooks are served round robin, each within its share of the concurrency slots, within
// the app's window (decisions W1, W3, W4; service.md 8).
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Activation, ClaimRequest } from "../../engine/actors/ActorKind.ts"
import { heldBy } from "../../engine/actors/fence.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { ClaimedRow, claimValues, makeClaimParts, SENDABLE_HOOK, type Window, windowRow } from "./claimParts.ts"
import { ClaimedCommand } from "./mailboxRows.ts"
import { isNamedBy, lockedDeliveries } from "./queueDeliveries.ts"
import { rotationIn, shareIn } from "./shares.ts"
import type { WebhookSettingsShape } from "./WebhookSettings.ts"

/** First attempts claimed per retry while both wait. */
const FIRST_ATTEMPTS_PER_RETRY = 7

/** Deliveries of a hook in flight. */
export interface InFlight {
  readonly places: number
  /** Retries among them. */
  readonly retries: number
  /** First attempts claimed since its last retry. */
  readonly fresh: number
}

export const nothingInFlight: InFlight = { places: 0, retries: 0, fresh: 0 }

/** @param by 1 for a row just claimed, -1 for one whose POST has ended */
export const addInFlight = ({ fresh, places, retries }: InFlight, by: 1 | -1, retry: boolean): InFlight => ({
  places: places + by,
  retries: retries + (retry ? by : 0),
  fresh: by < 0 ? fresh : retry ? 0 : Math.min(fresh + 1, FIRST_ATTEMPTS_PER_RETRY)
})

/** The window as it stands at `now`; one that is over counts as unused. */
export const windowAt = (window: Window, millis: number, now: number): Window =>
  now >= window.start + millis ? { start: now, used: 0, cap: window.cap } : window

/**
 * Condition in the form that the index of open deliveries matches: Postgres would rewrite `= false` to an expression that the index does
 * not match.
 */
const retries = (sql: Sql, retry: boolean) => sql.literal(`(tries > 0) IS ${retry ? "TRUE" : "FALSE"}`)

/** When the first attempt and the retry that are due first of the hook `h` are due, of those with `condition`: two rows at most. */
export const earliest = (sql: Sql, appId: number | Statement.Fragment, condition: Statement.Fragment) => {
  const earliestOf = (retry: boolean) => sql`
    (SELECT due_at FROM webhook_queue WHERE app_id = ${appId} AND hook_id = h.hook_id AND ${retries(sql, retry)}
      AND NOT blocked AND ${condition} ORDER BY due_at LIMIT 1)`
  return sql`${earliestOf(false)} UNION ALL ${earliestOf(true)}`
}

export const makeClaim = (settings: WebhookSettingsShape) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const openHook = sql.literal(SENDABLE_HOOK)
    const { counted, hooksOfPicked, standing } = makeClaimParts(sql)

    /** Due rows of the hook of `room`: one more than it may take, which shows if some are left. */
    const dueRows = (
      { fence, id }: Pick<Activation, "fence" | "id">,
      { now, limit, minClaims, maxClaims }: ClaimRequest,
      retry: boolean
    ) => sql`
      SELECT hook_id, event_id, record_id, due_at, (tries > 0) AS retry, replay_id FROM webhook_queue
      WHERE app_id = ${Number(id)} AND hook_id = room.hook_id AND ${retries(sql, retry)} AND NOT blocked
        AND due_at <= ${now} AND fence <> ${fence} AND claims BETWEEN ${minClaims} AND ${maxClaims}
      ORDER BY due_at, event_id LIMIT 1 + least(${limit}::int, room.free${retry ? sql`, room.retries` : sql``})`

    /**
     * Claims deliveries. Within a hook first attempts precede retries (W2), but every eighth is a retry, so that a steady stream does not
     * starve retries. Retries, which may hang, get at most half of the hook's share. Hooks are served round robin.
     *
     * Locks the app's window before those of hooks, like every other statement that uses both (reserveSecondPost.ts), and before rows of the
     * queue, like a fan-out (queueDeliveries.ts): `locked` reads `counted`, which would otherwise be executed last.
     *
     * Uses one statement that includes the app's window: the claims of all activations compete for the connections. A claim that a database
     * crash loses is made again, so its commit need not wait for the disk.
     * @returns (`claimOf`) the window afterwards, if commands wait or replays are open, the rows, if due rows are left, and the next due
     * time
     */
    const askDeliveries = (
      activation: Pick<Activation, "id" | "key" | "fence">,
      request: ClaimRequest,
      held: ReadonlyMap<number, InFlight>,
      lastHook: number
    ) => {
      const { limit } = request
      const appId = Number(activation.id)
      const nowDate = request.now
      const claimParameters = claimValues(settings, activation, nowDate)
      const { start, used } = windowRow(sql, claimParameters)
      const slotRows = [...held].map(([hook_id, of]) => ({ hook_id, ...of }))
      return rowsOf(ClaimedRow)(sql`
        WITH mine AS (${heldBy(sql, activation)}), standing AS (
          ${standing(
            claimParameters,
            sql.literal(`, EXISTS (SELECT 1 FROM webhook_commands c WHERE c.app_id = a.app_id) AS commands,
              EXISTS (SELECT 1 FROM webhook_replays r WHERE r.app_id = a.app_id AND r.ended_on IS NULL) AS replays`)
          )}
        ), held AS (
          SELECT * FROM jsonb_to_recordset(${JSON.stringify(slotRows)}::jsonb)
            AS x(hook_id bigint, places integer, retries integer, fresh integer)
        ), busy AS (
          SELECT h.hook_id FROM hooks h CROSS JOIN LATERAL (${earliest(sql, appId, sql`due_at <= ${nowDate}`)}) q
          WHERE h.app_id = ${appId} AND ${openHook} AND h.hook_id NOT IN (SELECT hook_id FROM held WHERE places > 0)
          UNION SELECT hook_id FROM held WHERE places > 0
        ), share AS MATERIALIZED (
          SELECT ${sql.literal(shareIn(String(settings.slots), "count(*)"))} AS places FROM busy
        ), mine_of AS (
          SELECT h.hook_id, h.per_minute, coalesce(held.places, 0) AS taken, coalesce(held.fresh, 0) AS fresh,
            coalesce(held.retries, 0) AS retrying, least(share.places, h.at_once) AS places,
            ${start} AS window_start, ${used} AS used
          FROM busy JOIN hooks h USING (hook_id) CROSS JOIN share LEFT JOIN held USING (hook_id)
            LEFT JOIN hook_windows w ON w.hook_id = h.hook_id AND h.per_minute IS NOT NULL
          WHERE h.app_id = ${appId} AND ${openHook}
        ), room AS (
          SELECT hook_id, places, taken, fresh, per_minute, window_start, used,
            greatest(0, least(places - taken, per_minute - used)) AS free,
            greatest(0, places / 2 - retrying, (places - taken) * (places = 1)::int) AS retries
          FROM mine_of
        ), ranked AS (
          SELECT q.*, room.taken + room.free AS places, room.taken, room.fresh, room.retries,
            row_number() OVER (PARTITION BY q.hook_id, q.retry ORDER BY q.due_at, q.event_id) AS rank
          FROM room CROSS JOIN LATERAL ((${dueRows(activation, request, false)}) UNION ALL (${dueRows(activation, request, true)})) q
        ), candidates AS (
          SELECT hook_id, event_id, record_id, replay_id, places, taken + row_number() OVER (
            PARTITION BY hook_id
            ORDER BY CASE WHEN retry THEN rank * ${FIRST_ATTEMPTS_PER_RETRY}::int - fresh ELSE rank END, retry) AS turn
          FROM ranked WHERE NOT retry OR rank <= retries
        ), picked AS (
          SELECT hook_id, event_id, record_id, replay_id FROM candidates
          WHERE turn <= places AND EXISTS (SELECT 1 FROM standing) ORDER BY ${rotationIn(sql, lastHook)}
          LIMIT (SELECT least(${limit}::int, room) FROM standing)
        ), counted AS (${counted(claimParameters)}
        ), own AS (
          INSERT INTO hook_windows AS w (hook_id, window_start, used)
          SELECT r.hook_id, r.window_start, count(*) FROM room r JOIN picked USING (hook_id)
          WHERE r.per_minute IS NOT NULL AND EXISTS (SELECT 1 FROM counted) GROUP BY r.hook_id, r.window_start
          ON CONFLICT (hook_id) DO UPDATE SET window_start = ${start}, used = ${used} + excluded.used
        ), locked AS (
          SELECT q.hook_id, q.event_id FROM ${lockedDeliveries(sql, "picked", "NO KEY UPDATE")} WHERE EXISTS (SELECT 1 FROM counted)
        ), taken AS (
          UPDATE webhook_queue q SET fence = ${activation.fence}, claims = q.claims + 1
          FROM locked p, webhook_deliveries d WHERE ${isNamedBy(sql, "p")} AND ${isNamedBy(sql, "p", "d")}
          RETURNING q.hook_id, q.event_id, q.record_id, q.ordered, q.tries, q.claims, d.num_attempts, d.created_on, d.type, d.payload, d.traceparent
        )
        SELECT jsonb_build_object(
            'window_start', s.window_start, 'used', s.used, 'cap', s.cap, 'commands', s.commands, 'replays', s.replays,
            'more', (SELECT count(*) FROM ranked) > (SELECT count(*) FROM picked),
            'upcoming', (SELECT min(q.due_at) FROM hooks h CROSS JOIN LATERAL (${earliest(sql, appId, sql`due_at > ${nowDate}`)}) q
              WHERE h.app_id = ${appId} AND ${openHook}),
            'held_since', (SELECT min(r.window_start) FROM room r WHERE r.per_minute IS NOT NULL
              AND r.used + (SELECT count(*) FROM picked p WHERE p.hook_id = r.hook_id) >= r.per_minute),
            'hooks', ${hooksOfPicked}
          ) AS said, t.*
        FROM mine LEFT JOIN standing s ON true LEFT JOIN taken t ON false
        UNION ALL SELECT NULL, t.* FROM taken t`)
    }

    const claimCommands = ({ fence, id }: Activation, { now, limit, minClaims, maxClaims }: ClaimRequest) =>
      rowsOf(ClaimedCommand)(sql`
        UPDATE webhook_commands c SET fence = ${fence}, claims = c.claims + 1
        FROM (
          SELECT event_id FROM webhook_commands WHERE app_id = ${Number(id)} AND due_at <= ${now} AND fence <> ${fence}
            AND claims BETWEEN ${minClaims} AND ${maxClaims} ORDER BY event_id LIMIT ${limit}) p
        WHERE c.event_id = p.event_id
        RETURNING c.event_id, c.hook_id, c.verification, c.step, c.claims`)

    return { askDeliveries, claimCommands }
  })

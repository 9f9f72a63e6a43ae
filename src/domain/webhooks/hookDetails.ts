// Shows an operator the state of an app's webhook actor: the app, each hook's state, failure streak, waiting deliveries and the reasons.
// Ids, names, counts, host names and reasons only.
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { DetailLine } from "../../engine/actors/ActorKind.ts"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { waitingByHook } from "./bundles/allDeliveries.ts"
import type { InFlight } from "./claim.ts"
import type { Window } from "./claimParts.ts"

/** Newest deliveries of an unverified hook that are searched for withheld ones: the log may be long. */
const WITHHELD_LOOKED_AT = 200
/** Newest attempts that are searched for the last failure. */
const FAILURES_LOOKED_AT = 200

export const HookLine = Schema.Struct({
  app_id: Schema.Int,
  app_name: Schema.String,
  hook_id: Schema.Int,
  type: Schema.String,
  host: Schema.String,
  status: Schema.String,
  paused: Schema.Boolean,
  num_failed_executions: Schema.Int,
  /** Verified at least once: while it is inactive, its events are withheld (W5). */
  verified: Schema.Boolean,
  withheld: Schema.Int,
  waiting: Schema.Int,
  behind: Schema.Int,
  /** Deliveries at the gate of a replay (W16). */
  gated: Schema.Int,
  retries: Schema.Int,
  next_due: Schema.NullOr(Schema.Date),
  /** Error and status of the latest failed attempt; null unless the hook fails. */
  cause: Schema.NullOr(Schema.String),
  failed_on: Schema.NullOr(Schema.Date)
})
export type HookLine = typeof HookLine.Type

/**
 * Joins `f.cause` and `f.failed_on` for a failing hook `h`. Retries have lower event ids than later deliveries, so several attempts are
 * read.
 */
const lastFailure = (sql: Sql) => sql`LEFT JOIN LATERAL (
  SELECT concat_ws(' ', t.error, t.status_code) AS cause, t.attempted_on AS failed_on FROM (
    SELECT error, status_code, attempted_on FROM webhook_attempts a WHERE a.hook_id = h.hook_id
    ORDER BY event_id DESC, attempt DESC LIMIT ${FAILURES_LOOKED_AT}) t
  WHERE t.error IS NOT NULL ORDER BY t.attempted_on DESC LIMIT 1) f
  ON h.num_failed_executions > 0 OR (h.status = 'inactive' AND h.verified_on IS NOT NULL)`

export const makeOverview = Effect.gen(function* () {
  const sql = yield* Sql
  const lines = (which: Statement.Fragment) =>
    rowsOf(HookLine)(sql`
    SELECT h.app_id, a.name AS app_name, h.hook_id, h.type, h.host, h.status, h.paused_on IS NOT NULL AS paused, h.num_failed_executions,
      h.verified_on IS NOT NULL AS verified,
      CASE WHEN h.status = 'inactive' AND h.verified_on IS NOT NULL THEN (
        SELECT count(*) FILTER (WHERE d.status = 'withheld') FROM (
          SELECT status FROM webhook_deliveries WHERE hook_id = h.hook_id ORDER BY event_id DESC LIMIT ${WITHHELD_LOOKED_AT}) d)
        ELSE 0 END::int AS withheld,
      q.waiting, q.behind, q.gated, q.retries, q.next_due,
      f.cause, f.failed_on
    FROM hooks h JOIN apps a USING (app_id) JOIN ${waitingByHook(sql, which)} q USING (hook_id)
      ${lastFailure(sql)}
    WHERE ${which} ORDER BY h.hook_id`)
  return {
    ofApp: (appId: number) => lines(sql`h.app_id = ${appId}`),
    ofHook: (hookId: number) => Effect.map(lines(sql`h.hook_id = ${hookId}`), ([line]) => line)
  }
})

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`

const withheldOf = ({ withheld }: HookLine) => {
  const count = withheld === WITHHELD_LOOKED_AT ? `${withheld} or more` : String(withheld)
  return `${count} withheld until it is verified again and they are replayed`
}

/** Reasons for the hook's state, and what it waits for. */
export const whyOf = (hook: HookLine, inAir: number, window: Window, windowMillis: number, now: number): string => {
  const reasons: Array<string> = hook.paused ? [`paused: ${hook.waiting} waiting`] : []
  if (hook.num_failed_executions > 0) reasons.push(`${plural(hook.num_failed_executions, "failure")} in a row`)
  if (hook.cause !== null && hook.failed_on !== null)
    reasons.push(`last at ${formatDateTime(hook.failed_on)}: ${hook.cause}`)
  if (inAir > 0) reasons.push(`${inAir} in the air`)
  if (hook.retries > 0) reasons.push(plural(hook.retries, "retry").replace("retrys", "retries"))
  if (hook.behind > 0) reasons.push(`${hook.behind} behind an earlier revision of their record`)
  if (hook.gated > 0) reasons.push(`${hook.gated} of a replay, which takes half of the executions at most`)
  if (hook.waiting > inAir && hook.next_due !== null && !hook.paused) {
    const full = window.used >= window.cap && now < window.start + windowMillis
    if (hook.next_due.getTime() > now) reasons.push(`next at ${formatDateTime(hook.next_due)}`)
    else if (full)
      reasons.push(
        `limit of ${window.cap} executions reached, goes on at ${formatDateTime(new Date(window.start + windowMillis))}`
      )
  }
  if (hook.status === "inactive")
    reasons.push(hook.verified ? `verification lost: ${withheldOf(hook)}` : "not verified yet: nothing is kept or sent")
  return reasons.length === 0 ? "nothing waits" : reasons.join("; ")
}

/** The window in words. */
const usedOf = (window: Window, windowMillis: number, now: number): string => {
  const isWindowOpen = now < window.start + windowMillis && window.used > 0
  return isWindowOpen
    ? `${window.used} of ${window.cap} executions used, the next ${window.cap} at ${formatDateTime(new Date(window.start + windowMillis))}`
    : `none of ${window.cap} executions used`
}

/** The app first, then its hooks. */
export const detailLines = (
  hooks: ReadonlyArray<HookLine>,
  inAir: ReadonlyMap<number, InFlight>,
  window: Window,
  windowMillis: number,
  now: number
): ReadonlyArray<DetailLine> => {
  const [first] = hooks
  if (first === undefined) return []
  const app = {
    what: `app ${first.app_id} "${first.app_name}": ${plural(hooks.length, "hook")}`,
    count: hooks.reduce((sum, { waiting }) => sum + waiting, 0),
    why: usedOf(window, windowMillis, now)
  }
  return [
    app,
    ...hooks.map((hook) => ({
      what: `hook ${hook.hook_id} ${hook.type} to ${hook.host}: ${hook.paused ? `${hook.status}, paused` : hook.status}`,
      count: hook.waiting,
      failing: hook.num_failed_executions > 0 || (hook.status === "inactive" && hook.verified),
      why: whyOf(hook, inAir.get(hook.hook_id)?.places ?? 0, window, windowMillis, now)
    }))
  ]
}

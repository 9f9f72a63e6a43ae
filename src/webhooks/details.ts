// What an operator reads about an app's webhook actor: each hook's state, failures in a row, what waits and why.
// Ids, counts, host names and reasons only.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { DetailLine } from "../actors/ActorKind.ts"
import { formatDateTime } from "../dates.ts"
import type { Held, Window } from "./claim.ts"

export interface HookLine {
  readonly hook_id: number
  readonly type: string
  readonly host: string
  readonly status: string
  readonly num_failed_executions: number
  readonly waiting: number
  readonly behind: number
  readonly retries: number
  readonly next_due: Date | null
}

export const makeOverview = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (appId: number) => sql<HookLine>`
    SELECT h.hook_id, h.type, h.host, h.status, h.num_failed_executions,
      coalesce(q.waiting, 0) AS waiting, coalesce(q.behind, 0) AS behind, coalesce(q.retries, 0) AS retries, q.next_due
    FROM hooks h LEFT JOIN (
      SELECT hook_id, count(*)::int AS waiting, (count(*) FILTER (WHERE blocked))::int AS behind,
        (count(*) FILTER (WHERE tries > 0))::int AS retries, min(due_at) FILTER (WHERE NOT blocked) AS next_due
      FROM webhook_queue WHERE app_id = ${appId} GROUP BY hook_id) q USING (hook_id)
    WHERE h.app_id = ${appId} ORDER BY h.hook_id`
})

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`

const whyOf = (hook: HookLine, inAir: number, window: Window, windowMillis: number, now: number): string => {
  const reasons: Array<string> = []
  if (hook.num_failed_executions > 0) reasons.push(`${plural(hook.num_failed_executions, "failure")} in a row`)
  if (inAir > 0) reasons.push(`${inAir} in the air`)
  if (hook.retries > 0) reasons.push(plural(hook.retries, "retry").replace("retrys", "retries"))
  if (hook.behind > 0) reasons.push(`${hook.behind} behind an earlier revision of their record`)
  if (hook.waiting > inAir && hook.next_due !== null) {
    const full = window.used >= window.cap && now < window.start + windowMillis
    if (hook.next_due.getTime() > now) reasons.push(`next at ${formatDateTime(hook.next_due)}`)
    else if (full)
      reasons.push(
        `limit of ${window.cap} executions reached, goes on at ${formatDateTime(new Date(window.start + windowMillis))}`
      )
  }
  if (hook.status === "inactive") reasons.push("not verified: nothing is sent")
  return reasons.length === 0 ? "nothing waits" : reasons.join("; ")
}

export const detailLines = (
  hooks: ReadonlyArray<HookLine>,
  inAir: ReadonlyMap<number, Held>,
  window: Window,
  windowMillis: number,
  now: number
): ReadonlyArray<DetailLine> =>
  hooks.map((hook) => ({
    what: `hook ${hook.hook_id} ${hook.type} to ${hook.host}: ${hook.status}`,
    count: hook.waiting,
    failing: hook.num_failed_executions > 0,
    why: whyOf(hook, inAir.get(hook.hook_id)?.places ?? 0, window, windowMillis, now)
  }))

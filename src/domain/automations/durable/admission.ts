// Decides whether a run may execute now: it needs a concurrency slot of its organization and, to begin, credits (developer-api.md 7.11
// rules 5 and 7). Else it is pending until it is called, or until it checks for credits again.
import { Clock, Effect } from "effect"
import { Sql } from "../../../platform/sql/Sql.ts"
import { Credits, NO_CREDITS_MILLIS } from "../run/Credits.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import type { RunContext } from "../run/RunContext.ts"
import { NO_PLACE_MILLIS, rowInLine } from "../run/slotStatements.ts"
import { waitsForCredits } from "../run/waitReasons.ts"

export const NO_PLACE = "all places of the organization are taken"

export const makeAdmission = Effect.gen(function* () {
  const sql = yield* Sql
  const runSlots = yield* OrganizationSlots
  const credits = yield* Credits

  const admitted = Effect.fnUntraced(function* (context: RunContext) {
    const { run } = context
    const hasBegun = run.credits > 0 || run.executed_ms > 0
    if (!hasBegun && (yield* credits.left(run.org_id)) <= 0) {
      yield* pending(context, NO_CREDITS_MILLIS)
      return {
        ok: false as const,
        why: "the organization's actions of this hour are used up",
        again: NO_CREDITS_MILLIS
      }
    }
    if (yield* runSlots.ask(run.org_id, run.run_id)) return { ok: true as const }
    if (!hasBegun) yield* pending(context)
    return { ok: false as const, why: NO_PLACE, again: NO_PLACE_MILLIS }
  })

  /** @param creditsIn milliseconds until it checks for credits again, if it waits for these */
  const pending = ({ inboxRow, run }: RunContext, creditsIn?: number) =>
    Effect.gen(function* () {
      const millis = yield* Clock.currentTimeMillis
      const retryAt = new Date(millis + (creditsIn ?? 0))
      const creditsWait =
        creditsIn === undefined
          ? sql.literal("")
          : sql`, ${waitsForCredits(sql, { now: new Date(millis), until: retryAt })}`
      const [waitingRun] = yield* sql`UPDATE runs SET status = 'pending', started_on = NULL${creditsWait}
        WHERE run_id = ${run.run_id}::bigint AND fence = ${run.fence} AND status = 'running' RETURNING run_id`
      // The mailbox row of a run that another executor has taken is that one's.
      if (inboxRow === null || waitingRun === undefined) return
      if (creditsIn === undefined) return yield* rowInLine(sql, { ...inboxRow, run_id: run.run_id }, millis)
      return yield* sql`UPDATE automation_inbox SET due_at = ${retryAt}, fence = 0, claims = 0
        WHERE row_id = ${String(inboxRow.row_id)}::bigint`
    })

  return { admitted }
})

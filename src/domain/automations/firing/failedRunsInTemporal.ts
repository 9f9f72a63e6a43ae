// Shows failed plain runs in Temporal, and their automation in the actor's table. The number per minute is limited, since a broken
// automation must not flood Temporal.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { TemporalFailed } from "../../../engine/temporal/TemporalFailed.ts"
import type { InboxEvent } from "./inboxRows.ts"

/** Maximum per automation. */
const VISIBLE_A_MINUTE = 10

export const makeFailedRunsInTemporal = (
  startSeen: (row: InboxEvent, runId: string) => Effect.Effect<unknown, TemporalFailed | SqlError>
) => {
  /** Failures per automation, in the last minute in which one of its runs failed. */
  const failures = new Map<number, { readonly minute: number; readonly n: number }>()

  const show = Effect.fnUntraced(function* (row: InboxEvent, runId: string) {
    const minute = Math.floor((yield* Clock.currentTimeMillis) / 60_000)
    const minuteCount = failures.get(row.automation_id)
    const n = minuteCount?.minute === minute ? minuteCount.n : 0
    failures.set(row.automation_id, { minute, n: n + 1 })
    if (n >= VISIBLE_A_MINUTE) return
    yield* startSeen(row, runId).pipe(
      Effect.catchTag("TemporalFailed", (error) => Effect.logDebug("a failed run stays unseen", error.message))
    )
  })

  const failedMinutes = (): ReadonlyArray<readonly [automationId: number, count: number]> =>
    [...failures].map(([id, { n }]) => [id, n])

  return { show, failedMinutes }
}

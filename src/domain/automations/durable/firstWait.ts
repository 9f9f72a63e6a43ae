// A run that stands at a delay begins it in its automations' actor: its workflow then has only a timer to set, and no segment to ask for
// (developer-api.md 7.6; docs/architecture.md, "How runs come to their places").
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { RunDirective } from "../../../engine/temporal/messages.ts"
import { recoverSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import type { Cursor, Plan } from "../model/Plan.ts"
import type { LoadedRun } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { SegmentExecutor } from "../steps/SegmentExecutor.ts"
import { makeExecution, segmentOf } from "./runExecution.ts"
import { stillborn } from "./stillborn.ts"

export const standsAtWait = ({ nodes }: Plan, cursor: Cursor | null): boolean =>
  cursor !== null && nodes.get(cursor.path)?.kind === "wait"

/** What the run's workflow does first, and the fence under which the run was left. */
export interface BegunWait {
  readonly directive: RunDirective
  readonly fence: number
}

/** Of a run that stands at a wait and has its place, which it keeps; null: its workflow has to ask. */
export type FirstWait = (runId: string) => Effect.Effect<BegunWait | null, SqlError>

const oneStep = { stop: Effect.succeed(true) }

export const makeFirstWait = Effect.gen(function* () {
  const store = yield* RunStore
  const executor = yield* SegmentExecutor
  const { open, told } = yield* makeExecution

  const begin = Effect.fnUntraced(function* (loaded: LoadedRun) {
    const context = yield* open(loaded, null)
    if (stillborn(context, yield* Clock.currentTimeMillis) !== null) return null
    const directive = yield* executor.segment(context, oneStep)
    // A cancel that came meanwhile, a date that is past, a step that failed.
    if (directive.type !== "wait" || context.run.cancel_requested_on !== null) return null
    return { directive: yield* told(context, directive), fence: context.run.fence }
  })

  const firstWait: FirstWait = Effect.fnUntraced(
    function* (runId) {
      const loaded = yield* store.take(runId)
      return loaded === null ? null : yield* segmentOf(loaded)(begin(loaded))
    },
    Effect.catchTag("RunTaken", () => Effect.succeed(null)),
    recoverSqlDefect
  )

  return firstWait
})

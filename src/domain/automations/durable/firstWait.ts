// A run that stands at a delay begins it in its automations' actor: its workflow then has only a timer to set, and no segment to ask for
// (developer-api.md 7.6; docs/architecture.md, "How runs come to their places").
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { RunDirective } from "../../../engine/temporal/messages.ts"
import { recoverSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import type { Cursor, Plan } from "../model/Plan.ts"
import type { LoadedRun, RunRow } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { SegmentExecutor } from "../steps/SegmentExecutor.ts"
import { makeExecution, segmentOf } from "./runExecution.ts"
import { stillborn } from "./stillborn.ts"

export const standsAtWait = ({ nodes }: Plan, cursor: Cursor | null): boolean =>
  cursor !== null && nodes.get(cursor.path)?.kind === "wait"

type Waits = Pick<RunRow, "wait_why" | "wait_until">

/** Begun, and not over. */
export const isInDelay = <W extends Waits>(run: W, at: number): run is W & { readonly wait_until: Date } =>
  run.wait_why === "delay" && run.wait_until !== null && run.wait_until.getTime() > at

/** What the run's workflow does first, and the fence under which the run was left. */
export interface BegunWait {
  readonly directive: RunDirective
  readonly fence: number
}

/** Null: the run's workflow has to ask. */
export interface FirstWait {
  /** Of a run that stands at a wait and has its place, which it keeps. */
  readonly begin: (runId: string) => Effect.Effect<BegunWait | null, SqlError>
  /** Of one whose wait was begun by somebody who met no Temporal, or died: as its row has it, which stays as it is. */
  readonly found: (runId: string) => Effect.Effect<BegunWait | null, SqlError>
}

const oneStep = { stop: Effect.succeed(true) }

export const makeFirstWait = Effect.gen(function* () {
  const store = yield* RunStore
  const executor = yield* SegmentExecutor
  const { open, told } = yield* makeExecution

  const beginLoaded = Effect.fnUntraced(function* (loaded: LoadedRun) {
    const context = yield* open(loaded, null)
    if (stillborn(context, yield* Clock.currentTimeMillis) !== null) return null
    const directive = yield* executor.segment(context, oneStep)
    // A cancel that came meanwhile, a date that is past, a step that failed.
    if (directive.type !== "wait" || context.run.cancel_requested_on !== null) return null
    return { directive: yield* told(context, directive), fence: context.run.fence }
  })

  const begin: FirstWait["begin"] = Effect.fnUntraced(
    function* (runId) {
      const loaded = yield* store.take(runId)
      return loaded === null ? null : yield* segmentOf(loaded)(beginLoaded(loaded))
    },
    Effect.catchTag("RunTaken", () => Effect.succeed(null)),
    recoverSqlDefect
  )

  const found: FirstWait["found"] = Effect.fnUntraced(function* (runId) {
    const loaded = yield* store.read(runId)
    const at = yield* Clock.currentTimeMillis
    if (loaded === null || loaded.run.status !== "running" || !isInDelay(loaded.run, at)) return null
    const context = yield* open(loaded, null)
    if (stillborn(context, at) !== null) return null
    const { fence, wait_until } = loaded.run
    return { directive: yield* told(context, { type: "wait", until: wait_until }), fence }
  }, recoverSqlDefect)

  return { begin, found } satisfies FirstWait
})

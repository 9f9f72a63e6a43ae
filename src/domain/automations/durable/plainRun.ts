// Executes a plain run immediately, in its automation's actor (design: automations as durable executions; developer-api.md 7.11 run
// semantics 5).
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Draining } from "../../../engine/temporal/Draining.ts"
import { recoverSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { FiberLabel } from "../../../platform/telemetry/FiberLabel.ts"
import type { KnownNow } from "../model/knownRecord.ts"
import type { InboxRow } from "../run/commitStatement.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import type { Revision } from "../run/RevisionCache.ts"
import { RunContextFactory } from "../run/RunContextFactory.ts"
import type { Ending, LoadedRun } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { SegmentExecutor } from "../steps/SegmentExecutor.ts"
import { makeAdmission } from "./admission.ts"
import { makeExecution, segmentOf, segmentTold } from "./runExecution.ts"
import { startRefusal } from "./startRefusal.ts"

/** A run that was just created, with its slot, and the rights that the claim has read for its first step. */
interface FreshRun extends Pick<KnownNow, "rights"> {
  readonly loaded: LoadedRun
  readonly revision: Revision
}

/** Executes a plain run that was just created or is resumed; null: it has ended, was taken over, or has no concurrency slot. */
export type PlainRun = (runId: string, row: InboxRow, fresh: FreshRun | null) => Effect.Effect<Ending | null, SqlError>

export const makePlainRun = Effect.gen(function* () {
  const store = yield* RunStore
  const contexts = yield* RunContextFactory
  const executor = yield* SegmentExecutor
  const runSlots = yield* OrganizationSlots
  const draining = yield* Draining
  const { admitted } = yield* makeAdmission
  const { open, statusOf } = yield* makeExecution
  const millis = Clock.currentTimeMillis

  const plainLoaded = Effect.fnUntraced(function* (loaded: LoadedRun, row: InboxRow, fresh: FreshRun | null) {
    const context =
      fresh === null ? yield* open(loaded, row) : contexts.make(loaded, fresh.revision, row, { rights: fresh.rights })
    const earlyEnding = startRefusal(context, yield* millis)
    if (earlyEnding !== null) {
      yield* executor.end(context, earlyEnding)
      yield* runSlots.freed(loaded.run.org_id)
      return earlyEnding
    }
    if (fresh === null && !(yield* admitted(context)).ok) return null
    const directive = yield* executor.segment(context, { stop: draining.begun })
    yield* segmentTold(loaded.run.run_id, directive)
    if (directive.type !== "done") return null
    // The run's last commit has deleted its slot.
    yield* runSlots.freed(loaded.run.org_id)
    return directive.ending
  })

  const executePlain: PlainRun = Effect.fnUntraced(
    function* (runId, row, fresh) {
      const loaded = fresh?.loaded ?? (yield* store.take(runId))
      if (loaded === null) {
        yield* statusOf(runId)
        return null
      }
      if (fresh === null) return yield* segmentOf(loaded)(plainLoaded(loaded, row, null))
      return yield* plainLoaded(loaded, row, fresh)
    },
    Effect.catchTag("RunTaken", () => Effect.succeed(null)),
    recoverSqlDefect,
    (run, runId) => Effect.provideService(run, FiberLabel, `run ${runId}`)
  )

  return executePlain
})

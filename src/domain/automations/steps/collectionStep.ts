// Steps over a collection (developer-api.md 7.6, 7.11 rule 5). Targets are fixed at the start and executed in parts. The step's ledger row
// holds the progress, so that a repeat continues after the last committed record. A failing record does not stop the others; the step fails
// at the end.
import { Clock, Effect } from "effect"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { Change, Committer, NotCommitted } from "../commit/Committer.ts"
import { after, iterationKey } from "../model/Plan.ts"
import { isDry } from "../model/RunScope.ts"
import { StepFailed } from "../model/Step.ts"
import type { RunStep } from "../run/RunContext.ts"
import type { Next } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { ITEMS_PER_CHUNK } from "../run/runData.ts"
import { ledgerOf, logOf } from "../run/runEntries.ts"
import type { RunLimits, SliceLimits } from "../run/runLimits.ts"
import { newStepOutput, onlyLog, type StepOutput } from "../run/StepOutput.ts"
import { guarded } from "../run/stepGuard.ts"
import { nextTry } from "../run/stepRetries.ts"
import { type AwaitedCalls, waitsForCalled } from "./callStep.ts"
import {
  advanced,
  beginning,
  begunWith,
  failureOf,
  type Progress,
  refused,
  shownOf,
  type Worked,
  withFailures
} from "./collectionProgress.ts"
import { type CollectionRuntime, workOn } from "./collectionRecords.ts"
import { isPause, type Pause, pauseBefore, wornOut } from "./retryPause.ts"
import { awaits } from "./stepKit.ts"

/** Records per transaction; an outside step commits each record alone. */
const AT_ONCE = 25

type Again = NonNullable<Worked["again"]>

export const makeCollectionStep = Effect.fnUntraced(function* (
  { creditsLeft, overLimit }: RunLimits,
  calls: AwaitedCalls
) {
  const sql = yield* Sql
  const store = yield* RunStore
  const millis = Clock.currentTimeMillis

  /** Executes the step; `more`: the slice has ended before the collection. */
  return Effect.fnUntraced(function* (
    committer: Committer,
    runStep: RunStep,
    runtime: CollectionRuntime,
    limits: SliceLimits
  ): Effect.fn.Return<Next | Pause | "more", NotCommitted> {
    const { context, cursor, node } = runStep
    const { act, fail, leave, save } = committer
    const startedAt = yield* millis
    const { run_id } = context.run
    const key = iterationKey(cursor.iteration)
    const outside = node.kind === "outside"
    const awaited = awaits(context, node)
    const make = (attempt: number) => context.begin(node, cursor.iteration, startedAt, attempt)
    const startedWith = (progress: Progress) => ledgerOf(runStep, "started", 1, progress)
    const firstStep = yield* make(1)

    const begin = Effect.gen(function* () {
      const ledgerRow = yield* store.ledger(run_id, node.path, key)
      if (ledgerRow?.result != null) return ledgerRow.result as Progress
      const targets = yield* guarded(runtime.targets(firstStep.step))
      const firstProgress = begunWith(targets, firstStep.gathered)
      const saved = store.saveItems(run_id, node.path, key, targets)
      yield* act({ context, record: null, act: Effect.as(saved, { cursor, ledger: startedWith(firstProgress) }) })
      return firstProgress
    })

    let lastCommit = startedAt
    /** Executes the next targets and returns the step's progress after them. */
    const part = Effect.fnUntraced(function* (before: Progress, next: ReadonlyArray<number>) {
      const ids = next.slice(0, outside ? 1 : Math.min(AT_ONCE, creditsLeft(context)))
      const isRepeated = outside && before.begun === before.done
      let attemptProgress = before
      if (outside) {
        attemptProgress = beginning(before)
        yield* save(context, { cursor, ledger: startedWith(attemptProgress) })
      }
      const { gathered, step } = yield* make(isRepeated ? 2 : 1)
      const mayAgain = (error: StepFailed) =>
        outside ? nextTry(node.action.retry, error, attemptProgress.tried ?? 0) : null
      const work = Effect.suspend(() => {
        // A repeat of the transaction collects messages and calls anew.
        gathered.messages.length = 0
        gathered.calls.length = 0
        const exhaustion = wornOut(attemptProgress.anew ?? 0)
        if (exhaustion !== null) return Effect.succeed(refused(attemptProgress, ids, exhaustion))
        return workOn(sql, ids, { runtime, step, gathered, at: attemptProgress, outside, again: mayAgain })
      })
      let progress = attemptProgress
      const changeAfter = (worked: Worked) =>
        Effect.map(millis, (now): Change => {
          const executedMs = now - lastCommit
          progress = advanced(attemptProgress, ids.length, worked, executedMs)
          const callWait = awaited ? waitsForCalled : null
          return { cursor, ledger: startedWith(progress), credits: ids.length, executedMs, gathered, waits: callWait }
        })
      if (outside) {
        const worked = yield* work
        if (worked.again !== undefined) return yield* pause(attemptProgress, worked.again, gathered, ids[0]!)
        yield* leave(context, changeAfter(worked))
      } else yield* act({ context, record: null, act: Effect.flatMap(work, changeAfter) })
      lastCommit = yield* millis
      return progress
    })

    /** Pauses before the next attempt of a record; the other records wait for it. */
    const pause = ({ begun: _, ...at }: Progress, { error, next }: Again, gathered: StepOutput, id: number) => {
      const result: Progress = { ...at, tried: next.failed }
      const named = new StepFailed({ message: `Record ${id}: ${error.message}` })
      const { attempts: begun = 1 } = at
      return pauseBefore(committer, runStep, { error: named, next, gathered, startedAt: lastCommit, begun, result })
    }

    const finish = Effect.fnUntraced(function* (called: Progress) {
      const came = awaited ? yield* calls.results(runStep, true) : null
      const finalProgress = came === null ? called : withFailures(called, came.failures)
      const { attempts = 1, size, tookMs = 0 } = finalProgress
      const { gathered } = yield* make(1)
      gathered.messages.push(...finalProgress.messages)
      gathered.shown = shownOf(finalProgress)
      if (finalProgress.failed > 0) {
        const declared = awaited ? yield* calls.declared(runStep) : []
        const facts = { startedAt: lastCommit, tookMs, attempt: attempts, credits: 0, declared }
        return yield* fail(runStep, new StepFailed({ message: failureOf(finalProgress) }), gathered, facts)
      }
      const next = after(node, cursor.iteration)
      gathered.messages.push({ message: `${size} ${size === 1 ? "record" : "records"}`, level: "info" })
      // All types of this kind change something or reach outside: a simulation has skipped that.
      const status = isDry(context.run.type, context.loaded.trigger) ? "skipped" : "success"
      for (const note of came?.notes ?? []) gathered.messages.push({ message: note, level: "warn" })
      const change = {
        cursor: next,
        ledger: ledgerOf(runStep, "done", 1, finalProgress),
        logs: [logOf(runStep, status, gathered, tookMs, attempts)]
      }
      if (came === null) yield* save(context, change)
      else {
        const finalChange = { ...change, gathered: { ...newStepOutput(), variables: [...came.variables] } }
        yield* act({ context, record: null, act: Effect.as(calls.holdFiles(context, came.runs), finalChange) })
      }
      return next
    })

    const allTargets = Effect.gen(function* (): Effect.fn.Return<Next | Pause | "more", NotCommitted<StepFailed>> {
      let progress = yield* begin
      let items: { readonly chunk: number; readonly ids: ReadonlyArray<number> } | undefined
      while (progress.done < progress.size) {
        const chunk = Math.floor(progress.done / ITEMS_PER_CHUNK)
        if (items?.chunk !== chunk) items = { chunk, ids: yield* store.items(run_id, node.path, key, chunk) }
        const parted: Progress | Pause = yield* part(progress, items.ids.slice(progress.done % ITEMS_PER_CHUNK))
        if (isPause(parted)) return parted
        progress = parted
        // The called runs of this part come first.
        if (awaited) return "more"
        // The executor ends the run.
        const stopped = context.run.cancel_requested_on !== null || overLimit(context) !== null
        if (stopped && progress.done < progress.size) return cursor
        if (progress.done < progress.size && (yield* limits.stop)) return "more"
      }
      return yield* finish(progress)
    })
    return yield* Effect.catchTag(allTargets, "StepFailed", (error) =>
      fail(runStep, error, onlyLog(firstStep.gathered), { startedAt, credits: 0 })
    )
  })
})

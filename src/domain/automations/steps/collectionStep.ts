// Steps over a collection (developer-api.md 7.6, 7.11 rule 5): targets are fixed at the start, worked on in chunks, how far it has
// come stands in the step's ledger row, so that a repeat goes on behind the last committed record. One that fails leaves the
// others alone; the step fails at the end.
import { Clock, Effect, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Core } from "../commit/stepCommit.ts"
import { after, type Cursor, iterationKey, type PlanNode } from "../model/Plan.ts"
import { type LoopFrame, withCollected } from "../model/RunScope.ts"
import { type LogMessage, type Outcome, StepFailed, type StepRuntime } from "../model/Step.ts"
import { logValues } from "../run/logText.ts"
import { logOf, type RunContext } from "../run/RunContext.ts"
import type { Ending, RunTaken } from "../run/RunRow.ts"
import { ITEMS_PER_CHUNK } from "../run/RunStore.ts"
import { ledgerOf, onlyLog } from "../run/stepEntries.ts"
import type { SliceLimits } from "./SegmentExecutor.ts"

interface Progress {
  readonly size: number
  /** Targets done. */
  readonly done: number
  /** The target that an outside step has begun. */
  readonly begun?: number
  readonly failed: number
  /** What the first that failed say, for the step's error. */
  readonly failures?: ReadonlyArray<string>
  readonly messages: ReadonlyArray<LogMessage>
  /** As logged: what the step was begun with, and with what some of its records. */
  readonly inputs?: Readonly<Record<string, unknown>>
  readonly shown?: ReadonlyArray<Shown>
  readonly tookMs?: number
  readonly attempts?: number
}

/** What a record was worked on with, and what came of it. */
interface Shown {
  readonly record_id: number
  readonly inputs: Readonly<Record<string, unknown>>
  readonly outputs: Readonly<Record<string, unknown>>
}

/** Records of one transaction; an outside step commits each alone. */
const AT_ONCE = 25
const MESSAGES_KEPT = 100
/** The first records are told in full, and so are the first that fail. */
const SHOWN_AT_MOST = 3
/** Characters of a record's own error in the step's. */
const FAILURE_CHARS = 300

const cut = (text: string) => (text.length > FAILURE_CHARS ? `${text.slice(0, FAILURE_CHARS).toWellFormed()}…` : text)

type EachRuntime = Extract<StepRuntime, { readonly kind: "each" }>

export const makeEach = (core: Core) => {
  const { commit, creditsLeft, fail, guarded, overLimit, sql, store, transaction } = core
  const millis = Clock.currentTimeMillis

  return Effect.fnUntraced(function* (
    context: RunContext,
    node: PlanNode,
    cursor: Cursor,
    runtime: EachRuntime,
    loops: ReadonlyArray<LoopFrame>,
    limits: SliceLimits
  ): Effect.fn.Return<Cursor | Ending | null | "more", RunTaken | SqlError> {
    const startedAt = yield* millis
    const { run_id } = context.run
    const key = iterationKey(cursor.iteration)
    const outside = node.kind === "outside"
    const make = (attempt: number) => context.step(node, cursor.iteration, { now: new Date(startedAt), loops, attempt })
    const recordId = context.run.record_id
    const first = make(1)

    const known = yield* store.ledger(run_id, node.path, key)
    let progress = known?.result as Progress | undefined
    if (progress === undefined) {
      const targets = yield* guarded(runtime.targets(first.step)).pipe(
        Effect.catchTag("StepFailed", (error) =>
          fail(context, node, cursor, error, onlyLog(first.gathered), { startedAt, attempt: 1, credits: 0 })
        )
      )
      if (!Array.isArray(targets)) return targets as Cursor | Ending | null
      const begun: Progress = {
        size: targets.length,
        done: 0,
        failed: 0,
        messages: [...first.gathered.messages],
        inputs: logValues(first.gathered.inputs, first.gathered.secrets)
      }
      yield* transaction(
        Effect.andThen(
          store.saveItems(run_id, node.path, key, targets),
          commit(context, { cursor, ledger: ledgerOf(node, cursor, "started", 1, begun) })
        )
      )
      progress = begun
    }

    let at: Progress = progress
    let lastCommit = startedAt
    let items: { readonly chunk: number; readonly ids: ReadonlyArray<number> } | undefined
    while (at.done < at.size) {
      const chunk = Math.floor(at.done / ITEMS_PER_CHUNK)
      if (items?.chunk !== chunk) items = { chunk, ids: yield* store.items(run_id, node.path, key, chunk) }
      const from = at.done % ITEMS_PER_CHUNK
      const ids = items.ids.slice(from, from + (outside ? 1 : Math.min(AT_ONCE, creditsLeft(context))))
      const again = outside && at.begun === at.done
      if (outside) {
        at = { ...at, begun: at.done, attempts: (at.attempts ?? 1) + (again ? 1 : 0) }
        yield* transaction(commit(context, { cursor, ledger: ledgerOf(node, cursor, "started", 1, at) }))
      }
      const { gathered, step } = make(again ? 2 : 1)
      const work = Effect.gen(function* () {
        const messages: Array<LogMessage> = []
        const shown: Array<Shown> = []
        const failures: Array<string> = []
        let failed = 0
        const found = yield* Effect.result(step.records(ids))
        if (Result.isFailure(found)) {
          messages.push({ message: found.failure.message, level: "error" })
          return { failed: ids.length, shown, messages: [...gathered.messages, ...messages] }
        }
        const records = new Map(found.success.map((record) => [record.record_id, record]))
        for (const [index, id] of ids.entries()) {
          const record = records.get(id)
          if (record === undefined) {
            messages.push({ message: `Record ${id} is gone.`, level: "warn" })
            continue
          }
          const keyed = { ...withCollected(step, record), key: `${step.key}/${id}` }
          gathered.inputs.clear()
          gathered.results.clear()
          const before = at.failed + failed
          const one: Effect.Effect<Outcome, StepFailed | SqlError> = guarded(runtime.run(keyed, record))
          // A savepoint: what failed leaves nothing behind.
          yield* (outside ? one : sql.withTransaction(one)).pipe(
            Effect.tap((outcome) =>
              Effect.sync(() => {
                if (outcome.status === "skipped") messages.push({ message: outcome.message, level: "info" })
              })
            ),
            Effect.catchTag("StepFailed", (error) =>
              Effect.sync(() => {
                failed++
                const message = `Record ${id}: ${error.message}`
                messages.push({ message, level: "error" })
                if (before < SHOWN_AT_MOST) failures.push(cut(message))
              })
            )
          )
          const refused = at.failed + failed > before
          if (at.done + index < SHOWN_AT_MOST || (refused && before < SHOWN_AT_MOST)) {
            const { inputs, results, secrets } = gathered
            shown.push({ record_id: id, inputs: logValues(inputs, secrets), outputs: logValues(results, secrets) })
          }
        }
        return { failed, failures, shown, messages: [...gathered.messages, ...messages] }
      })
      const settle = Effect.fnUntraced(function* (
        result: Pick<Progress, "failed" | "failures" | "messages" | "shown">
      ) {
        const now = yield* millis
        const next: Progress = {
          size: at.size,
          done: at.done + ids.length,
          failed: at.failed + result.failed,
          failures: [...(at.failures ?? []), ...(result.failures ?? [])],
          messages: [...at.messages, ...result.messages].slice(0, MESSAGES_KEPT),
          inputs: at.inputs ?? {},
          shown: [...(at.shown ?? []), ...(result.shown ?? [])],
          tookMs: (at.tookMs ?? 0) + now - lastCommit,
          attempts: at.attempts ?? 1
        }
        yield* commit(context, {
          cursor,
          ledger: ledgerOf(node, cursor, "started", 1, next),
          credits: ids.length,
          executedMs: now - lastCommit,
          gathered
        })
        return next
      })
      at = yield* outside
        ? Effect.flatMap(work, (result) => transaction(settle(result)))
        : transaction(
            Effect.flatMap(
              Effect.suspend(() => {
                gathered.messages.length = 0
                gathered.calls.length = 0
                return work
              }),
              settle
            )
          )
      lastCommit = yield* millis
      // The executor ends the run.
      const stopped = context.run.cancel_requested_on !== null || overLimit(context) !== null
      if (stopped && at.done < at.size) return cursor
      if (at.done < at.size && (yield* limits.stop)) return "more"
    }

    const { gathered } = make(1)
    gathered.messages.push(...at.messages)
    const { attempts = 1, inputs = {}, shown = [], size } = at
    const rest = size - shown.length
    // They are cut already.
    gathered.shown = {
      ...inputs,
      ...(shown.length === 0 ? {} : { records: rest > 0 ? [...shown, `… (cut, ${size} records in all)`] : shown })
    }
    if (at.failed > 0) {
      const { failures = [] } = at
      const more = at.failed > failures.length && failures.length > 0 ? "; …" : ""
      const message = [`${at.failed} of ${at.size} records failed.`, failures.join("; ") + more].join(" ").trim()
      const error = new StepFailed({ message })
      const facts = { startedAt: lastCommit, tookMs: at.tookMs ?? 0, attempt: attempts, credits: 0 }
      return yield* fail(context, node, cursor, error, gathered, facts)
    }
    const next = after(node, cursor.iteration)
    gathered.messages.push({ message: `${at.size} ${at.size === 1 ? "record" : "records"}`, level: "info" })
    // All of them change something or reach outside: a simulation has done none of it.
    const status = context.run.type === "simulation" ? "skipped" : "success"
    yield* transaction(
      commit(context, {
        cursor: next,
        ledger: ledgerOf(node, cursor, "done", 1, at),
        logs: [logOf(node, status, gathered, { recordId, millis: at.tookMs ?? 0, attempt: attempts })]
      })
    )
    return next
  })
}

// Executes a run from its cursor to the next durable point (design: automations as durable executions). One transaction per
// step: act, ledger row, log, values, new cursor, all under the run's fence (decisions A1). A step's own error is rolled back
// and committed as a failure; Postgres away is waited for; anything unexpected fails the step readably.
import { Clock, Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ActionType } from "../actions/registry.ts"
import { makeChunks } from "../commit/chunkedSteps.ts"
import { makeTogether } from "../commit/groupedSteps.ts"
import { type Change, type Core, type Executed, isEnding, makeCore } from "../commit/stepCommit.ts"
import { after, type Cursor, iterationKey, type PlanNode } from "../model/Plan.ts"
import { Filters, Values } from "../model/Resolver.ts"
import { type Outcome, RecordChange, type StepFailed, Steps, success } from "../model/Step.ts"
import { logOf, newGathered, type RunContext } from "../run/RunContext.ts"
import type { Commit, Ending, RunTaken } from "../run/RunRow.ts"
import { cancelled, exceptionOf, ledgerOf, onlyLog, rewind, sizesOf } from "../run/stepEntries.ts"
import { costs, isQuiet } from "../run/stepKinds.ts"
import { makeEach } from "./collectionStep.ts"
import { completed, makeControl } from "./controlSteps.ts"
import { makeLoops } from "./loopStep.ts"

/** Why the executor stops. */
export type Directive =
  | { readonly type: "done"; readonly ending: Ending }
  | { readonly type: "wait"; readonly until: Date }
  | { readonly type: "outside"; readonly node: PlanNode; readonly cursor: Cursor }
  /** The slice is used up: go on at once. */
  | { readonly type: "more" }

export interface SliceLimits {
  /** Ends the slice between steps. */
  readonly stop: Effect.Effect<boolean>
}

const nowhere: Ending = {
  status: "failed",
  failure_reason: "actions_setup_failed",
  error_message: "The run stands at a step that its definition does not have."
}

export class SegmentExecutor extends Context.Service<
  SegmentExecutor,
  {
    /** Goes on until a durable point, the end, or the end of the slice. The run has been taken before. */
    readonly segment: (context: RunContext, limits: SliceLimits) => Executed<Directive>
    /** One outside step, begun and finished: after it the cursor stands behind the step. */
    readonly outside: (context: RunContext, limits: SliceLimits) => Executed<Directive>
    /** Ends a run that nothing executes any more. */
    readonly end: (context: RunContext, ending: Ending) => Executed<void>
  }
>()("millrace/automations/steps/SegmentExecutor") {
  static readonly layer = Layer.effect(
    SegmentExecutor,
    Effect.gen(function* () {
      const core = yield* makeCore
      const { commit, fail, guarded, overLimit, save, store, transaction } = core
      const steps = yield* Steps
      const values = yield* Values
      const filters = yield* Filters
      const millis = Clock.currentTimeMillis

      const end = (context: RunContext, ending: Ending) =>
        save(context, { cursor: context.run.cursor, ending, logs: exceptionOf(ending) })

      const loops = makeLoops(core, values, filters)
      const each = makeEach(core)
      const chunks = yield* makeChunks(core)
      const { change, together } = yield* makeTogether(core)
      const { branch, delay, exit } = makeControl(core, values, filters)

      /** A sync webhook's answer is resolved at the end of the run (7.9). */
      const complete = Effect.fnUntraced(function* (context: RunContext) {
        const trigger = context.revision.definition.trigger
        if (!answers(context) || trigger?.type !== "webhook_received") return yield* end(context, completed)
        const scope = context.scope(new Date(yield* millis), [])
        const html = yield* guarded(values.text(trigger.config.response_body, scope)).pipe(
          Effect.catchTag("StepFailed", ({ message }) => Effect.as(Effect.logInfo("no response body", message), ""))
        )
        const gathered = newGathered()
        gathered.pages.push({ join: "replace_previous", html, fullscreen: false, removeBranding: false })
        yield* save(context, { cursor: null, ending: completed, gathered })
      })

      /** A step that a run time executes: inside the transaction (database), before it (outside), or in both (prepared). */
      const runStep = Effect.fnUntraced(function* (
        context: RunContext,
        node: PlanNode,
        cursor: Cursor,
        limits: SliceLimits
      ): Effect.fn.Return<Cursor | Ending | null | "more", RunTaken | SqlError> {
        const type = node.action.type as ActionType
        const runtime = steps.of(type)!
        const startedAt = yield* millis
        const loopFrames = yield* context.loops(node, cursor.iteration)
        if (runtime.kind === "each") return yield* each(context, node, cursor, runtime, loopFrames, limits)
        const attempt = node.kind === "outside" ? yield* begin(context, node, cursor) : 1
        const { gathered, step } = context.step(node, cursor.iteration, {
          now: new Date(startedAt),
          loops: loopFrames,
          attempt
        })
        const next = after(node, cursor.iteration)
        const last = next === null && !answers(context)
        let ended: Ending = completed
        const changeOf = Effect.fnUntraced(function* (outcome: Outcome) {
          const took = (yield* millis) - startedAt
          if (outcome.status === "skipped") gathered.messages.push({ message: outcome.message, level: "info" })
          const quiet = outcome.quiet === true || (outcome.status === "success" && isQuiet(type))
          // The last step's commit ends the run; one that passed the run's time is done all the same.
          const over = last ? overLimit(context, false, took) : null
          ended = over ?? completed
          const recordId = context.run.record_id
          return {
            cursor: next,
            ledger: ledgerOf(node, cursor, "done", attempt, null),
            logs: [
              ...(quiet && gathered.messages.length === 0
                ? []
                : [logOf(node, outcome.status, gathered, { recordId, millis: took, attempt })]),
              ...exceptionOf(over)
            ],
            executedMs: took,
            credits: costs(type) ? 1 : 0,
            ending: last ? ended : null,
            lazy: lazyOf(context, node, last),
            gathered
          } satisfies Change as Change
        })
        const settle = (write: Core["commit"]) => (outcome: Outcome) =>
          Effect.flatMap(changeOf(outcome), (change) => write(context, change))
        type Settled = Effect.Effect<void, StepFailed | RunTaken | SqlError>
        const plain = context.inboxRow !== null
        /** What the step does and what it leaves go in together; a repeat gathers anew. */
        const inside = (act: Effect.Effect<Outcome, StepFailed | SqlError>, record: RecordChange | null): Settled =>
          Effect.suspend(() => {
            const kept = sizesOf(gathered)
            const anew = Effect.andThen(
              Effect.sync(() => rewind(gathered, kept)),
              guarded(act)
            )
            return plain && runtime.kind === "prepared"
              ? together({ context, record, act: Effect.flatMap(anew, changeOf) })
              : transaction(Effect.flatMap(anew, settle(commit)))
          })
        const alone = (outcome: Outcome): Settled =>
          plain ? inside(Effect.succeed(outcome), null) : settle(save)(outcome)
        const prepared = (rest: Outcome | RecordChange | Effect.Effect<Outcome, StepFailed | SqlError>): Settled => {
          if (Effect.isEffect(rest)) return inside(rest, null)
          if (!(rest instanceof RecordChange)) return alone(rest)
          return plain ? inside(Effect.succeed(success), rest) : inside(Effect.as(change([rest]), success), null)
        }
        const whole: Settled =
          runtime.kind === "prepared"
            ? Effect.flatMap(guarded(runtime.run(step)), prepared)
            : node.kind === "outside"
              ? Effect.flatMap(guarded(runtime.run(step)), alone)
              : inside(runtime.run(step), null)
        const goesOn = Effect.map(whole, (): Cursor | Ending | null => (last ? ended : next))
        return yield* Effect.catchTag(goesOn, "StepFailed", (error) =>
          fail(context, node, cursor, error, onlyLog(gathered), { startedAt, attempt, credits: costs(type) ? 1 : 0 })
        )
      })

      /** The `started` mark of an outside step, committed before its effect. */
      const begin = Effect.fnUntraced(function* (context: RunContext, node: PlanNode, cursor: Cursor) {
        const known = yield* store.ledger(context.run.run_id, node.path, iterationKey(cursor.iteration))
        const attempt = (known?.attempts ?? 0) + 1
        yield* save(context, { cursor, ledger: ledgerOf(node, cursor, "started", attempt, null) })
        return attempt
      })

      const go = Effect.fnUntraced(function* (
        context: RunContext,
        limits: SliceLimits,
        /** An outside step is executed here only when it comes first. */
        outsideFirst: boolean
      ): Effect.fn.Return<Directive, RunTaken | SqlError> {
        let cursor = context.run.cursor
        let first = true
        const chunk = chunks(
          context,
          limits,
          (node, at) => steps.of(node.action.type)?.kind !== "each" && chunkable(context, node, at),
          (node, at) => {
            if (node.kind === "branch") return branch(context, node, at)
            if (node.kind === "loop") return loops(context, node, at)
            return runStep(context, node, at, limits) as Executed<Cursor | Ending | null>
          }
        )
        for (;;) {
          if (context.run.cancel_requested_on !== null) {
            yield* end(context, cancelled)
            return { type: "done", ending: cancelled }
          }
          const node: PlanNode | undefined = cursor === null ? undefined : context.revision.plan.nodes.get(cursor.path)
          const over =
            cursor !== null && node === undefined
              ? nowhere
              : overLimit(context, node !== undefined && costs(node.action.type as ActionType))
          if (over !== null) {
            yield* end(context, over)
            return { type: "done", ending: over }
          }
          if (cursor === null || node === undefined) {
            yield* complete(context)
            return { type: "done", ending: completed }
          }
          if (!first && (yield* limits.stop)) return { type: "more" }
          const stands: Cursor | null | undefined = outsideFirst ? undefined : yield* chunk(node, cursor)
          if (stands !== undefined) {
            first = false
            cursor = stands
            continue
          }
          let next: Cursor | Ending | null
          switch (node.kind) {
            case "branch":
              next = yield* branch(context, node, cursor)
              break
            case "loop":
              next = yield* loops(context, node, cursor)
              break
            case "exit":
              next = yield* exit(context, node, cursor)
              break
            case "wait": {
              const waited: Cursor | Ending | null | Date = yield* delay(context, node, cursor)
              if (waited instanceof Date) return { type: "wait", until: waited }
              next = waited
              break
            }
            default: {
              if (node.kind === "outside" && !(outsideFirst && first)) {
                // Whoever executes it takes the run anew, and has to find it here: behind the branch or into the turn of a loop.
                if (cursor !== context.run.cursor) yield* save(context, { cursor })
                return { type: "outside", node, cursor }
              }
              const ran: Cursor | Ending | null | "more" = yield* runStep(context, node, cursor, limits)
              if (ran === "more" || (outsideFirst && !isEnding(ran))) return { type: "more" }
              next = ran
            }
          }
          first = false
          if (isEnding(next)) return { type: "done", ending: next }
          cursor = next
        }
      })

      return SegmentExecutor.of({
        segment: (context, limits) => go(context, limits, false),
        outside: (context, limits) => go(context, limits, true),
        end
      })
    })
  )
}

/**
 * A database step may be lost with the server's last moments: nothing outside has seen it, and it is done again. The end of a run
 * may too, unless Temporal or a caller is told of it.
 */
const lazyOf = ({ inboxRow, revision, run }: RunContext, { action, kind }: PlanNode, last: boolean): Commit["lazy"] => {
  const awaited =
    inboxRow === null ||
    revision.definition.trigger?.type === "webhook_received" ||
    revision.definition.trigger?.type === "weblink_clicked"
  if (kind !== "database" || (last && awaited)) return null
  return { apps: action.config["trigger_webhooks"] === true ? [action.config["app_id"] ?? run.app_id] : [] }
}

/** Steps that may share a transaction: those of a durable run that neither end it nor begin a loop. A plain run shares its own. */
const chunkable = (context: RunContext, node: PlanNode, { iteration, turn }: Cursor): boolean => {
  if (context.inboxRow !== null) return false
  if (node.kind === "branch") return true
  if (node.kind === "loop") return turn !== undefined
  return node.kind === "database" && (after(node, iteration) !== null || answers(context))
}

/** Whether somebody waits for what the end of the run composes. */
const answers = ({ revision }: RunContext): boolean => {
  const { trigger } = revision.definition
  return trigger?.type === "webhook_received" && trigger.config.response_mode === "sync"
}

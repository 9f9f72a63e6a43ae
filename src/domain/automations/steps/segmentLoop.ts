// Executes a run from its cursor to the next durable point, step by step, and commits each step with its output (design: automations as
// durable executions; decisions A1).
import { Effect } from "effect"
import type { Committer, NotCommitted } from "../commit/Committer.ts"
import type { Cursor, PlanNode } from "../model/Plan.ts"
import { Values } from "../model/Resolver.ts"
import { isPlain, type RunContext, type RunStep } from "../run/RunContext.ts"
import { type Ending, isEnding, type Next } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { cancelledFor, completed } from "../run/runEntries.ts"
import type { SliceLimits } from "../run/runLimits.ts"
import { costs } from "../run/stepKinds.ts"
import { makeRunAnswers } from "../values/resolveAnswer.ts"
import { makeActionStep, type Stepped } from "./actionStep.ts"
import { makeDelayStep } from "./delayStep.ts"
import { exitStep, makeRespondStep, responds } from "./exitStep.ts"
import { end, makeComplete } from "./runEnd.ts"
import type { Here, OutsideStop } from "./segmentEnds.ts"
import type { StepKit } from "./stepKit.ts"

const nowhere: Ending = {
  status: "failed",
  failure_reason: "actions_setup_failed",
  error_message: "The run stands at a step that its definition does not have."
}

/** True for an iteration of a loop without conditions, except the first one, which reads the items. */
const isPureTurn = ({ cursor: { turn = 0 }, node: { action, kind } }: RunStep): boolean =>
  kind === "loop" && turn > 0 && action.config["break_condition"] == null && action.config["continue_condition"] == null

export const makeSegmentLoop = Effect.fnUntraced(function* (kit: StepKit) {
  const { alone, atEnd, chunks, committerOf, light, limitsOfRun, modeOf } = kit
  const store = yield* RunStore
  const values = yield* Values
  const answers = yield* makeRunAnswers
  const complete = makeComplete(store, answers)
  const respond = makeRespondStep(store, answers)
  const delay = makeDelayStep(store, values)
  const action = yield* makeActionStep(kit)

  /** Ends the run, if it must, before the step at the cursor, and returns its ending; `completed`: no step is left. */
  const overAt = Effect.fnUntraced(function* (context: RunContext, cursor: Cursor | null, node: PlanNode | undefined) {
    const ending =
      context.run.cancel_requested_on !== null
        ? cancelledFor(yield* store.cancelReason(context.run.run_id))
        : cursor !== null && node === undefined
          ? nowhere
          : limitsOfRun.overLimit(context, node !== undefined && costs(node.action.type))
    if (ending !== null) {
      yield* end(atEnd(context), context, ending)
      return ending
    }
    if (cursor !== null) return null
    yield* complete(atEnd(context), context)
    return completed
  })

  return Effect.fnUntraced(function* (
    context: RunContext,
    limits: SliceLimits,
    here?: Here
  ): Effect.fn.Return<OutsideStop, NotCommitted> {
    let cursor = context.run.cursor
    let isFirst = true
    const isChunked = (step: RunStep) => modeOf(step) === "chunked"
    const onlyOne = here !== undefined && here.along === undefined
    const chunk =
      onlyOne || isPlain(context) ? undefined : chunks({ context, limits, takes: isChunked, execute: light })

    /** Executes a step outside of any chunk. */
    const executeStep = Effect.fnUntraced(function* (
      mine: Committer,
      step: RunStep
    ): Effect.fn.Return<Stepped, NotCommitted> {
      switch (step.node.kind) {
        case "branch":
        case "loop":
          return { type: "next", next: yield* light(mine, step) }
        case "exit":
          return { type: "next", next: yield* (responds(step.node) ? respond : exitStep)(mine, step) }
        case "wait": {
          const waited: Next | Date = yield* delay(mine, step)
          if (waited instanceof Date) return { type: "stop", stop: { type: "wait", until: waited } }
          return { type: "next", next: waited }
        }
        default: {
          const acted: Stepped = yield* action(mine, { ...step, limits, here, first: isFirst })
          if (onlyOne && acted.type === "next" && !isEnding(acted.next)) return { type: "stop", stop: { type: "more" } }
          return acted
        }
      }
    })

    for (;;) {
      const node: PlanNode | undefined = cursor === null ? undefined : context.revision.plan.nodes.get(cursor.path)
      const ending: Ending | null = yield* overAt(context, cursor, node)
      if (ending !== null) return { type: "done", ending }
      const step: RunStep = { context, node: node!, cursor: cursor! }
      if (!isFirst && (yield* limits.stop)) {
        // Branches and iterations commit nothing themselves: this saves the cursor after them, and what steps have deferred, for the next
        // executor.
        if (cursor !== context.storedRun.cursor) yield* committerOf(context, "alone").save(context, { cursor })
        return { type: "more" }
      }
      // An iteration without conditions reads and writes nothing: it needs no transaction.
      if (isPureTurn(step)) {
        const turned: Next = yield* light(alone, step)
        if (isEnding(turned)) return { type: "done", ending: turned }
        isFirst = false
        cursor = turned
        continue
      }
      const mode = modeOf(step)
      if (mode === "chunked" && chunk !== undefined) {
        const cursorAfter: Cursor | null | undefined = yield* chunk(step.node, step.cursor)
        if (cursorAfter !== undefined) {
          isFirst = false
          cursor = cursorAfter
          continue
        }
      }
      const stepped: Stepped = yield* executeStep(committerOf(context, mode), step)
      if (stepped.type === "stop") return stepped.stop
      // A repeated step still is the first one, which may have begun before.
      if (stepped.type === "again") continue
      isFirst = false
      if (isEnding(stepped.next)) return { type: "done", ending: stepped.next }
      cursor = stepped.next
    }
  })
})

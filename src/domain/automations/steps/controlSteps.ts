// Steps that the executor decides itself: branches, delays, exits (developer-api.md 7.6; service.md 2.7 conditional).
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Core } from "../commit/stepCommit.ts"
import { after, type Cursor, into, iterationKey, type PlanNode } from "../model/Plan.ts"
import type { Filters, Values } from "../model/Resolver.ts"
import { logOf, newGathered, type RunContext } from "../run/RunContext.ts"
import type { Ending, RunTaken } from "../run/RunRow.ts"
import { ledgerOf } from "../run/stepEntries.ts"

export const completed: Ending = { status: "completed", failure_reason: null, error_message: null }

export const makeControl = (core: Core, values: Values["Service"], filters: Filters["Service"]) => {
  const { fail, guarded, save, store } = core
  const millis = Clock.currentTimeMillis

  const branch = Effect.fnUntraced(function* (
    context: RunContext,
    node: PlanNode,
    cursor: Cursor
  ): Effect.fn.Return<Cursor | Ending | null, RunTaken | SqlError> {
    const startedAt = yield* millis
    const loopFrames = yield* context.loops(node, cursor.iteration)
    const scope = context.scope(new Date(startedAt), loopFrames)
    return yield* guarded(filters.matches(node.action.config["condition"] ?? null, scope)).pipe(
      Effect.map((matches) => into(node, matches ? "then" : "else", cursor.iteration)),
      Effect.catchTag("StepFailed", (error) =>
        fail(context, node, cursor, error, newGathered(), { startedAt, attempt: 1, credits: 0 })
      )
    )
  })

  const delay = Effect.fnUntraced(function* (
    context: RunContext,
    node: PlanNode,
    cursor: Cursor
  ): Effect.fn.Return<Cursor | Ending | null | Date, RunTaken | SqlError> {
    const startedAt = yield* millis
    const key = iterationKey(cursor.iteration)
    const known = yield* store.ledger(context.run.run_id, node.path, key)
    let until = known?.result?.until as number | undefined
    if (until === undefined) {
      const { delay_ms, delay_until } = node.action.config
      const scope = context.scope(new Date(startedAt), yield* context.loops(node, cursor.iteration))
      const value = delay_until?.type === "date" ? delay_until.date : delay_until
      const resolved = yield* guarded(
        delay_ms !== undefined
          ? Effect.succeed<number | null>(startedAt + delay_ms)
          : Effect.map(values.date(value, scope), (date) => date?.at.getTime() ?? null)
      ).pipe(
        Effect.catchTag("StepFailed", (error) =>
          fail(context, node, cursor, error, newGathered(), { startedAt, attempt: 1, credits: 1 })
        )
      )
      if (resolved !== null && typeof resolved !== "number") return resolved
      // A simulation does not wait, nor does a date that resolves to nothing.
      until = context.run.type === "simulation" ? startedAt : (resolved ?? startedAt)
    }
    if (until > startedAt) {
      // Fixed in the ledger: after a reset only the rest is waited for.
      if (known === null || context.run.wait_until === null) {
        const ledger = ledgerOf(node, cursor, "started", 1, { until })
        yield* save(context, { cursor, ledger, waitUntil: new Date(until) })
      }
      return new Date(until)
    }
    const gathered = newGathered()
    gathered.messages.push({ message: `Waited until ${new Date(until).toISOString()}`, level: "info" })
    const next = after(node, cursor.iteration)
    const recordId = context.run.record_id
    yield* save(context, {
      cursor: next,
      ledger: ledgerOf(node, cursor, "done", 1, { until }),
      logs: [logOf(node, "success", gathered, { recordId, millis: 0, attempt: 1 })],
      credits: 1
    })
    return next
  })

  const exit = Effect.fnUntraced(function* (context: RunContext, node: PlanNode, cursor: Cursor) {
    const ending: Ending | null =
      node.action.config["exit_type"] === "failure"
        ? { status: "failed", failure_reason: "exit_on_purpose", error_message: "The run was ended by an exit step." }
        : null
    const recordId = context.run.record_id
    yield* save(context, {
      // A successful end is committed by the executor, which may have an answer to compose.
      cursor: ending === null ? null : cursor,
      ledger: ledgerOf(node, cursor, "done", 1, null),
      logs: [logOf(node, "success", newGathered(), { recordId, millis: 0, attempt: 1 })],
      credits: 1,
      ending
    })
    return ending
  })

  return { branch, delay, exit }
}

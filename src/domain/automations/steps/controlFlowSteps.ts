// Executes the steps that lead into lists of steps (service.md 2.7): `conditional` takes one of two lists by its condition (developer-api.md
// 7.6), a `for_loop` iterates (7.7 rule 4). Its iterable is read once, at the start. The continue condition is tested before the body, the
// break condition after it. A loop has at most 1000 items; the rest is left out with a warning.
import { Clock, Effect } from "effect"
import type { Committer, NotCommitted } from "../commit/Committer.ts"
import { after, type Cursor, into, intoBody, iterationKey } from "../model/Plan.ts"
import type { Filters, Iterable, Values } from "../model/Resolver.ts"
import { type LoopResult, passed, type RunStep } from "../run/RunContext.ts"
import type { Next } from "../run/RunRow.ts"
import type { RunStore } from "../run/RunStore.ts"
import { ledgerOf, logOf } from "../run/runEntries.ts"
import { newStepOutput } from "../run/StepOutput.ts"
import { guarded, onStepFailed } from "../run/stepGuard.ts"

const ITERATIONS_AT_MOST = 1_000

/** Length of a list's JSON below which the run's total is not computed: only very many such lists would exceed the limit. */
const LIGHT_CHARS = 64 * 1024

const itemsOf = (iterable: Iterable): ReadonlyArray<unknown> =>
  iterable.type === "records" ? iterable.record_ids : iterable.values

export const makeLoopStep = (store: RunStore["Service"], values: Values["Service"], filters: Filters["Service"]) => {
  const start = Effect.fnUntraced(function* <E>({ act }: Committer<E>, step: RunStep, startedAt: number) {
    const { context, cursor, node } = step
    const scope = context.scope(new Date(startedAt), yield* context.loops(node, cursor.iteration))
    const reference = node.action.config["iterable"]
    const iterable: Iterable =
      reference === undefined ? { type: "values", values: [] } : yield* guarded(values.iterable(reference, scope))
    const allItems = itemsOf(iterable)
    const items = allItems.slice(0, ITERATIONS_AT_MOST)
    const result: LoopResult = {
      type: iterable.type,
      ...(iterable.type === "records" ? { app_id: iterable.app_id } : {}),
      size: items.length
    }
    const gathered = newStepOutput()
    if (allItems.length > items.length) {
      const message = `The loop has ${allItems.length} items; the first ${items.length} are run, the rest is left out.`
      gathered.messages.push({ message, level: "warn" })
    }
    const change = {
      cursor: { path: node.path, iteration: cursor.iteration, turn: 0 },
      ledger: ledgerOf(step, "started", 1, result),
      logs: gathered.messages.length === 0 ? [] : [logOf(step, "in_progress", gathered)]
    }
    const saved = Effect.andThen(
      store.saveItems(context.run.run_id, node.path, iterationKey(cursor.iteration), items),
      node.loops.length === 0 || JSON.stringify(items).length < LIGHT_CHARS
        ? Effect.void
        : store.weighItems(context.run.run_id)
    )
    // A nested loop copies its items in each iteration of the outer loop: that counts as execution time, like any step.
    const timedChange = Effect.map(Clock.currentTimeMillis, (now) => ({ ...change, executedMs: now - startedAt }))
    yield* act({ context, record: null, act: Effect.andThen(saved, timedChange) })
  })

  /** Returns the cursor into the body for the next item that the conditions admit; null: the loop has ended. */
  const nextItem = Effect.fnUntraced(function* ({ context, cursor, node }: RunStep, startedAt: number) {
    const { iteration, ran, turn: begun = 0 } = cursor
    const { size } = yield* context.loop(node.path, iteration)
    const { break_condition, continue_condition } = node.action.config
    const inside = { ...node, loops: [...node.loops, node.path] }
    const scopeOf = (index: number) =>
      Effect.map(context.loops(inside, [...iteration, index]), (frames) => context.scope(new Date(startedAt), frames))
    if (ran === true && break_condition != null && begun > 0) {
      if (yield* guarded(filters.matches(break_condition, yield* scopeOf(begun - 1)))) return null
    }
    let index = begun
    for (; index < size; index++) {
      if (continue_condition == null) break
      if (!(yield* guarded(filters.matches(continue_condition, yield* scopeOf(index))))) break
    }
    return index < size ? intoBody(node, iteration, index) : null
  })

  return Effect.fnUntraced(function* <E>(
    committer: Committer<E>,
    step: RunStep
  ): Effect.fn.Return<Next, NotCommitted<E>> {
    const { context, cursor, node } = step
    const startedAt = yield* Clock.currentTimeMillis
    return yield* Effect.gen(function* () {
      if (cursor.turn === undefined) {
        yield* start(committer, step, startedAt)
        return { path: node.path, iteration: cursor.iteration, turn: 0 } as Cursor
      }
      const next = yield* nextItem(step, startedAt)
      if (next !== null) {
        yield* passed(context, startedAt)
        return next
      }
      const end = after(node, cursor.iteration)
      const result = yield* context.loop(node.path, cursor.iteration)
      const executedMs = (yield* Clock.currentTimeMillis) - startedAt
      yield* committer.save(context, { cursor: end, ledger: ledgerOf(step, "done", 1, result), executedMs })
      return end
    }).pipe(onStepFailed((error) => committer.fail(step, error, newStepOutput(), { startedAt, credits: 0 })))
  })
}

/** A branch itself commits nothing. */
export const makeBranchStep = (filters: Filters["Service"]) =>
  Effect.fnUntraced(function* <E>({ fail }: Committer<E>, step: RunStep): Effect.fn.Return<Next, NotCommitted<E>> {
    const { context, cursor, node } = step
    const startedAt = yield* Clock.currentTimeMillis
    const scope = context.scope(new Date(startedAt), yield* context.loops(node, cursor.iteration))
    return yield* guarded(filters.matches(node.action.config["condition"] ?? null, scope)).pipe(
      Effect.map((matches) => into(node, matches ? "then" : "else", cursor.iteration)),
      Effect.tap(() => passed(context, startedAt)),
      onStepFailed((error) => fail(step, error, newStepOutput(), { startedAt, credits: 0 }))
    )
  })

// Executes `delay`: waits until an instant that is computed once, when the step begins (developer-api.md 7.6).
import { Clock, Effect } from "effect"
import type { Committer, NotCommitted } from "../commit/Committer.ts"
import { after, iterationKey } from "../model/Plan.ts"
import type { Values } from "../model/Resolver.ts"
import { StepFailed } from "../model/Step.ts"
import type { RunStep } from "../run/RunContext.ts"
import type { Next } from "../run/RunRow.ts"
import type { RunStore } from "../run/RunStore.ts"
import { ledgerOf, logOf } from "../run/runEntries.ts"
import { lifetimeEnds, outlived } from "../run/runLimits.ts"
import { newStepOutput } from "../run/StepOutput.ts"
import { guarded } from "../run/stepGuard.ts"

const isoText = (at: number): string => new Date(at).toISOString()

/** Returns the log message of a delay that ends as soon as it begins. @param resolved null: its reference is empty */
const notWaited = (resolved: number | null, now: number): string => {
  if (resolved === null) return "There is no date to wait for."
  return resolved > now ? `Simulation: it would wait until ${isoText(resolved)}.` : `${isoText(resolved)} is past.`
}

/** Returns the next cursor or the run's ending, or the date for which the run waits. */
export const makeDelayStep = (store: RunStore["Service"], values: Values["Service"]) =>
  Effect.fnUntraced(function* ({ fail, save }: Committer, step: RunStep): Effect.fn.Return<Next | Date, NotCommitted> {
    const { context, cursor, node } = step
    const startedAt = yield* Clock.currentTimeMillis
    const key = iterationKey(cursor.iteration)
    const ledgerRow = yield* store.ledger(context.run.run_id, node.path, key)
    let until = ledgerRow?.result?.until as number | undefined
    let message = until === undefined ? "" : `Waited until ${isoText(until)}`
    if (until === undefined) {
      const { delay_ms, delay_until } = node.action.config
      const scope = context.scope(new Date(startedAt), yield* context.loops(node, cursor.iteration))
      const value = delay_until?.type === "date" ? delay_until.date : delay_until
      const resolved = yield* guarded(
        delay_ms !== undefined
          ? Effect.succeed<number | null>(startedAt + delay_ms)
          : Effect.map(values.date(value, scope), (date) => date?.at.getTime() ?? null)
      ).pipe(
        Effect.filterOrFail(
          (at) => at === null || at < lifetimeEnds(context.run),
          (at) => new StepFailed({ message: outlived(at!) })
        ),
        Effect.catchTag("StepFailed", (error) => fail(step, error, newStepOutput(), { startedAt, credits: 1 }))
      )
      if (resolved !== null && typeof resolved !== "number") return resolved
      // A simulation does not wait, nor does a date that resolves to nothing.
      until = context.run.type === "simulation" ? startedAt : (resolved ?? startedAt)
      message = notWaited(resolved, startedAt)
    }
    if (until > startedAt) {
      // The ledger holds the instant: after a reset the run waits only for the rest.
      if (ledgerRow === null || context.run.wait_until === null) {
        const ledger = ledgerOf(step, "started", 1, { until })
        yield* save(context, { cursor, ledger, waits: { why: "delay", until: new Date(until) } })
      }
      return new Date(until)
    }
    const gathered = newStepOutput()
    gathered.messages.push({ message, level: "info" })
    const next = after(node, cursor.iteration)
    yield* save(context, {
      cursor: next,
      ledger: ledgerOf(step, "done", 1, { until }),
      logs: [logOf(step, "success", gathered)],
      credits: 1
    })
    return next
  })

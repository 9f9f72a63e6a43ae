// Limits that end a run, or a slice of its execution, early (developer-api.md 7.11 run semantics 5 and 6), and its maximum lifetime, waits
// included (7.11 rule 6).
import { Effect } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { momentOfInstant } from "../../../platform/primitives/dates.ts"
import type { RunContext } from "./RunContext.ts"
import type { Ending } from "./RunRow.ts"

const LIFE_DAYS = 400

export const LIFE_RULE = `A run lives at most ${LIFE_DAYS} days`

/** Epoch milliseconds. */
export const lifetimeEnds = ({ created_on }: { readonly created_on: Date }): number =>
  created_on.getTime() + LIFE_DAYS * 86_400_000

/** Error message of a delay that would end after the run's lifetime. */
export const outlived = (until: number): string =>
  `${LIFE_RULE}; this delay would wait until ${momentOfInstant(until)} (UTC).`

export interface SliceLimits {
  /** True: the slice ends before the next step. */
  readonly stop: Effect.Effect<boolean>
}

export const makeRunLimits = Effect.gen(function* () {
  const { runActionsMax, runMinutesMax } = yield* AppConfig

  /**
   * Returns the ending of a run that has used up its execution time, `tookMs` included, or its actions (checked only if the next step costs
   * one).
   */
  const overLimit = ({ passedMs, run }: RunContext, costs = true, tookMs = 0): Ending | null => {
    if (run.executed_ms + passedMs + tookMs > runMinutesMax * 60_000) {
      const error_message = `The steps took more than ${runMinutesMax} minutes of execution in all.`
      return { status: "failed", failure_reason: "actions_timeout", error_message }
    }
    if (costs && run.credits >= runActionsMax) {
      const error_message = `The run used up its ${runActionsMax} actions.`
      return { status: "failed", failure_reason: "actions_resource_limit_exceeded", error_message }
    }
    return null
  }

  /** Returns the number of actions that the run may still use. */
  const creditsLeft = ({ run }: RunContext) => runActionsMax - run.credits
  return { overLimit, creditsLeft }
})
export type RunLimits = Effect.Success<typeof makeRunLimits>

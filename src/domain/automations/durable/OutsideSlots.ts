// Concurrency slots of a process for outside steps, with fair scheduling between organizations (decisions A22). Temporal hands out
// activities first come, first served. It may hand out far more than there are slots; this file decides which of them begin.
import { Context, Effect, Layer } from "effect"
import { Draining } from "../../../engine/temporal/Draining.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { loopLagDelay } from "../../../platform/fairness/loopLagDelay.ts"
import { makeSlotMetrics } from "../../../platform/fairness/slotMetrics.ts"

/** Additional slots, as a share of all slots, for organizations that have none while others fill them. */
const RESERVE = 1 / 4

export class OutsideSlots extends Context.Service<
  OutsideSlots,
  {
    /** Runs the step once its organization gets a slot; null: the process ends before that. */
    readonly inTurn: (
      orgId: number | undefined
    ) => <A, E, R>(step: Effect.Effect<A, E, R>) => Effect.Effect<A | null, E, R>
    /** True if a step waits for a slot. */
    readonly wanted: Effect.Effect<boolean>
  }
>()("millrace/automations/durable/OutsideSlots") {
  static readonly layer = Layer.effect(
    OutsideSlots,
    Effect.gen(function* () {
      const draining = yield* Draining
      const { outsideStepsConcurrent: most } = yield* AppConfig
      const stepSlots = yield* makeSlotMetrics("outside", { places: most, reserve: Math.ceil(most * RESERVE) })
      return OutsideSlots.of({
        wanted: Effect.sync(() => stepSlots.state().waiting > 0),
        // Activities that an earlier release has scheduled have no organization: they count as those of one owner.
        inTurn: (orgId) => (step) =>
          Effect.suspend(() => {
            let hasBegun = false
            const stepInSlot = stepSlots.use(orgId ?? "unknown")(
              Effect.suspend(() => {
                hasBegun = true
                return Effect.andThen(loopLagDelay, step)
              })
            )
            const end = Effect.flatMap(draining.wait, () => (hasBegun ? Effect.never : Effect.succeed(null)))
            return Effect.raceFirst(stepInSlot, end)
          })
      })
    })
  )
}

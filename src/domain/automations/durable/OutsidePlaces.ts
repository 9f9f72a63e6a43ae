// Outside steps share the places of a process between organizations, in turn (decisions A22). Temporal gives activities out first
// come, first served: so it may give far more than there are places, and who begins is decided here.
import { Context, Effect, Layer } from "effect"
import { Draining } from "../../../engine/temporal/Draining.ts"
import { AppConfig } from "../../../ground/config/Config.ts"
import { makeShownPlaces } from "../../../ground/fairness/shown.ts"
import { whenOnTime } from "../../../ground/fairness/whenOnTime.ts"

/** So many more, in parts of all places, for organizations that have none while others fill them. */
const RESERVE = 1 / 4

export class OutsidePlaces extends Context.Service<
  OutsidePlaces,
  {
    /** The step once it is the organization's turn; null: the process ends before that. */
    readonly inTurn: (
      orgId: number | undefined
    ) => <A, E, R>(step: Effect.Effect<A, E, R>) => Effect.Effect<A | null, E, R>
    /** Whether anybody waits for a place. */
    readonly wanted: Effect.Effect<boolean>
  }
>()("millrace/automations/durable/OutsidePlaces") {
  static readonly layer = Layer.effect(
    OutsidePlaces,
    Effect.gen(function* () {
      const draining = yield* Draining
      const { outsideStepsConcurrent: most } = yield* AppConfig
      const places = yield* makeShownPlaces("outside", { places: most, reserve: Math.ceil(most * RESERVE) })
      return OutsidePlaces.of({
        wanted: Effect.sync(() => places.state().waiting > 0),
        // Those that an earlier release has begun do not say whose they are: they are as one owner.
        inTurn: (orgId) => (step) =>
          Effect.suspend(() => {
            let begun = false
            const turn = places.use(orgId ?? "unknown")(
              Effect.suspend(() => {
                begun = true
                return Effect.andThen(whenOnTime, step)
              })
            )
            const end = Effect.flatMap(draining.wait, () => (begun ? Effect.never : Effect.succeed(null)))
            return Effect.raceFirst(turn, end)
          })
      })
    })
  )
}

// Shows slots in /metrics by kind, never by owner: how many there are, how many are taken, and how many requests wait (decisions A22).
import { Effect, type Scope } from "effect"
import { gauge } from "../metrics/instruments.ts"
import { observing } from "../metrics/observers.ts"
import { type FairPlaces, type FairPlacesOptions, makeFairPlaces } from "./FairPlaces.ts"

const limit = gauge("millrace.places.limit")
const takenSlots = gauge("millrace.places.taken")
const waitingCount = gauge("millrace.places.waiting")

const kinds = new Map<string, Set<FairPlaces>>()

/** Updates the gauges. */
const observePlaces = Effect.sync(() => {
  for (const [kind, all] of kinds) {
    limit.set(
      [...all].reduce((total, places) => total + places.limit(), 0),
      kind
    )
    const states = [...all].map((places) => places.state())
    const sum = (of: "taken" | "waiting") => states.reduce((total, state) => total + state[of], 0)
    takenSlots.set(sum("taken"), kind)
    waitingCount.set(sum("waiting"), kind)
  }
})

/** Makes fair slots of a kind, shown for as long as the scope is open. */
export const makeSlotMetrics = (
  kind: string,
  options: FairPlacesOptions
): Effect.Effect<FairPlaces, never, Scope.Scope> =>
  Effect.andThen(
    observing("places", observePlaces),
    Effect.acquireRelease(
      Effect.sync(() => {
        const fairPlaces = makeFairPlaces(options)
        kinds.set(kind, (kinds.get(kind) ?? new Set()).add(fairPlaces))
        return fairPlaces
      }),
      (places) => Effect.sync(() => kinds.get(kind)!.delete(places))
    )
  )

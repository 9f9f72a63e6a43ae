// Places that /metrics shows by kind, never by owner: how many are taken, and how many wait for one (decisions A22).
import { Effect, Metric, type Scope } from "effect"
import { type FairPlaces, type FairPlacesOptions, makeFairPlaces } from "./FairPlaces.ts"

const taken = Metric.gauge("millrace_places_taken", { description: "Places in use in this process, by kind" })
const waiting = Metric.gauge("millrace_places_waiting", {
  description: "Who waits for a place in this process, by kind"
})

const kinds = new Map<string, Set<FairPlaces>>()

/** Fair places of a kind, shown for as long as the scope is open. */
export const makeShownPlaces = (
  kind: string,
  options: FairPlacesOptions
): Effect.Effect<FairPlaces, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const places = makeFairPlaces(options)
      kinds.set(kind, (kinds.get(kind) ?? new Set()).add(places))
      return places
    }),
    (places) => Effect.sync(() => kinds.get(kind)!.delete(places))
  )

/** Brings the gauges up to date. */
export const observePlaces = Effect.gen(function* () {
  for (const [kind, all] of kinds) {
    const states = [...all].map((places) => places.state())
    const sum = (of: "taken" | "waiting") => states.reduce((total, state) => total + state[of], 0)
    yield* Metric.update(Metric.withAttributes(taken, { kind }), sum("taken"))
    yield* Metric.update(Metric.withAttributes(waiting, { kind }), sum("waiting"))
  }
})

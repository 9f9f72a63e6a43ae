// Answers the engine's question whether a filter matches (decisions A6).
import { Effect, Layer } from "effect"
import { Filters } from "../model/Resolver.ts"
import { Matching } from "./evaluateMany.ts"

export const FiltersLive = Layer.effect(
  Filters,
  Effect.gen(function* () {
    const { judge } = yield* Matching
    return Filters.of({
      matches: (group, scope) =>
        group === null ? Effect.succeed(true) : Effect.map(judge(group, [scope]), ([matches]) => matches === true)
    })
  })
).pipe(Layer.provideMerge(Matching.layer))

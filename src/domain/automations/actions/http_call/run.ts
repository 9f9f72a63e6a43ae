// `http_call` (developer-api.md 7.6; decisions P3).
import { Effect } from "effect"
import { once, type StepOf } from "../runtime.ts"
import { HttpCalls } from "../shared/HttpCalls.ts"
import { skipInSimulation } from "../simulation.ts"

export const run = Effect.gen(function* () {
  const calls = yield* HttpCalls
  return once(
    Effect.fnUntraced(function* (step: StepOf<"http_call">) {
      const request = yield* calls.build(step)
      if (step.simulation) return skipInSimulation(`${request.method} ${request.shown} would be sent.`)
      return yield* calls.perform(step, request, (one) => calls.send(step, one))
    })
  )
})

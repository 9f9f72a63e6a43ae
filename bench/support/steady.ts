// A load on a steady beat, and waiting for what it caused.
import { Clock, Effect } from "effect"
import { BenchFailed } from "./Row.ts"
import type { BenchReceiver } from "./receiver.ts"

/** Appends on a steady beat, whatever an append takes. @param beat appends what is due at each tick */
export const steadily = <A, E>(seconds: number, perSecond: number, beat: (tick: number) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    for (let tick = 0; tick < seconds * perSecond; tick++) {
      const wait = began + (tick * 1000) / perSecond - (yield* Clock.currentTimeMillis)
      if (wait > 0) yield* Effect.sleep(wait)
      yield* beat(tick)
    }
  })

export const arrivedAll = Effect.fnUntraced(function* (receiver: BenchReceiver, wanted: number, seconds: number) {
  const until = (yield* Clock.currentTimeMillis) + seconds * 1000
  while (receiver.count() < wanted) {
    if ((yield* Clock.currentTimeMillis) > until)
      return yield* new BenchFailed({ message: `${receiver.count()} of ${wanted} deliveries arrived` })
    yield* Effect.sleep("20 millis")
  }
})

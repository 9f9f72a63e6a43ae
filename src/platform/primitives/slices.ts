// Works on many items in slices, so that it blocks the event loop for no longer than one slice (decisions P8).
import { Effect } from "effect"

/** Length of a slice. */
const MILLIS = 10

/** Applies `f` to each item, in their order; yields to other work every few milliseconds. */
export const inSlices = <A, B>(items: ReadonlyArray<A>, f: (item: A, index: number) => B): Effect.Effect<Array<B>> =>
  Effect.suspend(() => {
    const out: Array<B> = []
    const slice = (): Effect.Effect<Array<B>> => {
      const until = performance.now() + MILLIS
      while (out.length < items.length) {
        out.push(f(items[out.length]!, out.length))
        if (performance.now() > until && out.length < items.length) {
          return Effect.andThen(Effect.yieldNow, Effect.suspend(slice))
        }
      }
      return Effect.succeed(out)
    }
    return slice()
  })

/** Yields between pieces of work, if the last yield was too long ago. */
export const makeGivingWay = (): Effect.Effect<void> => {
  let until = performance.now() + MILLIS
  const beginSlice = Effect.sync(() => {
    until = performance.now() + MILLIS
  })
  return Effect.suspend(() => (performance.now() < until ? Effect.void : Effect.andThen(Effect.yieldNow, beginSlice)))
}

// Work over many things in slices, so that it holds the event loop for no longer than one of them takes (decisions P8).
import { Effect } from "effect"

/** A slice's length. */
const MILLIS = 10

/** `f` of each item, in their order; others have their turn every few milliseconds. */
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

/** Between pieces of work: others have their turn where the last one was too long ago. */
export const makeGivingWay = (): Effect.Effect<void> => {
  let until = performance.now() + MILLIS
  const again = Effect.sync(() => {
    until = performance.now() + MILLIS
  })
  return Effect.suspend(() => (performance.now() < until ? Effect.void : Effect.andThen(Effect.yieldNow, again)))
}

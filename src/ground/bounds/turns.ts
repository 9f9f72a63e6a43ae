// Large bodies are looked at one after another, each in a turn of the event loop of its own, so that many at once hold it for no
// longer than one of them takes (decisions P8).
import { Effect } from "effect"

/** Smaller ones are done with before anybody notices. */
const LARGE = 32 * 1024

let last: Promise<void> = Promise.resolve()

/** Waits for a turn that no other large body has. What follows without waiting is done in it. */
const turn = Effect.promise(() => {
  last = last.then(() => new Promise<void>((resolve) => void setImmediate(resolve)))
  return last
})

/** @param size bytes of what is about to be looked at */
export const turnFor = (size: number): Effect.Effect<void> => (size > LARGE ? turn : Effect.void)

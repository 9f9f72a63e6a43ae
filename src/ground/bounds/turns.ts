// Large bodies are looked at one after another, each in a turn of the event loop of its own, and as long as one takes the loop
// belongs to others before the next (decisions P8): a small request, which needs several turns, waits for one of them, not for all.
import { Effect } from "effect"

/** Smaller ones are done with before anybody notices. */
const LARGE = 32 * 1024
/** Waited at most, whatever the loop was held by. */
const PAUSE_AT_MOST = 100

let last: Promise<void> = Promise.resolve()

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))
const paused = (millis: number) => new Promise<void>((resolve) => void setTimeout(resolve, millis))

/** Waits for a turn that no other large body has. What follows without waiting is done in it. */
const turn = Effect.promise(() => {
  const mine = last.then(nextTurn)
  last = mine.then(async () => {
    const begun = performance.now()
    await nextTurn()
    await paused(Math.min(PAUSE_AT_MOST, performance.now() - begun))
  })
  return mine
})

/** @param size bytes of what is about to be looked at */
export const turnFor = (size: number): Effect.Effect<void> => (size > LARGE ? turn : Effect.void)

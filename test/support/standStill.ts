// A process that stands still, as one does that is stopped or is given no processor, and the beat by which it knows (src/platform/primitives/loopBeat.ts).
import { Effect } from "effect"
import { onBeat } from "../../src/platform/primitives/loopBeat.ts"

/** Nothing of this thread runs for so many milliseconds. */
export const standStill = (millis: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis)
}

/** There is a beat until the scope ends. */
export const beating = Effect.acquireRelease(
  Effect.sync(() => onBeat(() => {})),
  (stop) => Effect.sync(stop)
)

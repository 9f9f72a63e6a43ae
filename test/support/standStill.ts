// A process that stands still, as one does that is stopped or is given no processor, and the beat by which it knows (src/platform/primitives/eventLoopLag.ts).
import { Effect } from "effect"
import { onLagReport } from "../../src/platform/primitives/eventLoopLag.ts"

/** Nothing of this thread runs for so many milliseconds. */
export const standStill = (millis: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis)
}

/** There is a beat until the scope ends. */
export const beating = Effect.acquireRelease(
  Effect.sync(() => onLagReport(() => {})),
  (stop) => Effect.sync(stop)
)

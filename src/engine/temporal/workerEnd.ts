// Ends a worker of the SDK. The worker says FAILED before it has let go of its core, and may then never end. Waiting on it for ever would
// leave its queue without a worker.
import { Effect } from "effect"
import { callTemporal, TemporalFailed } from "./TemporalFailed.ts"

/** Part of the SDK's worker that this file uses. */
export interface Endable {
  readonly run: () => Promise<void>
  readonly shutdown: () => void
  readonly getState: () => string
}

const LOOK_EVERY = "1 second"
/** Wait for the worker's end. Activities in flight have been cancelled by then. */
const PATIENCE = "15 seconds"

const untilFailed = (worker: Endable) =>
  Effect.sync(() => worker.getState() === "FAILED").pipe(
    Effect.delay(LOOK_EVERY),
    Effect.repeat({ until: (failed) => failed }),
    Effect.andThen(Effect.sleep(PATIENCE)),
    Effect.andThen(
      Effect.fail(new TemporalFailed({ cause: new Error("the worker failed, and does not come to an end") }))
    )
  )

/** Runs the worker until it fails. Interrupted, it stops polling and waits for activities in flight, but not for ever. */
export const runToEnd = Effect.fnUntraced(function* (worker: Endable) {
  const run = worker.run()
  // Awaited below or in the finalizer, whichever comes first.
  run.catch(() => undefined)
  const awaitEnd = Effect.promise(() => run.catch(() => undefined))
  yield* Effect.addFinalizer(() => {
    if (worker.getState() === "FAILED") return Effect.void
    if (worker.getState() === "RUNNING") worker.shutdown()
    return Effect.timeoutOption(awaitEnd, PATIENCE)
  })
  yield* Effect.raceFirst(
    callTemporal(() => run),
    untilFailed(worker)
  )
}, Effect.scoped)

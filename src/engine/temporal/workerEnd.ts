// How a worker of the SDK ends. It says FAILED before it has let go of its core, and may then never come to an end: waiting on it for ever
// would leave its queue to nobody.
import { Effect } from "effect"
import { TemporalFailed } from "./TemporalFailed.ts"

/** Of the SDK's worker. */
export interface Endable {
  readonly run: () => Promise<void>
  readonly shutdown: () => void
  readonly getState: () => string
}

const LOOK_EVERY = "1 second"
/** What was in the air has been cancelled by then. */
const PATIENCE = "15 seconds"

const refused = (cause: unknown) => new TemporalFailed({ cause })

const untilFailed = (worker: Endable) =>
  Effect.sync(() => worker.getState() === "FAILED").pipe(
    Effect.delay(LOOK_EVERY),
    Effect.repeat({ until: (failed) => failed }),
    Effect.andThen(Effect.sleep(PATIENCE)),
    Effect.andThen(Effect.fail(refused(new Error("the worker failed, and does not come to an end"))))
  )

/** Until it fails; interrupted, it stops polling and waits for what is in the air, but not for ever. */
export const runToEnd = Effect.fnUntraced(function* (worker: Endable) {
  const run = worker.run()
  // Awaited below or in the finalizer, whichever comes first.
  run.catch(() => undefined)
  const over = Effect.promise(() => run.catch(() => undefined))
  yield* Effect.addFinalizer(() => {
    if (worker.getState() === "FAILED") return Effect.void
    if (worker.getState() === "RUNNING") worker.shutdown()
    return Effect.timeoutOption(over, PATIENCE)
  })
  yield* Effect.raceFirst(Effect.tryPromise({ try: () => run, catch: refused }), untilFailed(worker))
}, Effect.scoped)

// The launcher hears from the service how its parts are, by the probes of /health/ready, and restarts an embedded one that has stopped
// (decisions P12; bin/parts/watch.js). Over the channel that it has given its child: nobody else is told.
import { Effect, Layer } from "effect"
import { HealthProbes } from "./health.ts"

/** That the launcher may start anew. */
const PARTS = ["postgres", "temporal"]
const EVERY = "5 seconds"

const tell = (send: NonNullable<typeof process.send>) =>
  Effect.gen(function* () {
    const probes = yield* HealthProbes
    const probeResults = yield* probes.some(PARTS)
    const parts = Object.fromEntries(probeResults.map(({ detail, name, ok }) => [name, { ok, detail }]))
    // A launcher that is gone hears nothing; parent-watch.js ends the process then.
    yield* Effect.sync(() => send.call(process, { parts }, () => undefined))
  })

/** Reports the parts to the launcher; does nothing if the process has no launcher. */
export const LauncherReports = Layer.effectDiscard(
  Effect.suspend(() => {
    const send = process.send
    if (send === undefined) return Effect.void
    const round = Effect.catchCause(tell(send), (cause) => Effect.logDebug("the launcher could not be told", cause))
    return Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(EVERY), round))))
  })
)

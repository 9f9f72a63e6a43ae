// Temporal from the command line: a connection that repeats nothing, since what would be repeated after its end dies of it ("Channel has been
// shut down") where nobody can catch it; and each call has a deadline. Whether it works is asked by the calls of the service itself.
import type { Connection, ConnectionOptions } from "@temporalio/client"
import { Clock, Effect } from "effect"
import { load, type TemporalSettings } from "../../../../temporal.config.ts"
import { answersPoll, type Calls, describes } from "../../../engine/temporal/temporalLiveness.ts"

const DEADLINE_MILLIS = 10_000

/** Made without a call; closed with the scope. */
export const connectTo = (settings: TemporalSettings) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = await import("@temporalio/client")
      return client.Connection.lazy({ ...(settings.connection as ConnectionOptions), interceptors: [] })
    }),
    (connection) => Effect.promise(() => connection.close())
  )

/** A call with a deadline, which ends when nobody waits for it any more. */
export const asking =
  (connection: Connection) =>
  <A>(f: () => Promise<A>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.tryPromise({
        try: (signal) => connection.withAbortSignal(signal, () => connection.withDeadline(now + DEADLINE_MILLIS, f)),
        catch: (cause) => cause
      })
    )

/** Fails with why it does not work. */
export const works = (connection: Connection, namespace: string) => {
  const calls = connection as unknown as Calls
  return Effect.andThen(describes(namespace)(calls), answersPoll(namespace)(calls))
}

/** Checks Temporal for callers who need only whether it works. */
export const askTemporal = Effect.gen(function* () {
  const settings = load()
  const connection = yield* connectTo(settings)
  return yield* works(connection, settings.namespace).pipe(
    Effect.match({
      onFailure: (why): { readonly ok: boolean; readonly detail?: string } => ({ ok: false, detail: why }),
      onSuccess: () => ({ ok: true })
    })
  )
}).pipe(Effect.scoped)

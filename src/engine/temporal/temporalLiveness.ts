// Checks that Temporal works by two calls that do its work (decisions P12). DescribeNamespace reads its store, and an answered poll has
// gone through all of its services. A server whose port answers and whose store fails has stopped. For health, metrics, `doctor` and
// `parts`.
import { hostname } from "node:os"
import { Clock, Effect } from "effect"
import { Temporal } from "./Temporal.ts"
import { callTemporal, type TemporalFailed } from "./TemporalFailed.ts"

/** Task queue without any tasks: a poll is answered with nothing, just before its deadline. */
const QUEUE = "millrace-liveness"
/** Longest poll: the server logs a warning of polls that are given less. */
const POLL_MILLIS = 12_000
/** Poll after a failure, shorter because somebody waits for a recovery; a server accepts no less than 2 s. */
const POLL_AGAIN_MILLIS = 4_000
/** Time for DescribeNamespace: the native client repeats a failing call for ten seconds before it says why. */
const DESCRIBE_MILLIS = 12_000
const EVERY = "2 seconds"
/** Age beyond which a result counts as a failure: longer than two calls and a pause. */
const FRESH_MILLIS = 7_000

/** Calls that connections of both kinds offer: the worker's native one, and the command line's. */
export interface Calls {
  readonly workflowService: {
    readonly describeNamespace: (request: { namespace: string }) => Promise<unknown>
    readonly pollWorkflowTaskQueue: (request: {
      namespace: string
      taskQueue: { name: string }
      identity: string
    }) => Promise<unknown>
  }
  readonly withDeadline: <A>(deadline: number, f: () => Promise<A>) => Promise<A>
  readonly withAbortSignal: <A>(signal: AbortSignal, f: () => Promise<A>) => Promise<A>
}

/** Makes a call that ends with its deadline, and when nobody waits for it any more. */
const ask = (name: string, millis: number, f: (calls: Calls) => Promise<unknown>) => (calls: Calls) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    callTemporal((signal) => calls.withAbortSignal(signal, () => calls.withDeadline(now + millis, () => f(calls))))
  ).pipe(
    Effect.timeout(millis + 1_000),
    Effect.mapError((error) =>
      error._tag === "TemporalFailed" ? `${name}: ${describeFailure(error)}` : `${name}: no answer`
    )
  )

/** Server's own words, without the numbers before them. */
const describeFailure = ({ cause, message }: TemporalFailed) => {
  const { details } = (cause ?? {}) as { readonly details?: unknown }
  return typeof details === "string" && details !== "" ? details : message
}

export const describes = (namespace: string) =>
  ask("DescribeNamespace", DESCRIBE_MILLIS, ({ workflowService }) => workflowService.describeNamespace({ namespace }))

export const answersPoll = (namespace: string, millis = POLL_AGAIN_MILLIS) =>
  ask("poll", millis, ({ workflowService }) =>
    workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: QUEUE }, identity: `liveness@${hostname()}` })
  )

/** Checks in the background, since a call to an absent server hangs; answers with the latest result. */
export const makeLiveness = Effect.gen(function* () {
  const temporal = yield* Temporal
  const { connection, namespace } = temporal.settings
  const startedAt = yield* Clock.currentTimeMillis
  let described: number | undefined
  let polled: string | undefined
  let failure: string | undefined
  const calls = Effect.map(temporal.client, (client): Calls => client.connection as unknown as Calls)
  const describe = Effect.flatMap(calls, describes(namespace)).pipe(
    Effect.timeoutOrElse({
      duration: DESCRIBE_MILLIS + 2_000,
      orElse: () => Effect.fail("DescribeNamespace: not connected")
    }),
    Effect.andThen(Clock.currentTimeMillis),
    Effect.match({
      onFailure: (why) => {
        failure = why
      },
      onSuccess: (now) => {
        described = now
        failure = undefined
      }
    })
  )
  const poll = Effect.suspend(() =>
    Effect.flatMap(calls, answersPoll(namespace, polled === undefined ? POLL_MILLIS : POLL_AGAIN_MILLIS))
  ).pipe(
    Effect.match({
      onFailure: (why) => {
        polled = why
      },
      onSuccess: () => {
        polled = undefined
      }
    })
  )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(describe, Effect.sleep(EVERY))))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(poll, Effect.sleep(EVERY))))
  return Effect.map(Clock.currentTimeMillis, (now) => {
    const isFresh = described !== undefined && now - described <= FRESH_MILLIS
    if (isFresh && polled === undefined) return { ok: true }
    const seconds = Math.round((now - (described ?? startedAt)) / 1_000)
    const why = isFresh ? polled : (failure ?? polled)
    return {
      ok: false,
      detail: `${connection.address} ${isFresh ? "does not work" : `has not worked for ${seconds} s`}${why === undefined ? "" : `: ${why}`}`
    }
  })
})

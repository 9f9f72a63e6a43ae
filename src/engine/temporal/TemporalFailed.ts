// A call that Temporal refused or did not answer; the cause says why.
import { Effect, Schema } from "effect"

export class TemporalFailed extends Schema.TaggedError<TemporalFailed>()("TemporalFailed", {
  cause: Schema.Defect()
}) {
  override get message() {
    return this.cause instanceof Error ? `${this.cause.name}: ${this.cause.message}` : "unknown failure"
  }
}

/** Calls the server, or the SDK. */
export const callTemporal = <A>(f: (signal: AbortSignal) => PromiseLike<A>): Effect.Effect<A, TemporalFailed> =>
  Effect.tryPromise({ try: f, catch: (cause) => new TemporalFailed({ cause }) })

/** Takes an answer of the server as success, such as that a workflow has ended already. @param isAnswer recognizes it */
export const ignoring =
  (isAnswer: (cause: unknown) => boolean) =>
  <A, E>(self: Effect.Effect<A, E | TemporalFailed>): Effect.Effect<void, E | TemporalFailed> =>
    Effect.asVoid(
      Effect.catchIf(
        self,
        (error) => error instanceof TemporalFailed && isAnswer(error.cause),
        () => Effect.void
      )
    )

// Temporal's answers about schedules, recognized by their names. Their classes come with the whole client, which takes a fifth of the time of a
// command that never reaches Temporal.
const isNamed = (name: string) => (cause: unknown) => cause instanceof Error && cause.name === name
export const isScheduleAlreadyRunning = isNamed("ScheduleAlreadyRunning")
export const isScheduleNotFound = isNamed("ScheduleNotFoundError")

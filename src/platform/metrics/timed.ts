// Measures the duration of an effect and its outcome: `ok`, or the tag of its error, which is one of a closed list.
import { Cause, Effect, type Exit, Option } from "effect"

const tagOf = (error: unknown): string => {
  const tag = (error as { readonly _tag?: unknown } | null)?._tag
  return typeof tag === "string" ? tag : "error"
}

const outcomeOf = <A>(exit: Exit.Exit<A, unknown>, ok: (value: A) => string): string => {
  if (exit._tag === "Success") return ok(exit.value)
  if (Cause.hasInterruptsOnly(exit.cause)) return "interrupted"
  return Option.match(Cause.findErrorOption(exit.cause), { onNone: () => "defect", onSome: tagOf })
}

/** Times an effect. @param observe receives seconds and outcome */
export const timed =
  <Value = unknown>(observe: (seconds: number, outcome: string) => void, ok: (value: Value) => string = () => "ok") =>
  <A extends Value, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const startedAt = performance.now()
      return Effect.onExit(effect, (exit) =>
        Effect.sync(() => observe((performance.now() - startedAt) / 1000, outcomeOf(exit, ok)))
      )
    })

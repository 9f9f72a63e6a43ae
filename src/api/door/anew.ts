// What a request does once although it begins anew (domain/accounts/suppositions.ts): its body can be read once only, and it is paid for once.
import { Effect, type Exit } from "effect"

/** With the same outcome whenever it is asked for. */
export const once = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  let outcome: Exit.Exit<A, E> | undefined
  const first = Effect.onExit(effect, (exit) =>
    Effect.sync(() => {
      outcome = exit
    })
  )
  return Effect.suspend((): Effect.Effect<A, E, R> => outcome ?? first)
}

/** The same for each of its arguments. */
export const onceEach = <K, A, E, R>(of: (key: K) => Effect.Effect<A, E, R>) => {
  const known = new Map<K, Effect.Effect<A, E, R>>()
  return (key: K): Effect.Effect<A, E, R> => {
    const asked = known.get(key) ?? once(of(key))
    known.set(key, asked)
    return asked
  }
}

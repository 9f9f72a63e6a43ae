// Shares reads within a short transaction, such as that of several steps in a chunk: each key is read once.
import { Context, Effect } from "effect"

/** Results of the reads in the present short transaction, valid until its end; null outside of one. */
const Moment = Context.Reference<Map<string, unknown> | null>("millrace/automations/model/Moment", {
  defaultValue: () => null
})

/** Begins a scope in which reads are shared. */
export const withMoment = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(effect, Moment, new Map()))

/** Reads a key once within such a scope; elsewhere on every call. */
export const inMoment = <A, E, R>(key: string, read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Moment, (known) => {
    if (known === null) return read
    if (known.has(key)) return Effect.succeed(known.get(key) as A)
    return Effect.tap(read, (value) => Effect.sync(() => void known.set(key, value)))
  })

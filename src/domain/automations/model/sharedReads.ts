// What is read in a transaction that lasts a moment, as several steps of a run in a chunk, is read once.
import { Context, Effect } from "effect"

/** What has been read in a transaction that lasts a moment, and is taken for granted until its end. */
const Moment = Context.Reference<Map<string, unknown> | null>("millrace/automations/model/Moment", {
  defaultValue: () => null
})

/** Begins such a moment. */
export const withMoment = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(effect, Moment, new Map()))

/** Reads once in a moment; elsewhere as often as it is asked for. */
export const inMoment = <A, E, R>(key: string, read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Moment, (known) => {
    if (known === null) return read
    if (known.has(key)) return Effect.succeed(known.get(key) as A)
    return Effect.tap(read, (value) => Effect.sync(() => void known.set(key, value)))
  })

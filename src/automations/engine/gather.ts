// Reads that many runs do at the same moment, in one statement: what is asked for in one turn of the event loop is loaded together.
import { Context, Deferred, Effect } from "effect"

/** Answers at least what was asked for, as far as it is there. Not for use inside of a transaction, which has to read by itself. */
export const gather = <K, A, E>(load: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<K, A>, E>) => {
  interface Round {
    readonly keys: Set<K>
    readonly found: Deferred.Deferred<ReadonlyMap<K, A>, E>
  }
  let open: Round | undefined
  return (keys: ReadonlyArray<K>): Effect.Effect<ReadonlyMap<K, A>, E> =>
    Effect.suspend(() => {
      const known = open
      const round: Round = known ?? { keys: new Set(), found: Deferred.makeUnsafe() }
      for (const key of keys) round.keys.add(key)
      if (known !== undefined) return Deferred.await(round.found)
      open = round
      // Whoever asked first loads for the others too, even when nobody waits for it any more.
      return Effect.yieldNow.pipe(
        Effect.andThen(
          Effect.suspend(() => {
            open = undefined
            return load([...round.keys])
          })
        ),
        Effect.onExit((exit) => Deferred.done(round.found, exit)),
        Effect.uninterruptible
      )
    })
}

/** What has been read in a transaction that lasts a moment, and is taken for granted until its end. */
const Moment = Context.Reference<Map<string, unknown> | null>("millrace/automations/engine/Moment", {
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

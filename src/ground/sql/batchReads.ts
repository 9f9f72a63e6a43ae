// Reads that many runs do at the same moment, in one statement: what is asked for in one turn of the event loop is loaded together.
import { Deferred, Effect } from "effect"

/** Answers at least what was asked for, as far as it is there. Not for use inside of a transaction, which has to read by itself. */
export const batchReads = <K, A, E>(load: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<K, A>, E>) => {
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

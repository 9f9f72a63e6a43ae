// Places for hashing passwords, shared fairly (decisions A22, O22). Each takes 64 MiB and a thread of libuv's pool for some
// 100 ms; the pool has four, and names are resolved and files are read by the same ones, so hashing never has all of them.
import { Effect } from "effect"
import { makeFairPlaces, type Owner, PlacesFull } from "../../ground/fairness/FairPlaces.ts"

/** Owner of a request for a slot. */
export interface Turn {
  /** A source while anybody may be asking (fairness/source.ts), else the organization of who has shown to be themselves. */
  readonly owner: Owner
  /** A browser in which the person has signed in before, a session, an open one-time link. */
  readonly known: boolean
}

/** Seconds after which a retry may succeed. */
export const placesFullSeconds = 3

/**
 * Owners that are served in turn: with so many a newcomer would wait for some five seconds. What one of them has waiting counts
 * for itself alone, so that a few cannot fill the house.
 */
const OWNERS = 64

// Each process has one slot of either kind, since its thread pool belongs to the process. No flood of strangers can take the slot of known
// people.
const strangers = makeFairPlaces({ places: 1, reserve: 1, waiting: 16 })
const known = makeFairPlaces({ places: 1, reserve: 0, waiting: 32 })

/** A thread cannot be called back: who hangs up keeps the place until it is done. */
export const inTurn =
  (turn: Turn) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | PlacesFull, R> =>
    Effect.suspend((): Effect.Effect<A, E | PlacesFull, R> => {
      const lane = turn.known ? known : strangers
      if (lane.state().owners >= OWNERS) return Effect.fail(new PlacesFull())
      return lane.tryUse(turn.owner)(Effect.uninterruptible(effect))
    })

/** Runs work of the operator and of the service itself: it waits, and is never refused. */
export const unattendedTurn = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  strangers.use("unattended")(Effect.uninterruptible(effect))

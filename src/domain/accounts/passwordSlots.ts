// Concurrency slots for hashing passwords, scheduled fairly (decisions A22, O22). One hash takes 64 MiB and a thread of libuv's pool for
// some 100 ms. The pool has four threads, which also resolve names and read files, so hashing never uses all of them.
import { Effect } from "effect"
import { makeFairPlaces, type Owner, PlacesFull } from "../../platform/fairness/FairPlaces.ts"

/** Owner of a request for a slot. */
export interface Turn {
  /** Source address while the person is unknown (fairness/sourceAddress.ts), else the organization of the person who has proved their identity. */
  readonly owner: Owner
  /** A browser in which the person has signed in before, a session, an open one-time link. */
  readonly known: boolean
}

/** Seconds after which a retry may succeed. */
export const slotsFullSeconds = 3

/**
 * Maximum number of owners served round robin: with more, a newcomer would wait longer than some five seconds. An owner's queue counts
 * once, so that a few owners cannot fill the limit.
 */
const OWNERS = 64

// Each process has one slot of either kind, since its thread pool belongs to the process. No flood of strangers can take the slot of known
// people.
const strangers = makeFairPlaces({ places: 1, reserve: 1, waiting: 16 })
const knownPeople = makeFairPlaces({ places: 1, reserve: 0, waiting: 32 })

/** Runs work in a slot. A thread cannot be interrupted: a caller who hangs up keeps the slot until it is done. */
export const inPasswordSlot =
  (turn: Turn) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | PlacesFull, R> =>
    Effect.suspend((): Effect.Effect<A, E | PlacesFull, R> => {
      const slots = turn.known ? knownPeople : strangers
      if (slots.state().owners >= OWNERS) return Effect.fail(new PlacesFull())
      return slots.tryUse(turn.owner)(Effect.uninterruptible(effect))
    })

/** Runs work of the operator and of the service itself: it waits, and is never refused. */
export const inBackgroundPasswordSlot = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  strangers.use("unattended")(Effect.uninterruptible(effect))

// Shares concurrency slots fairly between owners (organizations; decisions A22). A single owner may use all of them, an owner without any
// finds one in the reserve, and waiters are served before owners that hold more.
import { Effect, Schema } from "effect"

/** Refusal: too many of this owner wait already. */
export class PlacesFull extends Schema.TaggedError<PlacesFull>()("PlacesFull", {}) {}

export interface FairPlacesOptions {
  /**
   * Slots that one owner may hold, and all together while each holds one at most from the reserve. A function is asked each time, for a
   * number that changes.
   */
  readonly places: number | (() => number)
  /** Further slots, only for owners that hold none. */
  readonly reserve: number
  /** Most waiters of one owner in `tryUse`; any number unless set. */
  readonly waiting?: number
}

/** Owner: an organization's id, or a key of another kind (a source address, `installation`). */
export type Owner = number | string

export interface FairPlaces {
  /**
   * Waits for a slot, however long, and frees it when the effect ends, however it ends.
   * @param part of the owner, as an app: an owner's parts share fairly, too
   * @param weight number of slots that it takes; more than there are takes all
   */
  readonly use: (
    owner: Owner,
    part?: Owner,
    weight?: number
  ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Waits as `use`, but is refused at once when too many of this owner wait. */
  readonly tryUse: (owner: Owner) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | PlacesFull, R>
  /** Numbers for gauges. */
  readonly state: () => { readonly taken: number; readonly waiting: number; readonly owners: number }
  /** Current number of slots, without the reserve. */
  readonly limit: () => number
}

interface Line {
  held: number
  /** Sequence number of its last service; 0 for never. */
  served: number
  /** Slots held by each of its parts. */
  readonly parts: Map<Owner, number>
  readonly waiting: Array<Waiting>
}

interface Waiting {
  readonly part: Owner
  readonly weight: number
  readonly served: () => void
}

export const makeFairPlaces = ({ places, reserve, waiting: longest = Infinity }: FairPlacesOptions): FairPlaces => {
  /** Owners that hold or wait. */
  const lines = new Map<Owner, Line>()
  const most = () => (typeof places === "number" ? places : places())
  let servedTotal = 0
  let takenSlots = 0
  let waitingCount = 0

  const lineOf = (owner: Owner): Line => {
    const ownerQueue = lines.get(owner)
    if (ownerQueue !== undefined) return ownerQueue
    const newQueue: Line = { held: 0, served: 0, parts: new Map(), waiting: [] }
    lines.set(owner, newQueue)
    return newQueue
  }
  const hasFreeSlot = (line: Line, weight: number) => {
    const slotLimit = line.held === 0 ? most() + reserve : most()
    return takenSlots + weight <= slotLimit || (takenSlots === 0 && weight > slotLimit)
  }
  const take = (line: Line, part: Owner, weight: number) => {
    line.held += weight
    line.parts.set(part, (line.parts.get(part) ?? 0) + weight)
    line.served = ++servedTotal
    takenSlots += weight
  }

  /** Owner to serve next: of those that wait, the one that holds the fewest slots; among equals the one served longest ago. */
  const next = (): Line | undefined => {
    let nextQueue: Line | undefined
    for (const queue of lines.values())
      if (
        queue.waiting.length > 0 &&
        (nextQueue === undefined ||
          queue.held < nextQueue.held ||
          (queue.held === nextQueue.held && queue.served < nextQueue.served))
      )
        nextQueue = queue
    return nextQueue
  }

  /** Index of the waiter whose part holds the fewest slots, the first among equals. */
  const nextOf = ({ parts, waiting }: Line) => {
    let nextIndex = 0
    const countHeld = (i: number) => parts.get(waiting[i]!.part) ?? 0
    for (let i = 1; i < waiting.length && countHeld(nextIndex) > 0; i++)
      if (countHeld(i) < countHeld(nextIndex)) nextIndex = i
    return nextIndex
  }

  const serve = () => {
    for (let nextQueue = next(); nextQueue !== undefined; nextQueue = next()) {
      const waiterIndex = nextOf(nextQueue)
      const { part, served, weight } = nextQueue.waiting[waiterIndex]!
      if (!hasFreeSlot(nextQueue, weight)) return
      nextQueue.waiting.splice(waiterIndex, 1)
      waitingCount--
      take(nextQueue, part, weight)
      served()
    }
  }

  const release = (owner: Owner, line: Line, part: Owner, weight: number) => {
    const remainingSlots = line.parts.get(part)! - weight
    if (remainingSlots === 0) line.parts.delete(part)
    else line.parts.set(part, remainingSlots)
    line.held -= weight
    takenSlots -= weight
    serve()
    if (line.held === 0 && line.waiting.length === 0) lines.delete(owner)
  }

  const enter = (owner: Owner, part: Owner, weight: number): Effect.Effect<Line> =>
    Effect.callback((resume) => {
      const ownerQueue = lineOf(owner)
      // Queues a heavy request behind other waiters, so that light ones that come later do not keep it waiting.
      const overtakes = weight > 1 && waitingCount > 0 && ownerQueue.held > 0
      if (ownerQueue.waiting.length === 0 && !overtakes && hasFreeSlot(ownerQueue, weight)) {
        take(ownerQueue, part, weight)
        return resume(Effect.succeed(ownerQueue))
      }
      const waiter: Waiting = { part, weight, served: () => resume(Effect.succeed(ownerQueue)) }
      ownerQueue.waiting.push(waiter)
      waitingCount++
      return Effect.sync(() => {
        const waiterIndex = ownerQueue.waiting.indexOf(waiter)
        // Served in the instant of the interruption: frees the slot.
        if (waiterIndex < 0) return release(owner, ownerQueue, part, weight)
        ownerQueue.waiting.splice(waiterIndex, 1)
        waitingCount--
        // Serves the waiters behind it, which may be lighter.
        serve()
        if (ownerQueue.held === 0 && ownerQueue.waiting.length === 0) lines.delete(owner)
      })
    })

  const use =
    (owner: Owner, part: Owner = owner, weight = 1) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        Effect.interruptible(enter(owner, part, weight)),
        () => effect,
        (line) => Effect.sync(() => release(owner, line, part, weight))
      )

  return {
    use,
    tryUse: (owner) => (effect) =>
      Effect.suspend(
        (): Effect.Effect<
          Effect.Success<typeof effect>,
          Effect.Error<typeof effect> | PlacesFull,
          Effect.Services<typeof effect>
        > => {
          const ownerQueue = lines.get(owner)
          return ownerQueue !== undefined && ownerQueue.waiting.length >= longest
            ? Effect.fail(new PlacesFull())
            : use(owner)(effect)
        }
      ),
    state: () => ({ taken: takenSlots, waiting: waitingCount, owners: lines.size }),
    limit: most
  }
}

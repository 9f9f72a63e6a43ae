// Batches what many callers submit at about the same time: lookups into one statement (./dataLoader.ts), runs and the results of actors into
// one commit. While a batch is in flight the next one fills; a single caller waits for nobody.
import { Effect, Exit, FiberSet } from "effect"

interface Entry<A, R, E> {
  readonly item: A
  /** Resumes the caller. */
  readonly answer: (exit: Exit.Exit<R, E>) => void
}

export interface Batching<A, R, E> {
  readonly atMost: number
  /** Batches in flight at once; one unless given. */
  readonly lanes?: number
  /**
   * Milliseconds that the next batch waits after one of so many items, unless it is full: under load a commit of many costs little more than
   * one of few.
   */
  readonly fill?: ((items: number) => number) | undefined
  /** Time after which a batch that stands still gives its lane to the next one. */
  readonly patienceMillis?: number
  /** Value that no two items of a batch may share; undefined for an item that goes with any other. */
  readonly sharedValue?: ((item: A) => unknown) | undefined
  /**
   * Works on a batch; returns the outcome of each item, in their order. A failure is the outcome of all.
   * @param alone true if it has one item, and no other batch is in flight
   */
  readonly run: (items: ReadonlyArray<A>, alone: boolean) => Effect.Effect<ReadonlyArray<Exit.Exit<R, E>>, E>
}

/** Submits an item, with a callback in place of a fiber that waits. @returns a function that withdraws the item until its batch begins */
export type Submit<A, R, E> = (item: A, answer: Entry<A, R, E>["answer"]) => () => void

/** Multiple of `atMost` that is searched for the items of one batch. */
const SEARCHED = 4

/** @param fork runs a batch in a fiber of its own, to its end even if its callers are interrupted */
export const makeBatcher = <A, R, E>(
  { sharedValue = () => undefined, atMost, fill = () => 0, lanes = 1, patienceMillis, run }: Batching<A, R, E>,
  fork: (batch: Effect.Effect<void>) => void
): Submit<A, R, E> => {
  let queue: Array<Entry<A, R, E>> = []
  let freeLanes = lanes
  let inFlight = 0
  let wait = 0

  /** Takes the oldest items that may go together; the others stay in their order. */
  const takeGroup = () => {
    const group: Array<Entry<A, R, E>> = []
    const laterEntries: Array<Entry<A, R, E>> = []
    const names = new Set<unknown>()
    for (const entry of queue.slice(0, SEARCHED * atMost)) {
      const name = sharedValue(entry.item)
      const fits = group.length < atMost && (name === undefined || !names.has(name))
      if (fits) names.add(name)
      const into = fits ? group : laterEntries
      into.push(entry)
    }
    queue = [...laterEntries, ...queue.slice(SEARCHED * atMost)]
    return group
  }

  /** Runs the next batch in a lane that has been taken for it. The lane is free before its callers go on. */
  const batch = Effect.suspend(() => {
    const group = takeGroup()
    wait = fill(group.length)
    const isAlone = group.length === 1 && inFlight === 0
    inFlight++
    let holdsLane = true
    const leaveLane = () => {
      if (!holdsLane) return
      holdsLane = false
      freeLanes++
      begin()
    }
    const patience = patienceMillis === undefined ? undefined : setTimeout(leaveLane, patienceMillis)
    const items = group.map(({ item }) => item)
    const outcomes = items.length === 0 ? Effect.succeed([]) : Effect.suspend(() => run(items, isAlone))
    return Effect.map(Effect.exit(outcomes), (exit) => {
      inFlight--
      clearTimeout(patience)
      leaveLane()
      for (const [place, { answer }] of group.entries()) {
        if (Exit.isFailure(exit)) answer(Exit.failCause(exit.cause))
        else answer(exit.value[place] ?? Exit.die(new Error("an answer is missing")))
      }
    })
  })

  const begin = (): void => {
    while (freeLanes > 0 && queue.length > 0) {
      freeLanes--
      fork(wait > 0 && queue.length < atMost ? Effect.delay(batch, wait) : batch)
    }
  }
  /** Lets the others of the same turn of the event loop come first. */
  const beginAfterTurn = Effect.andThen(Effect.yieldNow, Effect.sync(begin))

  return (item, answer) => {
    const entry = { item, answer }
    queue.push(entry)
    if (queue.length === 1) fork(beginAfterTurn)
    return () => {
      queue = queue.filter((other) => other !== entry)
    }
  }
}

/** Submits an item, and waits until its batch has answered it. */
export const submitted =
  <A, R, E>(submit: Submit<A, R, E>) =>
  (item: A): Effect.Effect<R, E> =>
    Effect.callback((resume) => Effect.sync(submit(item, resume)))

/** A batcher whose batches end with the scope. */
export const makeScopedBatcher = <A, R, E>(batching: Batching<A, R, E>) =>
  Effect.map(FiberSet.makeRuntime<never, void, never>(), (fork) => makeBatcher(batching, fork))

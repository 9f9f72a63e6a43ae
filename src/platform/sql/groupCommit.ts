// Commits items that are ready at about the same time together: while one commit is in flight the next group fills. The owner decides how a
// group is written and how a failed one is handled. Runs and the results of actors commit this way.
import { Deferred, Effect, Queue, type Scope } from "effect"

/** Item of a group, and the deferred that its submitter waits on. */
export interface Waiting<A, R, E> {
  readonly item: A
  readonly answer: Deferred.Deferred<R, E>
}

export interface Grouping<A, R, E> {
  /** Concurrent commits; one unless given. */
  readonly lanes?: number
  readonly atMost: number
  /** Delay of the next group after a group of at least `behind` items: under load a commit of many costs little more than one of few. */
  readonly fill?: { readonly behind: number; readonly millis: number }
  /** Chooses the waiting items that go in together, and their order; the rest wait for the next group. */
  readonly choose?: (waiting: ReadonlyArray<Waiting<A, R, E>>) => {
    readonly group: ReadonlyArray<Waiting<A, R, E>>
    readonly rest: ReadonlyArray<Waiting<A, R, E>>
  }
  /** Commits a group and answers each of its items. */
  readonly commit: (group: ReadonlyArray<Waiting<A, R, E>>) => Effect.Effect<void>
}

/** Makes a committer; submitting waits until the item's group is committed. */
export const makeGroupCommit = Effect.fnUntraced(function* <A, R, E>({
  atMost,
  choose,
  commit,
  fill,
  lanes = 1
}: Grouping<A, R, E>): Effect.fn.Return<(item: A) => Effect.Effect<R, E>, never, Scope.Scope> {
  const queue = yield* Queue.unbounded<Waiting<A, R, E>>()
  let many = false
  const round = Effect.gen(function* () {
    if (many) yield* Effect.sleep(fill!.millis)
    const waitingItems = yield* Queue.takeBetween(queue, 1, atMost)
    many = fill !== undefined && waitingItems.length >= fill.behind
    if (choose === undefined) return yield* commit(waitingItems)
    const { group, rest } = choose(waitingItems)
    if (rest.length > 0) yield* Queue.offerAll(queue, rest)
    yield* commit(group)
  })
  for (let workerIndex = 0; workerIndex < lanes; workerIndex++) yield* Effect.forkScoped(Effect.forever(round))

  return Effect.fnUntraced(function* (item: A) {
    const answer = yield* Deferred.make<R, E>()
    yield* Queue.offer(queue, { item, answer })
    return yield* Deferred.await(answer)
  })
})

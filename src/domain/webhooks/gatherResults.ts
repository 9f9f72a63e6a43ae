// Batches results that arrive at about the same time: while one group is being written, the next one fills. Uses callbacks, so that a
// delivery in flight is a few objects: the first that waits while nothing is being written writes for its group. Their fibers end together,
// with the activation: none is interrupted separately.
import { Cause, Effect, Exit, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Fenced } from "../../engine/actors/ActorKind.ts"
import { mayBeDone } from "../../platform/sql/away.ts"

export type ResultWritten = Effect.Effect<void, Fenced | SqlError>

export interface GatherOptions<A> {
  readonly write: (items: ReadonlyArray<A>) => ResultWritten
  readonly atMost: number
  /** Under load a large commit costs little more than a small one: after a group of `behind` results the next one fills for `millis`. */
  readonly fill: { readonly behind: number; readonly millis: number }
}

interface Waiting<A> {
  readonly item: A
  /** Called once with the next effect of its fiber: the write of its group, or the outcome of the item. */
  readonly goOn: (next: ResultWritten) => void
}

/** @returns adds a result; the function that it returns withdraws the result */
export const makeGather = <A>({ atMost, fill, write }: GatherOptions<A>) => {
  const waitingResults: Array<Waiting<A>> = []
  let writing = false
  let many = false

  const handOn = () => {
    writing = waitingResults.length > 0
    waitingResults[0]?.goOn(writeGroup)
  }

  const attempt = (group: ReadonlyArray<Waiting<A>>) =>
    Effect.exit(Effect.suspend(() => write(group.map(({ item }) => item))))

  /** True if the group must not be written again: the fence is lost, or the write may have been committed. */
  const isFinal = (exit: Exit.Failure<void, Fenced | SqlError>) =>
    Result.match(Cause.findError(exit.cause), {
      onSuccess: (error) => error instanceof Fenced || mayBeDone(error),
      onFailure: () => false
    })

  /** Writes one group; runs in the fiber of its first member. */
  const writeGroup: ResultWritten = Effect.gen(function* () {
    if (many) yield* Effect.sleep(fill.millis)
    const group = waitingResults.splice(0, atMost)
    many = group.length >= fill.behind
    const [own, ...others] = group
    let exit = yield* attempt(group)
    if (Exit.isSuccess(exit) || others.length === 0 || isFinal(exit)) for (const member of others) member.goOn(exit)
    else {
      // Writes results one by one, so that one which cannot be written does not fail the others.
      exit = yield* attempt([own!])
      for (const member of others) member.goOn(yield* attempt([member]))
    }
    handOn()
    return yield* exit
  })

  return (item: A, goOn: Waiting<A>["goOn"]): (() => void) => {
    const entry = { item, goOn }
    waitingResults.push(entry)
    if (!writing) handOn()
    return () => {
      const index = waitingResults.indexOf(entry)
      if (index >= 0) waitingResults.splice(index, 1)
    }
  }
}

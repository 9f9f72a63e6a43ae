// Writes results that come at about the same time together (platform/sql/batching.ts). Those of a batch that cannot be written are written one
// by one, so that one result does not fail the others.
import { Cause, Effect, Exit, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type Batching, makeScopedBatcher, type Submit } from "../../platform/sql/batching.ts"
import { mayBeDone } from "../../platform/sql/transientErrors.ts"
import { Fenced } from "./ActorKind.ts"

export type SubmitResult<A> = Submit<A, void, Fenced | SqlError>

/** True if the results must not be written again: the fence is lost, or the write may have been committed. */
const isFinal = (exit: Exit.Failure<void, Fenced | SqlError>) =>
  Result.match(Cause.findError(exit.cause), {
    onSuccess: (error) => error instanceof Fenced || mayBeDone(error),
    onFailure: () => false
  })

export const makeBatchedResults = <A>({
  write,
  ...batching
}: Pick<Batching<A, void, never>, "atMost" | "fill"> & {
  readonly write: (items: ReadonlyArray<A>) => Effect.Effect<void, Fenced | SqlError>
}) => {
  const attempt = (items: ReadonlyArray<A>) => Effect.exit(Effect.suspend(() => write(items)))
  return makeScopedBatcher<A, void, Fenced | SqlError>({
    ...batching,
    run: Effect.fnUntraced(function* (items) {
      const exit = yield* attempt(items)
      if (Exit.isSuccess(exit) || items.length === 1 || isFinal(exit)) return items.map(() => exit)
      return yield* Effect.forEach(items, (item) => attempt([item]))
    })
  })
}

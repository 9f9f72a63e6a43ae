// Executes `conditional`: one of two lists, by its condition (service.md 2.7; developer-api.md 7.6). A branch itself commits nothing.
import { Clock, Effect } from "effect"
import type { Committed, Committer } from "../commit/Committer.ts"
import { type Cursor, into, type PlanNode } from "../model/Plan.ts"
import type { Filters } from "../model/Resolver.ts"
import { newGathered } from "../run/Gathered.ts"
import { passed, type RunContext } from "../run/RunContext.ts"
import type { Ending } from "../run/RunRow.ts"
import { guarded, onStepFailed } from "../run/stepGuard.ts"

export const makeBranchStep = (filters: Filters["Service"]) =>
  Effect.fnUntraced(function* <E>(
    { fail }: Committer<E>,
    context: RunContext,
    node: PlanNode,
    cursor: Cursor
  ): Effect.fn.Return<Cursor | Ending | null, Effect.Error<Committed<never, E>>> {
    const startedAt = yield* Clock.currentTimeMillis
    const scope = context.scope(new Date(startedAt), yield* context.loops(node, cursor.iteration))
    return yield* guarded(filters.matches(node.action.config["condition"] ?? null, scope)).pipe(
      Effect.map((matches) => into(node, matches ? "then" : "else", cursor.iteration)),
      Effect.tap(() => passed(context, startedAt)),
      onStepFailed((error) => fail(context, node, cursor, error, newGathered(), { startedAt, attempt: 1, credits: 0 }))
    )
  })

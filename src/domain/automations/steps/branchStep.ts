// Executes `conditional`: one of two lists, by its condition (service.md 2.7; developer-api.md 7.6). A branch itself commits nothing.
import { Clock, Effect } from "effect"
import type { Committer, NotCommitted } from "../commit/Committer.ts"
import { into } from "../model/Plan.ts"
import type { Filters } from "../model/Resolver.ts"
import { passed, type RunStep } from "../run/RunContext.ts"
import type { Next } from "../run/RunRow.ts"
import { newStepOutput } from "../run/StepOutput.ts"
import { guarded, onStepFailed } from "../run/stepGuard.ts"

export const makeBranchStep = (filters: Filters["Service"]) =>
  Effect.fnUntraced(function* <E>({ fail }: Committer<E>, step: RunStep): Effect.fn.Return<Next, NotCommitted<E>> {
    const { context, cursor, node } = step
    const startedAt = yield* Clock.currentTimeMillis
    const scope = context.scope(new Date(startedAt), yield* context.loops(node, cursor.iteration))
    return yield* guarded(filters.matches(node.action.config["condition"] ?? null, scope)).pipe(
      Effect.map((matches) => into(node, matches ? "then" : "else", cursor.iteration)),
      Effect.tap(() => passed(context, startedAt)),
      onStepFailed((error) => fail(step, error, newStepOutput(), { startedAt, credits: 0 }))
    )
  })

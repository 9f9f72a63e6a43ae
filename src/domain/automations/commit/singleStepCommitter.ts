// Commits each step alone: one statement where the step's output allows that, else one transaction. Repeats it while Postgres is away.
import { Effect } from "effect"
import type { RunContext } from "../run/RunContext.ts"
import { isBare } from "../run/StepOutput.ts"
import { patiently, refusalFails } from "../run/stepGuard.ts"
import type { Change, Committer } from "./Committer.ts"
import type { RunCommits } from "./runCommits.ts"
import { commitStepFailure } from "./stepFailure.ts"

/** True if one statement can write the change. A failed run needs a transaction, which may also write the notice to its owner. */
const oneStatement = ({ ending, gathered }: Change): boolean =>
  ending?.status !== "failed" && (gathered === undefined || isBare(gathered))

export const makeSingleStepCommitter = ({ changeRecords, commit, transaction }: RunCommits): Committer => {
  const keep = (context: RunContext, change: Change) => {
    const commitChange = Effect.suspend(() => commit([{ context, change }]))
    return oneStatement(change) ? patiently(commitChange) : transaction(commitChange)
  }
  // Callers of `save` pass engine-made changes only, which Postgres has no reason to refuse: a `StepFailed` is a defect.
  const save: Committer["save"] = (context, change) => Effect.catchTag(keep(context, change), "StepFailed", Effect.die)
  return {
    act: ({ act, context, record }) => {
      const acted = Effect.flatMap(act, (change) => commit([{ context, change }]))
      return refusalFails(transaction(record === null ? acted : Effect.andThen(changeRecords([record]), acted)))
    },
    leave: (context, left) => refusalFails(Effect.flatMap(left, (change) => keep(context, change))),
    save,
    fail: commitStepFailure(save)
  }
}

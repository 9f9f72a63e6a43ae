// Committer of a single-statement run (./singleStatementRuns.ts): passes the output of its only step on, together with the computed change of its
// record. In any other case the run takes the ordinary path, where it begins anew.
import { Data, Effect } from "effect"
import { RecordWriter } from "../../records/writing/RecordWriter.ts"
import type { KnownRecord } from "../model/knownRecord.ts"
import type { RunContext } from "../run/RunContext.ts"
import { isBare } from "../run/StepOutput.ts"
import type { Change, Committer } from "./Committer.ts"
import { commitOf } from "./runCommits.ts"
import type { SingleStatementStep } from "./singleStatementRuns.ts"

/** The run does not fit into one statement: it does not exist, and nothing of its step is done. */
export class NotSingleStatement extends Data.TaggedError("NotSingleStatement")<{}> {}

const failNotSingleStatement = Effect.fail(new NotSingleStatement())

const fitsOneStatement = ({ ending, gathered, lazy }: Change): boolean =>
  ending?.status === "completed" &&
  lazy != null &&
  (gathered === undefined ||
    (gathered.variables.length === 0 && gathered.outputs.length === 0 && gathered.answer === null && isBare(gathered)))

export const makeSingleStatementCommitter = Effect.map(
  RecordWriter,
  (writer) =>
    /** @param known the run's record, as its step reads it */
    <E>(
      known: KnownRecord,
      hand: (context: RunContext, step: SingleStatementStep) => Effect.Effect<void, E>
    ): Committer<NotSingleStatement | E> => ({
      act: Effect.fnUntraced(function* ({ act, context, record }) {
        const isRunRecord = record?.record_id === known.row.record_id && record.app_id === known.row.app_id
        const change = isRunRecord ? yield* writer.foresee(known, record.fields, record.write) : null
        if (change === null) return yield* failNotSingleStatement
        const stepChange = yield* act
        if (!fitsOneStatement(stepChange)) return yield* failNotSingleStatement
        yield* hand(context, { commit: commitOf(context, stepChange), change, version: known.version })
      }),
      leave: () => failNotSingleStatement,
      save: () => failNotSingleStatement,
      fail: () => failNotSingleStatement
    })
)

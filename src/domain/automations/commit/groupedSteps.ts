// Steps of plain runs that are ready at about the same time are committed together: one transaction, and one statement for the
// rows of all of them. Where anything is wrong with one of them each is committed alone, and whose step failed stays apart.
import { Clock, Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { RecordWriter } from "../../records/writing/RecordWriter.ts"
import { type RecordChange, StepFailed } from "../model/Step.ts"
import type { RunContext } from "../run/RunContext.ts"
import type { RunTaken } from "../run/RunRow.ts"
import { makeLine } from "./groupCommit.ts"
import type { Change, Core } from "./stepCommit.ts"

/** A step that is ready to be committed. */
export interface Ready {
  readonly context: RunContext
  /** Goes in first. */
  readonly record: RecordChange | null
  /** Acts inside the transaction and answers what it leaves; begun anew when the transaction is repeated. */
  readonly act: Effect.Effect<Change, StepFailed | SqlError>
}

export interface Together {
  /** Commits the step, with others or alone. */
  readonly together: (ready: Ready) => Effect.Effect<void, StepFailed | RunTaken | SqlError>
  /** In a transaction. */
  readonly change: (records: ReadonlyArray<RecordChange>) => Effect.Effect<void, StepFailed | SqlError>
}

/** An automation whose step has failed is left to itself for so long. */
const APART_MILLIS = 60_000

export const makeTogether = Effect.fnUntraced(function* (
  core: Core
): Effect.fn.Return<Together, never, RecordWriter | Scope.Scope | SqlClient.SqlClient> {
  const { commit, commitAll, guarded, transaction } = core
  const writer = yield* RecordWriter
  const apart = new Map<number, number>()

  const change = Effect.fnUntraced(function* (records: ReadonlyArray<RecordChange>) {
    for (const appId of new Set(records.map(({ app_id }) => app_id))) {
      const of = records.filter(({ app_id }) => app_id === appId)
      yield* guarded(Effect.mapError(writer.updateEach(appId, of), ({ message }) => new StepFailed({ message })))
    }
  })

  const line = yield* makeLine((group: ReadonlyArray<Ready>) =>
    Effect.gen(function* () {
      const acts = Effect.forEach(group, ({ act, context }) => Effect.map(act, (change) => ({ context, change })), {
        concurrency: "unbounded"
      })
      yield* change(group.flatMap(({ record }) => record ?? []))
      yield* commitAll(yield* acts)
    })
  )

  const alone = ({ act, context, record }: Ready) =>
    transaction(
      Effect.andThen(
        change(record === null ? [] : [record]),
        Effect.flatMap(act, (left) => commit(context, left))
      )
    ).pipe(
      Effect.tapErrorTag("StepFailed", () =>
        Effect.map(Clock.currentTimeMillis, (now) => void apart.set(context.run.automation_id, now + APART_MILLIS))
      )
    )

  const together: Together["together"] = Effect.fnUntraced(function* (ready) {
    const id = ready.context.run.automation_id
    if ((apart.get(id) ?? 0) > (yield* Clock.currentTimeMillis)) return yield* alone(ready)
    apart.delete(id)
    if (!(yield* line(ready))) yield* alone(ready)
  })
  return { change, together }
})

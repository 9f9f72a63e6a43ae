// Single-statement runs of an app (docs/architecture.md): the only step of such a run only changes its record. The step is computed before
// the run exists, and one statement writes both. If that fails, nothing has happened, and the run takes the ordinary path.
import { Clock, Effect } from "effect"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { withinFence } from "../../../engine/actors/fence.ts"
import { submitted } from "../../../platform/sql/batching.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { recoverSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { isTransient } from "../../../platform/sql/transientErrors.ts"
import { FiberLabel } from "../../../platform/telemetry/FiberLabel.ts"
import { makeSingleStatementCommitter } from "../commit/singleStatementCommitter.ts"
import { makeSingleStatementRuns, type SingleStatementRun } from "../commit/singleStatementRuns.ts"
import { startRefusal } from "../durable/startRefusal.ts"
import { Credits } from "../run/Credits.ts"
import { loadedOf } from "../run/NewRun.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import type { Revision } from "../run/RevisionCache.ts"
import { RunContextFactory } from "../run/RunContextFactory.ts"
import type { Holder } from "../run/RunRow.ts"
import { countCommit } from "../run/runMetrics.ts"
import { isLone, isSingleStatement, makeOrdinaryOf } from "../run/singleStatementRule.ts"
import { SegmentExecutor } from "../steps/SegmentExecutor.ts"
import type { FiringDecision } from "./firing.ts"
import type { InboxEvent } from "./inboxRows.ts"

/** Milliseconds for which a revision takes the ordinary path after its step did not fit into one statement. */
const APART_MILLIS = 60_000
/** Milliseconds for which runs take the ordinary path, and queue, after the organization had no free concurrency slot. */
const CROWDED_MILLIS = 1_000
/** Pause before the next attempt to get slots that other processes hold for an instant, and the number of attempts. */
const PASSED_OVER_PAUSE = "10 millis"
const PASSED_OVER_TIMES = 50

type Decided = Pick<Extract<FiringDecision, { type: "run" }>, "run" | "revision">

interface Entry {
  readonly whole: SingleStatementRun
  /** Set by the commit. */
  made: boolean
}

/** Picks the first entry of each record: the state that the others have read is outdated after it. */
const oneOfEachRecord = (entries: ReadonlyArray<Entry>) =>
  [...Map.groupBy(entries, ({ whole }) => whole.change.record_id).values()].map(([first]) => first!)

export const makeSingleStatementFiring = Effect.gen(function* () {
  const contexts = yield* RunContextFactory
  const credits = yield* Credits
  const executor = yield* SegmentExecutor
  const sql = yield* Sql
  const commitSingleStatements = yield* makeSingleStatementRuns((holder) => withinFence(sql, holder))
  const committerOf = yield* makeSingleStatementCommitter
  const ordinaryOf = makeOrdinaryOf()
  const runSlots = yield* OrganizationSlots

  /** Creates the executor of an activation. */
  return Effect.fnUntraced(function* (
    activation: Activation,
    app: { readonly app_id: number; readonly org_id: number }
  ) {
    const { fence } = activation
    const ordinaryRevisions = ordinaryOf(app.app_id)
    const instants = yield* runSlots.instants(app.org_id)
    const excludedUntil = new Map<string, number>()
    let crowdedUntil = 0

    const submit = submitted(
      yield* activation.batched(
        Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
          let passedOver = 0
          // A failed statement of the same batch may follow others that have succeeded: their entries are `made`.
          let remainingEntries = oneOfEachRecord(entries.filter(({ made }) => !made))
          while (remainingEntries.length > 0) {
            const statement = commitSingleStatements(
              remainingEntries.map(({ whole }) => whole),
              { ...app, key: activation.key, fence }
            )
            const withSlots = instants.hold(app.app_id, remainingEntries.length)
            const outcome = (yield* withSlots(activation.statement(statement, (answer) => answer !== null)))!
            for (const entry of remainingEntries) entry.made = outcome.runs.has(entry.whole.run.run_id)
            remainingEntries = remainingEntries.slice(outcome.places)
            if (remainingEntries.length === 0) return
            if (outcome.places > 0) continue
            if (outcome.room === 0 || passedOver++ === PASSED_OVER_TIMES) {
              crowdedUntil = (yield* Clock.currentTimeMillis) + CROWDED_MILLIS
              return
            }
            yield* Effect.sleep(PASSED_OVER_PAUSE)
          }
        }),
        { atMost: instants.most }
      )
    )

    /** Commits a run. If the database refuses it, the ordinary path reports the error. */
    const commit = Effect.fnUntraced(function* (whole: SingleStatementRun, { plan }: Revision) {
      const entry: Entry = { whole, made: false }
      const giveBack = yield* credits.take(app.org_id, whole.commit.credits)
      if (giveBack === null) return false
      yield* submit(entry).pipe(
        Effect.catchTag("SqlError", (error) => (isTransient(error) ? Effect.fail(error) : Effect.void)),
        Effect.ensuring(Effect.suspend(() => (entry.made ? Effect.void : giveBack)))
      )
      if (entry.made) countCommit(whole.run, plan, whole.commit, yield* Clock.currentTimeMillis)
      return entry.made
    })

    const findRecord = Effect.fnUntraced(function* (
      { claims, new_run_id, record }: InboxEvent,
      { run, revision }: Decided
    ) {
      if (!isSingleStatement(revision)) ordinaryRevisions.add(revision.revision_id)
      if (ordinaryRevisions.has(revision.revision_id) || !isLone(run)) return null
      const nowMillis = yield* Clock.currentTimeMillis
      if (crowdedUntil > nowMillis || (excludedUntil.get(revision.revision_id) ?? 0) > nowMillis) return null
      // After a second claim the ordinary path runs one step at a time, whatever the former process died of.
      if (new_run_id === null || claims > 1 || record?.row.record_id !== run.record_id) return null
      return record.row.app_id === app.app_id && (yield* credits.left(app.org_id)) > 0 ? record : null
    })

    /** Tries to execute the run of a claimed row in one statement. Returns true if the run is created and completed. */
    const executeInOneStatement = Effect.fnUntraced(function* (row: InboxEvent, holder: Holder, decided: Decided) {
      const record = yield* findRecord(row, decided)
      if (record === null) return false
      const { revision, run: fired } = decided
      const inboxRow = { row_id: row.row_id, event_id: row.event_id }
      const run_id = row.new_run_id!
      const context = contexts.make(loadedOf(run_id, fired, holder), revision, inboxRow, {
        ...record,
        rights: row.rights
      })
      if (startRefusal(context, yield* Clock.currentTimeMillis) !== null) return false
      let isCreated = false
      const committer = committerOf(record, ({ run }, step) =>
        Effect.map(commit({ ...step, run, fired, inboxRow }, revision), (went) => {
          isCreated = went
        })
      )
      yield* executor.whole(context, committer).pipe(
        Effect.catchTags({
          NotSingleStatement: () =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              excludedUntil.set(revision.revision_id, now + APART_MILLIS)
            }),
          // No executor can take over a run that does not exist yet.
          RunTaken: () => Effect.void
        }),
        Effect.provideService(FiberLabel, `run ${run_id}`)
      )
      return isCreated
    }, recoverSqlDefect)

    return { ordinary: ordinaryRevisions, whole: executeInOneStatement }
  })
})

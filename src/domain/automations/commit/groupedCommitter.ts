// Commits the steps of several plain runs that are ready at about the same time: one transaction, and one statement for the rows of all of
// them. If one of them fails, each is committed alone, and the automation whose step failed is excluded from groups for a while.
import { Clock, Effect, Exit, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { ActorTuning } from "../../../platform/config/Tuning.ts"
import { makeScopedBatcher, submitted } from "../../../platform/sql/batching.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { withSpanOf } from "../../../platform/telemetry/traceContext.ts"
import type { RunContext } from "../run/RunContext.ts"
import { patiently } from "../run/stepGuard.ts"
import type { Committer, Ready } from "./Committer.ts"
import { isDeferrable } from "./commitMode.ts"
import { defer } from "./deferredCommits.ts"
import { commitOf, type Left, type RunCommits } from "./runCommits.ts"
import { commitStepFailure } from "./stepFailure.ts"

/** Concurrent group transactions of a process. */
const LANES = 2
const AT_MOST = 50
/** Lock time-out of a group's transaction: a row that is locked for longer delays its own run alone, not the whole group. */
const LOCK_MILLIS = 200
/** Milliseconds for which an automation whose step has failed is excluded from groups. */
const APART_MILLIS = 60_000

/** Value that steps of one record share, which cannot be in one group: the later step must see the result of the earlier one. */
const recordOrRun = ({ context: { run } }: { readonly context: RunContext }) => run.record_id ?? run.run_id

/** Order of record ids, the lock order of all writers. */
const byRecord = <A extends { readonly context: RunContext }>(a: A, b: A) =>
  (a.context.run.record_id ?? 0) - (b.context.run.record_id ?? 0)

export const makeGroupedCommitter = Effect.fnUntraced(function* (
  { changeRecords, commit }: RunCommits,
  alone: Committer
): Effect.fn.Return<Committer, never, Scope.Scope | SqlClient.SqlClient> {
  const sql = yield* Sql
  const { deferredMillis } = yield* ActorTuning
  const bounded = sql`SELECT set_config('lock_timeout', ${String(LOCK_MILLIS)}, true)`
  const aloneUntil = new Map<number, number>()

  /** Returns true if the item was committed in a group. An item that was the only one, or was grouped with a failing one, was not. */
  const makeGrouped = <A extends { readonly context: RunContext }, E>(
    write: (group: ReadonlyArray<A>) => Effect.Effect<void, E>
  ) =>
    Effect.map(
      makeScopedBatcher<A, boolean, never>({
        lanes: LANES,
        atMost: AT_MOST,
        sharedValue: recordOrRun,
        run: Effect.fnUntraced(function* (items) {
          const writeGroup = Effect.all([bounded, write([...items].sort(byRecord))], { concurrency: "unbounded" })
          const went = items.length > 1 && Exit.isSuccess(yield* Effect.exit(sql.withTransaction(writeGroup)))
          return items.map(() => Exit.succeed(went))
        })
      }),
      submitted
    )

  const acting = yield* makeGrouped((group: ReadonlyArray<Ready>) =>
    Effect.gen(function* () {
      const acts = Effect.forEach(group, ({ act, context }) => Effect.map(act, (change) => ({ context, change })), {
        concurrency: "unbounded"
      })
      yield* changeRecords(group.flatMap(({ record }) => record ?? []))
      yield* commit(yield* acts)
    })
  )
  const leaving = yield* makeGrouped((group: ReadonlyArray<Left>) => commit(group))

  const actAlone: Committer["act"] = (ready) =>
    Effect.tapErrorTag(alone.act(ready), "StepFailed", () =>
      Effect.map(
        Clock.currentTimeMillis,
        (now) => void aloneUntil.set(ready.context.run.automation_id, now + APART_MILLIS)
      )
    )

  const act: Committer["act"] = Effect.fnUntraced(function* (ready) {
    const id = ready.context.run.automation_id
    if ((aloneUntil.get(id) ?? 0) > (yield* Clock.currentTimeMillis)) return yield* actAlone(ready)
    aloneUntil.delete(id)
    const spannedAct = yield* withSpanOf(ready.act)
    if (!(yield* acting({ ...ready, act: spannedAct }))) yield* actAlone(ready)
  })

  const save: Committer["save"] = Effect.fnUntraced(function* (context, change) {
    if (!(yield* leaving({ context, change }))) yield* alone.save(context, change)
  })

  const leave: Committer["leave"] = Effect.fnUntraced(function* (context, left) {
    const change = yield* left
    const commit = commitOf(context, change)
    if (!isDeferrable(context, change, commit, deferredMillis))
      return yield* act({ context, record: null, act: Effect.succeed(change) })
    yield* patiently(context.load)
    defer(context, commit)
  })

  return {
    act,
    leave,
    save,
    fail: commitStepFailure(save)
  } satisfies Committer as Committer
})

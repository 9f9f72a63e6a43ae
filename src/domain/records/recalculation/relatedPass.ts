// The background pass of calculations over related records (developer-api.md 11.3): takes noted changes (writing/relatedChanges.ts), and
// calculates the records that read them. A batch is one transaction that also deletes its changes, so nothing is lost when it is killed. It
// reads what is related after it has locked its records: batches of a record follow one another, and the last one sees the newest values.
import { Cause, Clock, Effect, Latch, Layer } from "effect"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect, recoverSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { triedAgain } from "../../../platform/sql/transact.ts"
import { Wakes } from "../../../platform/sql/Wakes.ts"
import { readTogether } from "../calculations/followedRelations.ts"
import { Definitions } from "../model/Definitions.ts"
import type { WriteEffects } from "../model/RecordRow.ts"
import { makePreparation } from "../writing/preparation.ts"
import { makeRecalculateRecords } from "../writing/recalculateRecords.ts"
import { RELATED_PASS } from "../writing/relatedChanges.ts"
import {
  type ChangeGroup,
  makeRelatedGroups,
  RECORDS_AT_ONCE,
  type Reading,
  type RelatedChange
} from "./relatedGroups.ts"

/** Milliseconds after which changes are tried again whose batch has failed. */
const AGAIN = 30_000
/** Longest wait for a lock, in milliseconds: who holds one for longer does not hold up other organizations. */
const PATIENCE = 5_000

/** The change that a record follows: one with an author, the furthest in a chain of automations, the newest. */
const leading = (changes: ReadonlyArray<RelatedChange>): WriteEffects | null =>
  changes.reduce<WriteEffects | null>(
    (best, { effects }) => (effects !== null && effects.depth >= (best?.depth ?? 0) ? effects : best),
    null
  )

export const makeRelatedPass = Effect.gen(function* () {
  const sql = yield* Sql
  const definitions = yield* Definitions
  const groups = makeRelatedGroups(sql)
  const preparation = yield* makePreparation
  const { statements } = preparation
  const recalculating = makeRecalculateRecords(preparation)

  /** Calculates live records of the app. Returns the last one if others have to wait, otherwise null. */
  const calculateReading = Effect.fnUntraced(function* (
    { app_id }: ChangeGroup,
    reading: ReadonlyArray<Reading>,
    changes: ReadonlyArray<RelatedChange>,
    at: Date
  ) {
    const batchRecords = reading.slice(0, RECORDS_AT_ONCE)
    const ids = batchRecords.map(({ record_id }) => record_id)
    const lockedRows = ids.length === 0 ? [] : yield* statements.lock(app_id, ids, "FOR NO KEY UPDATE")
    const live = lockedRows.filter(({ deleted_on }) => deleted_on === null)
    const [first] = live
    if (first !== undefined) {
      const definition = yield* definitions.ofVersion(app_id, first.version)
      const cells = live.map((row) => row.cells)
      const calculated = yield* recalculating.calculateFirst(
        definition,
        live.slice(0, readTogether(definition, cells)),
        at
      )
      const byTarget = Map.groupBy(changes, ({ record_id }) => record_id)
      const effects = new Map(
        batchRecords.map(({ record_id, targets }) => [
          record_id,
          leading(targets.flatMap((target) => byTarget.get(target) ?? []))
        ])
      )
      const { results } = calculated
      const [loud, quiet] = [true, false].map((isLoud) => ({
        ...calculated,
        results: results.filter(({ row }) => (effects.get(row.record_id) !== null) === isLoud)
      }))
      yield* recalculating.after(definition, loud!, (id) => effects.get(id)!)
      yield* recalculating.quietly(definition, quiet!)
      if (results.length < live.length) return results.at(-1)!.row.record_id
    }
    return reading.length > batchRecords.length ? ids.at(-1)! : null
  })

  const batch = Effect.fnUntraced(function* (group: ChangeGroup, at: Date) {
    const changes = yield* groups.take(group)
    if (changes.length === 0) return
    const reading = yield* groups.readingOf(group, [...new Set(changes.map(({ record_id }) => record_id))])
    yield* groups.finish(changes, yield* calculateReading(group, reading, changes, at))
  })

  const patiently = <A, E>(effect: Effect.Effect<A, E>) =>
    triedAgain(
      sql.withTransaction(
        Effect.andThen(sql`SELECT set_config('lock_timeout', ${String(PATIENCE)}, true)`, recoverSqlDefect(effect))
      )
    )

  /** Lets a batch that fails not hold up the others. */
  const postponeFailed = (group: ChangeGroup, at: Date) => (cause: Cause.Cause<unknown>) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.andThen(
          Effect.logWarning("calculations over related records failed and are tried again", cause),
          groups.putOff(group, new Date(at.getTime() + AGAIN))
        )

  let lastOrg = 0
  /** Works on the next batch; false if there is none. */
  const work = Effect.gen(function* () {
    const calculatedAt = new Date(yield* Clock.currentTimeMillis)
    const next = yield* groups.nextOrg(lastOrg, calculatedAt)
    const group = next === undefined ? undefined : yield* groups.nextGroup(next.org_id, calculatedAt)
    lastOrg = next?.org_id ?? 0
    if (group === undefined) return next !== undefined
    // Waits for those who began to point to the changed records before they changed; others read what they are now.
    const pointed = group.relation_id === null ? Effect.void : patiently(statements.settle(group.record_ids))
    yield* pointed.pipe(
      Effect.andThen(patiently(batch(group, calculatedAt))),
      Effect.withSpan("calculate related records", { attributes: { "millrace.app.id": group.app_id } }),
      Effect.catchCause(postponeFailed(group, calculatedAt))
    )
    return true
  }).pipe(orSqlDefect)

  return { work }
})

/** Milliseconds between two looks for changes whose announcement was lost. */
const LOOK = 2_000
/** Longest pause after a batch, in milliseconds: as long as the batch took, so that others have half of the time. */
const PAUSE_MOST = 1_000

/** The pass of a worker. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { work } = yield* makeRelatedPass
    const wakes = yield* Wakes
    const woken = yield* Latch.make(false)
    yield* wakes.register(RELATED_PASS, () => void woken.openUnsafe())
    const round = Effect.gen(function* () {
      yield* woken.close
      const began = yield* Clock.currentTimeMillis
      const worked = yield* work
      const batchMillis = (yield* Clock.currentTimeMillis) - began
      yield* worked
        ? Effect.sleep(Math.min(PAUSE_MOST, Math.max(1, batchMillis)))
        : Effect.timeoutOption(woken.await, LOOK)
    })
    yield* round.pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.andThen(
              Effect.logWarning("calculations over related records are tried again", cause),
              Effect.sleep(LOOK)
            )
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

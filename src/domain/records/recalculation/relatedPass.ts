// The background pass of calculations over related records (developer-api.md 11.3): takes noted changes (writing/relatedChanges.ts), and
// calculates the records that read them. A batch is one transaction that also deletes its changes, so nothing is lost when it is killed. It
// reads what is related after it has locked its records: batches of a record follow one another, and the last one sees the newest values.
import { Cause, Clock, Effect, Latch, Layer, Schema } from "effect"
import { jsonb } from "../../../ground/sql/columns.ts"
import { rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { orSqlDefect, recoverSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import { triedAgain } from "../../../ground/sql/transact.ts"
import { Wakes } from "../../../ground/sql/Wakes.ts"
import { readTogether } from "../calculations/relatedRecords.ts"
import { Definitions } from "../model/Definitions.ts"
import type { WriteEffects } from "../model/RecordRow.ts"
import { makePreparation } from "../writing/preparation.ts"
import { makeRecalculating } from "../writing/recalculating.ts"
import { RELATED_PASS } from "../writing/relatedChanges.ts"

/** Changes of one batch, and records that it calculates: locked for some milliseconds. */
const CHANGES_AT_ONCE = 200
const RECORDS_AT_ONCE = 100
/** Changes behind the oldest one, among which those are sought that go with it. */
const SOUGHT_AMONG = 10_000
/** Milliseconds after which changes are tried again whose batch has failed. */
const AGAIN = 30_000
/** Longest wait for a lock, in milliseconds: who holds one for longer does not hold up other organizations. */
const PATIENCE = 5_000

const OrgId = Schema.Struct({ org_id: Schema.Int })
const Group = Schema.Struct({
  app_id: Schema.Int,
  relation_id: Schema.NullOr(Schema.Int),
  position: Schema.Int,
  change_ids: Schema.Array(Schema.Int),
  record_ids: Schema.Array(Schema.Int)
})
type Group = typeof Group.Type
const Change = Schema.Struct({
  change_id: Schema.Int,
  record_id: Schema.Int,
  effects: Schema.NullOr(jsonb<WriteEffects>())
})
type Change = typeof Change.Type
const Reading = Schema.Struct({ record_id: Schema.Int, targets: Schema.Array(Schema.Int) })

/** The change that a record follows: one with an author, the furthest in a chain of automations, the newest. */
const leading = (changes: ReadonlyArray<Change>): WriteEffects | null =>
  changes.reduce<WriteEffects | null>(
    (best, { effects }) => (effects !== null && effects.depth >= (best?.depth ?? 0) ? effects : best),
    null
  )

export const makeRelatedPass = Effect.gen(function* () {
  const sql = yield* Sql
  const definitions = yield* Definitions
  const preparation = yield* makePreparation
  const { statements } = preparation
  const { idList } = statements
  const recalculating = makeRecalculating(preparation)

  /** The next organization in turn that has changes to come to. */
  const nextOrg = Effect.fnUntraced(function* (last: number, now: Date) {
    const after = (least: number) =>
      rowOf(OrgId)(sql`
        SELECT org_id FROM calculation_changes WHERE org_id > ${least} AND due_on <= ${now} ORDER BY org_id LIMIT 1`)
    return (yield* after(last)) ?? (yield* after(0))
  })

  /** The oldest changes of an organization that one batch can work on together. */
  const nextGroup = (orgId: number, now: Date) =>
    rowOf(Group)(sql`
      WITH first AS (
        SELECT change_id, app_id, relation_id, position FROM calculation_changes
        WHERE org_id = ${orgId} AND due_on <= ${now} ORDER BY change_id LIMIT 1
      ), c AS (
        SELECT c.* FROM calculation_changes c, first f
        WHERE c.org_id = ${orgId} AND c.app_id = f.app_id AND c.relation_id IS NOT DISTINCT FROM f.relation_id
          AND c.position = f.position AND c.due_on <= ${now} AND c.change_id < f.change_id + ${SOUGHT_AMONG}::int
        ORDER BY c.change_id LIMIT ${CHANGES_AT_ONCE}::int
      )
      SELECT app_id, relation_id, position, array_agg(change_id ORDER BY change_id) AS change_ids, array_agg(DISTINCT record_id) AS record_ids
      FROM c GROUP BY app_id, relation_id, position`)

  /** Records that follow the changes, each with the records that have changed; at most one more than a batch takes. */
  const readingOf = ({ position, relation_id }: Group, changed: ReadonlyArray<number>) =>
    rowsOf(Reading)(
      relation_id === null
        ? sql`
            SELECT id AS record_id, ARRAY[id] AS targets FROM unnest(${changed.map(String)}::text[]::bigint[]) id
            WHERE id > ${position} GROUP BY id ORDER BY id LIMIT ${RECORDS_AT_ONCE + 1}::int`
        : sql`
            SELECT record_id, array_agg(target_id) AS targets FROM record_links
            WHERE field_id = ${relation_id} AND target_id = ${idList(changed)} AND record_id > ${position}
            GROUP BY record_id ORDER BY record_id LIMIT ${RECORDS_AT_ONCE + 1}::int`
    )

  /** Calculates live records of the app. Returns the last one if others have to wait, otherwise null. */
  const calculateReading = Effect.fnUntraced(function* (
    { app_id }: Group,
    reading: ReadonlyArray<typeof Reading.Type>,
    changes: ReadonlyArray<Change>,
    at: Date
  ) {
    const taken = reading.slice(0, RECORDS_AT_ONCE)
    const ids = taken.map(({ record_id }) => record_id)
    const lockedRows = ids.length === 0 ? [] : yield* statements.lock(app_id, ids, "FOR NO KEY UPDATE")
    const live = lockedRows.filter(({ deleted_on }) => deleted_on === null)
    const [first] = live
    if (first !== undefined) {
      const definition = yield* definitions.ofVersion(app_id, first.version)
      const cells = live.map((row) => row.cells)
      const rows = live.slice(0, readTogether(definition, cells))
      const byTarget = Map.groupBy(changes, ({ record_id }) => record_id)
      const effects = new Map(
        taken.map(({ record_id, targets }) => [
          record_id,
          leading(targets.flatMap((target) => byTarget.get(target) ?? []))
        ])
      )
      const [loud, quiet] = [true, false].map((isLoud) =>
        rows.filter(({ record_id }) => (effects.get(record_id) !== null) === isLoud)
      )
      yield* recalculating.after(definition, loud!, at, (id) => effects.get(id)!)
      yield* recalculating.quietly(definition, quiet!, at)
      if (rows.length < live.length) return rows.at(-1)!.record_id
    }
    return reading.length > taken.length ? ids.at(-1)! : null
  })

  const batch = Effect.fnUntraced(function* (group: Group, at: Date) {
    const changes = yield* rowsOf(Change)(sql`
      SELECT change_id, record_id, effects FROM calculation_changes
      WHERE change_id = ${idList(group.change_ids)} AND position = ${group.position} ORDER BY change_id FOR UPDATE SKIP LOCKED`)
    if (changes.length === 0) return
    const ids = idList(changes.map(({ change_id }) => change_id))
    const reading = yield* readingOf(group, [...new Set(changes.map(({ record_id }) => record_id))])
    const position = yield* calculateReading(group, reading, changes, at)
    yield* position === null
      ? sql`DELETE FROM calculation_changes WHERE change_id = ${ids}`
      : sql`UPDATE calculation_changes SET position = ${position} WHERE change_id = ${ids}`
  })

  const patiently = <A, E>(effect: Effect.Effect<A, E>) =>
    triedAgain(
      sql.withTransaction(
        Effect.andThen(sql`SELECT set_config('lock_timeout', ${String(PATIENCE)}, true)`, recoverSqlDefect(effect))
      )
    )

  /** Lets a batch that fails not hold up the others. */
  const putOff = (group: Group, at: Date) => (cause: Cause.Cause<unknown>) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.andThen(
          Effect.logWarning("calculations over related records failed and are tried again", cause),
          sql`
            UPDATE calculation_changes SET due_on = ${new Date(at.getTime() + AGAIN)}
            WHERE change_id = ${idList(group.change_ids)}`
        )

  let lastOrg = 0
  /** Works on the next batch; false if there is none. */
  const work = Effect.gen(function* () {
    const at = new Date(yield* Clock.currentTimeMillis)
    const next = yield* nextOrg(lastOrg, at)
    const group = next === undefined ? undefined : yield* nextGroup(next.org_id, at)
    lastOrg = next?.org_id ?? 0
    if (group === undefined) return next !== undefined
    // Waits for those who began to point to the changed records before they changed; others read what they are now.
    const pointed = group.relation_id === null ? Effect.void : patiently(statements.settle(group.record_ids))
    yield* pointed.pipe(Effect.andThen(patiently(batch(group, at))), Effect.catchCause(putOff(group, at)))
    return true
  }).pipe(orSqlDefect, Effect.withSpan("RelatedPass.work"))

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
      const took = (yield* Clock.currentTimeMillis) - began
      yield* worked ? Effect.sleep(Math.min(PAUSE_MOST, Math.max(1, took))) : Effect.timeoutOption(woken.await, LOOK)
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

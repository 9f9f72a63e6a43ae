// Reads and writes the installation's row, and raises all fences for a new epoch (docs/architecture/actors.md, "Epochs").
import { randomBytes } from "node:crypto"
import { Clock, Effect, Schema } from "effect"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { type EpochName, isSameEpoch } from "../temporal/Epoch.ts"
import { Facts, whyOther } from "./databaseFacts.ts"

export const InstallationRow = Schema.Struct({
  epoch: Schema.Int,
  epoch_key: Schema.String,
  mark: Schema.Int,
  told: Schema.Boolean,
  facts: Schema.NullOr(Facts),
  reason: Schema.String,
  began_on: Schema.Date,
  /** True if this very server wrote the row: it was neither restored nor copied. */
  own: Schema.Boolean
})
export type InstallationRow = typeof InstallationRow.Type

/** Epoch and counter that Temporal keeps of this installation. */
export interface TemporalMark {
  readonly epoch: EpochName
  readonly mark: number
}

export const epochOfRow = ({ epoch, epoch_key }: InstallationRow): EpochName => ({ number: epoch, key: epoch_key })

/** Epoch that the database claims to be in. For readers that do no work. */
export const epochInForce = Effect.flatMap(Sql, (sql) => Effect.map(makeInstallationRow(sql).read, epochOfRow))

/** Reason why this is not the database that it was, judged by the row and the server alone; null if it is. */
export const whyReplaced = (row: InstallationRow, now: Facts): string | null => {
  if (row.facts === null) return null
  return whyOther(row.facts, now) ?? (row.own ? null : "the rows were restored or copied")
}

/**
 * True if Temporal has seen what this database has not. Temporal need not have heard of an epoch that began without it. Of an epoch that
 * Temporal has been told, only what came before it may still be remembered.
 */
export const isBehind = (row: InstallationRow, { epoch, mark }: TemporalMark): boolean => {
  if (isSameEpoch(epoch, epochOfRow(row))) return mark > row.mark
  if (!row.told && row.epoch > 1) return false
  return mark > row.mark || epoch.number >= row.epoch
}

/**
 * Added to all fences: no activation, and no executor of a run, of any history has ever had such a fence. Running ones commit nothing more.
 */
const FENCE_JUMP = 1_000_000
/** Id of the current transaction, as the xmin of the row that it writes shows it. */
const ME = "pg_current_xact_id()::xid::text::bigint"

export const makeInstallationRow = (sql: Sql) => {
  const columns = sql.literal(
    "epoch, epoch_key, mark, told, facts, reason, began_on, written_xid IS NOT DISTINCT FROM xmin::text::bigint AS own"
  )
  const me = sql.literal(ME)
  const readRow = (lock: string) =>
    Effect.map(
      rowOf(InstallationRow)(sql`SELECT ${columns} FROM installation_epoch ${sql.literal(lock)}`),
      (row): InstallationRow => row!
    )

  const raiseFences = Effect.gen(function* () {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    // Locks in the order of the keys, as every other statement does.
    yield* sql`
      WITH held AS (SELECT actor_key FROM actors ORDER BY actor_key FOR UPDATE)
      UPDATE actors a SET fence = fence + ${FENCE_JUMP}, called_at = CASE WHEN state = 'asleep' THEN called_at ELSE ${nowDate} END,
        state = CASE WHEN state = 'asleep' THEN 'asleep' ELSE 'called' END
      FROM held WHERE a.actor_key = held.actor_key`
    yield* sql`
      WITH held AS (SELECT run_id FROM runs WHERE completed_on IS NULL ORDER BY run_id FOR UPDATE)
      UPDATE runs r SET fence = fence + ${FENCE_JUMP} FROM held WHERE r.run_id = held.run_id`
  })

  return {
    read: readRow(""),
    held: readRow("FOR UPDATE"),
    keepFacts: (facts: Facts) =>
      sql`UPDATE installation_epoch SET facts = ${JSON.stringify(facts)}::jsonb, written_xid = ${me}`,
    /** Writes the next mark, and the number by which an epoch that Temporal has not heard of follows the one that it has. */
    advance: (epoch: number, mark: number) =>
      sql`UPDATE installation_epoch SET epoch = ${epoch}, mark = ${mark}, written_xid = ${me}`,
    tell: sql`UPDATE installation_epoch SET told = true, written_xid = ${me} WHERE NOT told`,
    /** Begins an epoch. Call in the transaction that holds the row. */
    begin: Effect.fnUntraced(function* (row: InstallationRow, facts: Facts, reason: string, seen: TemporalMark | null) {
      const epoch: EpochName = {
        number: Math.max(row.epoch, seen?.epoch.number ?? 0) + 1,
        key: randomBytes(4).toString("hex")
      }
      const mark = Math.max(row.mark, seen?.mark ?? 0) + 1
      const nowDate = new Date(yield* Clock.currentTimeMillis)
      yield* sql`
        UPDATE installation_epoch SET epoch = ${epoch.number}, epoch_key = ${epoch.key}, mark = ${mark}, told = false,
          facts = ${JSON.stringify(facts)}::jsonb, written_xid = ${me}, reason = ${reason}, began_on = ${nowDate}`
      yield* raiseFences
      return epoch
    })
  }
}

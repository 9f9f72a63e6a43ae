// Statements of record writes: each writes a complete batch, its revisions, links and outbox rows in one round trip.
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { compiledOnce, slotsOf } from "../../../platform/sql/compiledOnce.ts"
import { atMost, listParameter, sizesOf } from "../../../platform/sql/listParameters.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { currentTraceparent } from "../../../platform/telemetry/traceContext.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { RecordRow } from "../model/RecordRow.ts"
import { type ChangedTables, type ChangeValues, changedTables, changeGiven, changeParts } from "./changeParts.ts"
import { makeCreate } from "./createStatement.ts"
import type { ChangedRow } from "./recordChange.ts"
import { referenceLockStatements } from "./referenceLocks.ts"
import { trashStatements } from "./trashStatements.ts"
import { makeWriteParts } from "./writeParts.ts"

const json = JSON.stringify

const LockedRecord = Schema.Struct({ ...RecordRow.fields, version: Schema.Int })

const SpentFile = Schema.Struct({ file_id: Schema.Int, temporary_id: Schema.String })

interface UpdateValues extends ChangeValues {
  /** Changes as JSON. */
  readonly changed: string
  /** Ids of the records whose titles change, as JSON. */
  readonly renamed: string
}
const slots = slotsOf<UpdateValues>()

/** The records of locked rows, by their ids. */
export const recordsById = (rows: ReadonlyArray<typeof LockedRecord.Type>): ReadonlyMap<number, RecordRow> =>
  new Map(rows.map(({ version: _, ...row }) => [row.record_id, row as RecordRow]))

export const makeStatements = Effect.map(Sql, (sql) => {
  const { idList } = makeWriteParts(sql)
  const pointing = referenceLockStatements(sql)
  const columns = sql.literal(
    "r.record_id, r.app_id, r.org_id, r.app_record_id, r.title, r.revision, r.cells, r.comment_count, " +
      "r.created_on, r.created_by, r.last_modified_on, r.last_modified_by, r.deleted_on"
  )
  /** @param app locks the app, which comes first; then records in id order: the same order everywhere, so that writers never deadlock */
  const lockRecords = (app: Statement.Fragment, ids: ReadonlyArray<number>, how: string) =>
    rowsOf(LockedRecord)(sql`
      WITH a AS MATERIALIZED (${app})
      SELECT ${columns}, a.version FROM a JOIN records r ON r.app_id = a.app_id
      WHERE r.record_id = ${idList(ids)} ORDER BY r.record_id ${sql.literal(how)}`)

  /** @param how `FOR UPDATE`: no write may come to point to them meanwhile */
  const lock = (appId: number, ids: ReadonlyArray<number>, how: "FOR UPDATE" | "FOR NO KEY UPDATE") =>
    lockRecords(sql`SELECT app_id, version FROM apps WHERE app_id = ${appId} FOR KEY SHARE`, ids, `${how} OF r`)

  /**
   * Locks those of the records, and the app, that no other transaction has locked: waits for none. What the transaction waits for later, it
   * waits for that long.
   */
  const lockFree = (appId: number, ids: ReadonlyArray<number>, lockMillis: number) =>
    lockRecords(
      sql`SELECT app_id, version, set_config('lock_timeout', ${String(lockMillis)}, true) FROM apps WHERE app_id = ${appId}
        FOR KEY SHARE SKIP LOCKED`,
      ids,
      "FOR NO KEY UPDATE OF r SKIP LOCKED"
    )

  const compiled = compiledOnce<UpdateValues>(sql)
  const updating = (count: number, renames: number, tables: ChangedTables) => {
    const { columns, event, records } = changeParts(sql, slots)
    const rows = atMost(sql, count, sql`jsonb_to_recordset(${slots.changed}::jsonb) AS j (${columns})`)
    const lockRenamed = pointing.lockRenamed(listParameter(sql, renames, slots.renamed))
    const changes =
      renames === 0
        ? sql`WITH i AS MATERIALIZED (SELECT * FROM ${rows})`
        : sql`WITH renamed_records AS MATERIALIZED (${lockRenamed}),
          i AS MATERIALIZED (SELECT * FROM ${rows} WHERE (SELECT count(*) FROM renamed_records) > 0)`
    return sql`${changes}, ${records(tables)} ${event}`
  }

  /** @param renamed ids of the locked records whose titles change: whoever is about to point to them is waited for first */
  const update = (
    { app_id, org_id }: AppDefinition,
    changed: ReadonlyArray<ChangedRow>,
    renamed: ReadonlyArray<number>,
    now: Date
  ) =>
    Effect.flatMap(currentTraceparent, (trace) => {
      const sizes = renamed.length === 0 ? sizesOf(changed.length) : sizesOf(changed.length, renamed.length)
      const tables = changedTables(changed)
      return compiled(
        sizes === undefined ? undefined : `${sizes}, ${tables.links} ${tables.files} ${tables.lines}`,
        { app_id, org_id, now, changed: json(changed.map((one) => changeGiven(one, trace))), renamed: json(renamed) },
        () => updating(changed.length, renamed.length, tables)
      )
    })

  /** False if the app has another version by now, or was deleted. */
  const holdVersion = ({ app_id, version }: AppDefinition) =>
    Effect.map(
      sql`SELECT 1 FROM apps WHERE app_id = ${app_id} AND version = ${version} FOR KEY SHARE`,
      (rows) => rows.length > 0
    )

  /** Consumes temporary file ids: missing ones were attached by another write. */
  const attach = (ids: ReadonlyArray<string>, now: Date) =>
    rowsOf(SpentFile)(sql`
      WITH t AS (SELECT file_id, temporary_id FROM files WHERE temporary_id = ANY(${[...ids]}::text[]) FOR UPDATE)
      UPDATE files f SET temporary_id = NULL, attached_on = ${now} FROM t WHERE f.file_id = t.file_id
      RETURNING f.file_id, t.temporary_id`)

  const { hold, holdNames, settle } = pointing
  return {
    columns,
    idList,
    lock,
    lockFree,
    create: makeCreate(sql),
    update,
    hold,
    holdNames,
    settle,
    holdVersion,
    attach,
    ...trashStatements(sql)
  }
})

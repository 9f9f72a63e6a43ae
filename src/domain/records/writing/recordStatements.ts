// Statements of record writes: each writes a complete batch, its revisions, links and outbox rows in one round trip.
import { Effect, Schema } from "effect"
import { compiledOnce, slotsOf } from "../../../platform/sql/compiledOnce.ts"
import { atMost, sizesOf } from "../../../platform/sql/given.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { currentTraceparent } from "../../../platform/telemetry/traceContext.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { RecordRow } from "../model/RecordRow.ts"
import { type ChangeValues, changeGiven, changeParts } from "./changeParts.ts"
import { makeCreate } from "./createStatement.ts"
import type { ChangedRow } from "./recordChange.ts"
import { pointedStatements } from "./referenceLocks.ts"
import { trashStatements } from "./trashStatements.ts"
import { makeWriteParts } from "./writeParts.ts"

const json = JSON.stringify

const LockedRecord = Schema.Struct({ ...RecordRow.fields, version: Schema.Int })

const SpentFile = Schema.Struct({ file_id: Schema.Int, temporary_id: Schema.String })

interface UpdateValues extends ChangeValues {
  /** Changes as JSON. */
  readonly changed: string
}
const slots = slotsOf<UpdateValues>()

export const makeStatements = Effect.map(Sql, (sql) => {
  const { idList } = makeWriteParts(sql)
  const pointing = pointedStatements(sql)
  const columns = sql.literal(
    "r.record_id, r.app_id, r.org_id, r.app_record_id, r.title, r.revision, r.cells, r.comment_count, " +
      "r.created_on, r.created_by, r.last_modified_on, r.last_modified_by, r.deleted_on"
  )
  /**
   * Locks the app, then records in id order: the same order everywhere, so that writers never deadlock.
   * @param how `FOR UPDATE`: no write may come to point to them meanwhile
   */
  const lock = (appId: number, ids: ReadonlyArray<number>, how: "FOR UPDATE" | "FOR NO KEY UPDATE") =>
    rowsOf(LockedRecord)(sql`
      WITH a AS MATERIALIZED (SELECT app_id, version FROM apps WHERE app_id = ${appId} FOR KEY SHARE)
      SELECT ${columns}, a.version FROM a JOIN records r ON r.app_id = a.app_id
      WHERE r.record_id = ${idList(ids)} ORDER BY r.record_id ${sql.literal(how)} OF r`)

  const compiled = compiledOnce<UpdateValues>(sql)
  const updating = (count: number) => {
    const { cells, columns, event, links } = changeParts(sql, slots)
    return sql`
      WITH i AS MATERIALIZED (
        SELECT * FROM ${atMost(sql, count, sql`jsonb_to_recordset(${slots.changed}::jsonb) AS j (${columns})`)}
      ), ${cells}, ${links()}
      ${event}`
  }

  const update = (appId: number, orgId: number, changed: ReadonlyArray<ChangedRow>, now: Date) =>
    Effect.flatMap(currentTraceparent, (trace) =>
      compiled(
        sizesOf(changed.length),
        { app_id: appId, org_id: orgId, now, changed: json(changed.map((one) => changeGiven(one, trace))) },
        () => updating(changed.length)
      )
    )

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

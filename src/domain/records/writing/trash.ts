// Moves records to the trash, restores them, and destroys them (developer-api.md 4.2, 4.3 rule 6).
import { Effect, Schema } from "effect"
import { RecordDeleted } from "../../../platform/primitives/errors.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { readsRelated } from "../calculations/calculationPlan.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { type RecordRow, revisionConflict, type Write } from "../model/RecordRow.ts"
import { shownTitle } from "../model/recordTitle.ts"
import { type Preparation, single } from "./preparation.ts"
import { hasUnique } from "./UniqueValues.ts"

const RecordId = Schema.Struct({ record_id: Schema.Int })

/** Maximum number of records that one entry of the audit log names. */
const NAMED = 100

export const makeTrash = ({
  audit,
  sql,
  statements,
  open,
  outbox,
  atomic,
  now,
  invalid,
  runHooks,
  locked,
  relatedChanges,
  retitlePointing,
  undone,
  unique
}: Preparation) => {
  const changedRows =
    ({ item_name }: AppDefinition) =>
    (record: RecordRow) => ({
      record_id: record.record_id,
      revision: record.revision,
      cells: record.cells,
      shown: shownTitle(record.title, item_name, record.app_record_id)
    })

  const removeLocked = Effect.fnUntraced(function* (
    write: Write,
    appId: number,
    ids: ReadonlyArray<number>,
    skipTrash: boolean
  ) {
    const { byId, definition } = yield* locked(appId, ids)
    const trashed = ids.find((id) => byId.get(id)!.deleted_on !== null)
    if (trashed !== undefined && !skipTrash) return yield* new RecordDeleted({ recordId: trashed })
    for (const id of ids) yield* revisionConflict(write, byId.get(id)!)
    const trashedAt = yield* now
    const records = [...byId.values()]
    const trashedRecords = records
      .filter((record) => record.deleted_on === null)
      .map((record): RecordRow => ({ ...record, revision: record.revision + 1, deleted_on: trashedAt }))
    const rows = trashedRecords.map(changedRows(definition))
    if (skipTrash) {
      // Updates the titles that show these records as if they were trashed, before their links are deleted.
      yield* sql`UPDATE records SET deleted_on = ${trashedAt} WHERE record_id = ${statements.idList(ids)}`
      yield* retitlePointing(ids)
      yield* destroy(ids, write)
      yield* audit.record({
        event: "record.destroyed",
        orgId: definition.org_id,
        details: {
          app_id: appId,
          count: records.length,
          record_ids: records.slice(0, NAMED).map((one) => one.record_id)
        }
      })
      if (rows.length > 0) yield* statements.announceDestroyed(appId, definition.org_id, write, rows, trashedAt)
      if (definition.readers.length > 0) yield* relatedChanges.announce
      yield* runHooks({ type: "destroy", definition, records })
    } else {
      yield* statements.turn("record.delete", appId, definition.org_id, write, rows, trashedAt)
      yield* retitlePointing(ids)
      yield* relatedChanges.note(
        definition,
        trashedRecords.map(({ record_id }) => ({ record_id, write }))
      )
      yield* runHooks({ type: "delete", definition, records: trashedRecords })
    }
    yield* unique.leave(definition, trashedRecords)
    yield* outbox.announce
    const byIdAfter = new Map(trashedRecords.map((record) => [record.record_id, record]))
    return [...new Set(ids)].map((id) => byIdAfter.get(id) ?? byId.get(id)!)
  })

  /** @param write of the destruction of live records; trashed ones go without an effect on others */
  const destroy = (ids: ReadonlyArray<number>, write: Write | null = null) => {
    const which = statements.idList(ids)
    const effects = write === null ? Effect.succeed(null) : relatedChanges.effectsOf(write)
    return Effect.andThen(
      statements.lockPointing(which),
      Effect.flatMap(effects, (noted) => statements.destroy(which, noted))
    )
  }

  const remove = Effect.fn("RecordWriter.remove")(
    (write: Write, appId: number, ids: ReadonlyArray<number>, skipTrash: boolean) =>
      ids.length === 0 ? Effect.succeed([]) : atomic(removeLocked(write, appId, ids, skipTrash)),
    orSqlDefect
  )

  const turnBack = Effect.fnUntraced(function* (write: Write, definition: AppDefinition, before: RecordRow) {
    const record: RecordRow = { ...before, revision: before.revision + 1, deleted_on: null }
    const { app_id, cells, record_id } = record
    const restoredAt = yield* now
    if (hasUnique(definition)) yield* unique.keep(definition, [{ record_id, before: {}, after: cells, write }], single)
    yield* statements.turn(
      "record.restore",
      app_id,
      definition.org_id,
      write,
      [changedRows(definition)(record)],
      restoredAt
    )
    yield* retitlePointing([record_id])
    yield* relatedChanges.note(definition, [{ record_id, write }])
    // Changes of related records have not come to it in the trash.
    if (readsRelated(definition)) yield* relatedChanges.noteOwn(definition, [record_id], write)
    yield* runHooks({ type: "restore", definition, records: [record] })
    yield* outbox.announce
    return record
  })

  const restore = Effect.fn("RecordWriter.restore")(function* (write: Write, appId: number, id: number) {
    const isInTransaction = yield* open
    return yield* atomic(
      Effect.gen(function* () {
        const { byId, definition } = yield* locked(appId, [id])
        const trashedRecord = byId.get(id)!
        if (trashedRecord.deleted_on === null) return yield* invalid(`Record ${id} is not in the trash.`)
        yield* revisionConflict(write, trashedRecord)
        return yield* undone(definition, isInTransaction, turnBack(write, definition, trashedRecord))
      })
    )
  }, orSqlDefect)

  const purge = Effect.fn("RecordWriter.purge")(
    (before: Date, limit: number) =>
      atomic(
        Effect.gen(function* () {
          const rows = yield* rowsOf(RecordId)(sql`
            SELECT record_id FROM records WHERE deleted_on < ${before} ORDER BY deleted_on
            LIMIT ${limit}::int FOR UPDATE SKIP LOCKED`)
          if (rows.length > 0) yield* destroy(rows.map((row) => row.record_id))
          return rows.length
        })
      ),
    orSqlDefect
  )

  return { remove, restore, purge }
}

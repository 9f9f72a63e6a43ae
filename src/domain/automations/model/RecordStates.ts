// Loads present record states for rules (RunScope.ts): live and trashed records of an organization, many at once.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Author, OutboxEvent, RecordChange } from "../../../engine/outbox/Event.ts"
import { formatDateTime, formatDateTimeOrNull } from "../../../platform/primitives/dates.ts"
import { findBatched } from "../../../platform/sql/dataLoader.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { RecordRow } from "../../records/model/RecordRow.ts"
import type { RecordState } from "./RunScope.ts"

/** Record row with its title; a record without a title is named by its number. */
const ReadRecord = Schema.Struct({ ...RecordRow.fields, title: Schema.String })
type Row = Omit<typeof ReadRecord.Type, "org_id">

const FIT_BYTES = 1024 * 1024

export const stateOf = (row: Row): RecordState => ({
  ...row,
  created_on: formatDateTime(row.created_on),
  last_modified_on: formatDateTimeOrNull(row.last_modified_on),
  deleted_on: formatDateTimeOrNull(row.deleted_on)
})

/** State of a record that was deleted and that only its event describes. */
const goneRecord = (recordId: number, appId: number, author: Author) =>
  Effect.map(
    Clock.currentTimeMillis,
    (millis): RecordState => ({
      record_id: recordId,
      app_id: appId,
      app_record_id: 0,
      revision: 0,
      title: "",
      cells: {},
      comment_count: 0,
      created_on: formatDateTime(new Date(millis)),
      created_by: author,
      last_modified_on: null,
      last_modified_by: null,
      deleted_on: formatDateTime(new Date(millis))
    })
  )

/**
 * Builds a record's state at an event: the event's data over the facts that never change. @param known the record's present state, if it
 * exists
 */
export const atEvent = Effect.fnUntraced(function* (
  event: Pick<OutboxEvent, "type" | "record_id" | "created_on" | "payload"> & { readonly app_id: number },
  known: RecordState | null | undefined
) {
  const change = event.payload as RecordChange
  const live = known ?? (yield* goneRecord(event.record_id!, event.app_id, change.author))
  const touched = event.type !== "record.create" && event.type !== "record.delete"
  const record: RecordState = {
    ...live,
    cells: change.cells,
    revision: change.revision,
    title: change.title,
    last_modified_on: touched ? formatDateTime(event.created_on) : live.last_modified_on,
    last_modified_by: touched ? change.author : live.last_modified_by
  }
  const previous: RecordState | null =
    change.previous === undefined
      ? null
      : { ...live, title: change.title, ...change.former, cells: change.previous, revision: change.revision - 1 }
  return { record, previous, changed: change.changed ?? null }
})

export class RecordStates extends Context.Service<
  RecordStates,
  {
    /** Loads records in the order of the ids; unknown ones are left out. */
    readonly byIds: (orgId: number, ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<RecordState>>
    /** Loads the first record, whatever its size, and as many of the following as fit into one megabyte of stored data. */
    readonly asManyAsFit: (orgId: number, ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<RecordState>>
  }
>()("millrace/automations/model/RecordStates") {
  static readonly layer = Layer.effect(
    RecordStates,
    Effect.gen(function* () {
      const sql = yield* Sql
      const columns = sql`r.record_id, r.org_id, r.app_id, r.app_record_id, r.revision, r.cells, r.comment_count, r.created_on,
            r.created_by, r.last_modified_on, r.last_modified_by, r.deleted_on,
            coalesce(r.title, a.item_name || ' #' || r.app_record_id) AS title`
      const load = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
        const rows = yield* rowsOf(ReadRecord)(sql`
          SELECT ${columns} FROM records r JOIN apps a USING (app_id)
          WHERE r.record_id = ANY(${ids.map(String)}::bigint[])`)
        return new Map(rows.map(({ org_id, ...row }) => [row.record_id, { orgId: org_id, state: stateOf(row) }]))
      })
      const find = yield* findBatched(sql, load)
      const byIds = Effect.fnUntraced(function* (orgId: number, ids: ReadonlyArray<number>) {
        if (ids.length === 0) return []
        const byId = yield* find(ids)
        return ids.flatMap((id) => {
          const recordRow = byId.get(id)
          return recordRow?.orgId === orgId ? [recordRow.state] : []
        })
      }, orSqlDefect)
      const asManyAsFit = Effect.fnUntraced(function* (orgId: number, ids: ReadonlyArray<number>) {
        const rows = yield* rowsOf(ReadRecord)(sql`
          SELECT ${columns} FROM (
            SELECT r.*, sum(pg_column_size(r.cells)) OVER (ORDER BY x.place) - pg_column_size(r.cells) AS before
            FROM (
              SELECT id, min(place) AS place FROM unnest(${ids.map(String)}::text[]::bigint[]) WITH ORDINALITY AS t (id, place) GROUP BY id
            ) x JOIN records r ON r.record_id = x.id WHERE r.org_id = ${orgId}) AS r
          JOIN apps a USING (app_id) WHERE r.before < ${FIT_BYTES}`)
        return rows.map(({ org_id: _, ...row }) => stateOf(row))
      }, orSqlDefect)
      return RecordStates.of({ byIds, asManyAsFit })
    })
  )
}

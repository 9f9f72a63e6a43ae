// Notes in the transaction of a change which records calculations read anew because of it (developer-api.md 11.3), for the background pass.
// A change of an app that no calculation reads notes nothing and asks nothing.
import { Clock, Effect } from "effect"
import { Sql } from "../../../platform/sql/Sql.ts"
import { Wakes } from "../../../platform/sql/Wakes.ts"
import { currentTraceparent, type Traceparent } from "../../../platform/telemetry/traceContext.ts"
import type { AppDefinition, AppReader } from "../model/AppDefinition.ts"
import type { WriteEffects } from "../model/RecordRow.ts"

/** The name under which the background pass waits. */
export const RELATED_PASS = "calculations"

interface ChangedRecord {
  readonly record_id: number
  /** Null: no revision and no event follow from it. */
  readonly write: WriteEffects | null
  /** Ids of the fields that changed; left out: whether the record counts at all has changed. */
  readonly changed?: ReadonlyArray<number>
}

/** Readers of an app that may read one of the fields. */
export const readersOf = (
  { byId, readers }: Pick<AppDefinition, "byId" | "readers">,
  changed: ReadonlyArray<number>
): ReadonlyArray<AppReader> =>
  readers.filter(({ members }) => changed.some((id) => members.includes(byId.get(id)?.slug ?? "")))

interface NotedChange {
  readonly app_id: number
  readonly relation_id: number | null
  readonly record_id: number
  readonly effects: WriteEffects | null
}

export const makeRelatedChanges = Effect.gen(function* () {
  const sql = yield* Sql
  const wakes = yield* Wakes
  const announce = sql.afterCommit(wakes.wake([RELATED_PASS]))

  const append = Effect.fnUntraced(function* (orgId: number, rows: ReadonlyArray<NotedChange>) {
    if (rows.length === 0) return
    const due = new Date(yield* Clock.currentTimeMillis)
    yield* sql`
      INSERT INTO calculation_changes (org_id, app_id, relation_id, record_id, effects, due_on)
      SELECT ${orgId}::bigint, app_id, relation_id, record_id, nullif(effects, 'null'), ${due}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x (app_id bigint, relation_id bigint, record_id bigint, effects jsonb)`
    yield* announce
  })

  const keptOf = (write: WriteEffects, around: Traceparent): WriteEffects => ({
    author: write.author,
    switches: write.switches,
    depth: write.depth,
    cause: write.cause,
    traceparent: write.traceparent === undefined ? around : write.traceparent
  })
  /** Facts that are kept of a write until its effects on others follow. */
  const effectsOf = (write: WriteEffects) => Effect.map(currentTraceparent, (around) => keptOf(write, around))

  /** Notes the changes of an app's records for those who read them. */
  const note = Effect.fnUntraced(function* (
    definition: Pick<AppDefinition, "byId" | "org_id" | "readers">,
    records: ReadonlyArray<ChangedRecord>
  ) {
    if (definition.readers.length === 0) return
    const traceparent = yield* currentTraceparent
    yield* append(
      definition.org_id,
      records.flatMap(({ changed, record_id, write }) => {
        const readers = changed === undefined ? definition.readers : readersOf(definition, changed)
        return readers.map(({ app_id, relation_id }) => ({
          app_id,
          relation_id,
          record_id,
          effects: write === null ? null : keptOf(write, traceparent)
        }))
      })
    )
  })

  /** Notes records of an app that are to be calculated anew themselves. */
  const noteOwn = Effect.fnUntraced(function* (
    { app_id, org_id }: AppDefinition,
    ids: ReadonlyArray<number>,
    write: WriteEffects | null
  ) {
    const effects = write === null ? null : yield* effectsOf(write)
    yield* append(
      org_id,
      ids.map((record_id) => ({ app_id, relation_id: null, record_id, effects }))
    )
  })

  return { announce, effectsOf, note, noteOwn }
})

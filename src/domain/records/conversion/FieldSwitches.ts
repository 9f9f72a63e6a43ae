// Ends a conversion (developer-api.md 11.4): in one transaction the field has its new type, each value of it is there, and history knows the
// former ones. Readers see the old field until it commits; writers of the app wait, as when a field is deleted.
import { isDeepStrictEqual } from "node:util"
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type Author, defaultSwitches } from "../../../engine/outbox/Event.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { AppChangeSubscribers } from "../apps/AppChangeSubscribers.ts"
import { makeAppAudit } from "../apps/appAudit.ts"
import type { Field } from "../fields/model/Field.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { RecordRow } from "../model/RecordRow.ts"
import { makeFieldReleases } from "../views/deletedFields.ts"
import { RecordHooks } from "../writing/RecordHooks.ts"
import { makeStatements } from "../writing/recordStatements.ts"
import { makeStoredTitles } from "../writing/storedTitles.ts"
import type { ConversionInput } from "./conversionInput.ts"
import { makeSwitchStatements } from "./switchStatements.ts"

const HOOKED = 500

/** The field as the conversion began with it; null if it is gone or has another type or other settings by now. */
export const formerOf = (fields: ReadonlyMap<number, Field> | undefined, input: ConversionInput): Field | null => {
  const field = fields?.get(input.field_id)
  return field !== undefined &&
    field.field_type === input.from.field_type &&
    isDeepStrictEqual(field.settings, input.from.settings)
    ? field
    : null
}

export class FieldSwitches extends Context.Service<
  FieldSwitches,
  {
    /** No record of the app is written until the transaction ends. Answers its definition. */
    readonly lock: (appId: number) => Effect.Effect<AppDefinition | undefined, SqlError>
    /** Call it with the app locked. @param to the field with all its options */
    readonly become: (jobId: number, from: Field, to: Field, author: Author) => Effect.Effect<void, SqlError>
  }
>()("millrace/records/FieldSwitches") {
  static readonly layer = Layer.effect(
    FieldSwitches,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const definitions = yield* Definitions
  const outbox = yield* Outbox
  const changes = yield* AppChangeSubscribers
  const hooks = yield* RecordHooks
  const audited = yield* makeAppAudit
  const statements = yield* makeSwitchStatements
  const releases = yield* makeFieldReleases
  const { columns } = yield* makeStatements
  const { retitleApp } = yield* makeStoredTitles

  const lock = Effect.fnUntraced(function* (appId: number) {
    yield* sql`SELECT 1 FROM apps WHERE app_id = ${appId} FOR UPDATE`
    return Option.getOrUndefined(yield* definitions.read(appId))
  })

  const runHooks = Effect.fnUntraced(function* (jobId: number, appId: number) {
    const definition = Option.getOrThrow(yield* definitions.read(appId))
    const concerned = hooks.filter((hook) => hook.concerns(definition))
    if (concerned.length === 0) return
    for (let lastId: number | undefined = 0; lastId !== undefined; ) {
      const records: ReadonlyArray<RecordRow> = yield* rowsOf(RecordRow)(sql`
        SELECT ${columns} FROM converted_cells c JOIN records r USING (record_id)
        WHERE c.job_id = ${jobId}::bigint AND r.record_id > ${lastId}::bigint ORDER BY r.record_id LIMIT ${HOOKED}::int`)
      if (records.length > 0)
        yield* Effect.forEach(concerned, (hook) => hook.run({ type: "update", definition, records }), { discard: true })
      lastId = records.length < HOOKED ? undefined : records.at(-1)!.record_id
    }
  })

  const become = Effect.fn("FieldSwitches.become")(function* (jobId: number, from: Field, to: Field, author: Author) {
    const switchedOn = new Date(yield* Clock.currentTimeMillis)
    const change = { jobId, from, to, author, at: switchedOn }
    const formerDefinition = Option.getOrThrow(yield* definitions.read(from.app_id))
    const former = yield* statements.keepFormer(change)
    yield* statements.dropKeys(change)
    yield* statements.moveHistory(change, former)
    yield* statements.keepKeys(change)
    // The type comes before the cells: the search entry of a record is made as they are written, and reads them by it.
    yield* statements.changeField(change)
    yield* statements.moveCells(change, former)
    yield* statements.moveLinks(change)
    yield* sql`UPDATE apps SET version = version + 1 WHERE app_id = ${from.app_id}`
    const newDefinition = Option.getOrThrow(yield* definitions.read(from.app_id))
    yield* statements.dropFilters(newDefinition, change)
    yield* releases.ofConverted(to)
    if ([formerDefinition.titleField?.field_id, newDefinition.titleField?.field_id].includes(from.field_id))
      yield* retitleApp(newDefinition)
    yield* runHooks(jobId, from.app_id)
    const { app_id, org_id } = newDefinition
    yield* changes.notify({
      orgId: org_id,
      appIds: [],
      fieldIds: [],
      relatedAppIds: [],
      convertedFieldIds: [to.field_id]
    })
    yield* outbox.append([
      {
        ...{ type: "app.update", payload: {}, org_id, app_id, record_id: null },
        ...{ switches: defaultSwitches, depth: 0, cause: null }
      }
    ])
    yield* audited.changed(formerDefinition, newDefinition, {})
  })

  return FieldSwitches.of({ become, lock })
})

// Creates or updates by unique fields (developer-api.md 11.2). Looks up the holders of the values, locks them, and looks them up again. If
// another write has come in between, it rolls back and starts again, so that of many writes with the same value one creates and the others
// update.
import { Data, Effect, Option, Result } from "effect"
import { UniqueConflict } from "../../../platform/primitives/errors.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { holds } from "../../accounts/Caller.ts"
import { keyText, uniqueKeys } from "../fields/uniqueKeys.ts"
import { type AppDefinition, fieldByKey } from "../model/AppDefinition.ts"
import type { RecordRow, Write } from "../model/RecordRow.ts"
import * as Inputs from "./fieldInputs.ts"
import { type Preparation, type ProblemPlace, single } from "./preparation.ts"
import type { makeRecordUpdates } from "./recordUpdates.ts"
import type { WriteError } from "./updateChecks.ts"
import { drawnRound, type MatchedInput, withoutKept } from "./upsertRounds.ts"

export interface UpsertedRecord {
  readonly record: RecordRow
  readonly created: boolean
}

/** Other writes have created, changed or deleted the records found. */
class Overtaken extends Data.TaggedError("Overtaken")<{ readonly conflict?: UniqueConflict }> {}

/** Maximum number of tries; each one lost against another write. */
const ROUNDS = 20

interface Ways extends Pick<Effect.Success<ReturnType<typeof makeRecordUpdates>>, "update"> {
  readonly create: (
    write: Write,
    appId: number,
    inputs: ReadonlyArray<Inputs.FieldInputs>,
    place?: ProblemPlace
  ) => Effect.Effect<ReadonlyArray<RecordRow>, WriteError>
}

export const makeUpsert = (preparation: Preparation, { create, update }: Ways) => {
  const { atomic, definitions, invalid, noApp, now, open, prepared, sql, statements, unique, withCleaning } =
    preparation

  const matchedBy = Effect.fnUntraced(function* (
    definition: AppDefinition,
    match: ReadonlyArray<number>,
    inputs: ReadonlyArray<Inputs.FieldInputs>,
    place: ProblemPlace
  ) {
    if (match.length === 0) return yield* invalid("match: name a unique field")
    const fields = yield* Effect.forEach(match, (id, index) => {
      const field = definition.byId.get(id)
      return field?.unique === true
        ? Effect.succeed(field)
        : invalid(`match[${index}]: the app has no unique field ${id}`)
    })
    const context = yield* prepared(definition, inputs, yield* now)
    return yield* Effect.forEach(inputs, (sent, index) => {
      const named = Object.entries(sent).filter(([key]) => match.includes(fieldByKey(definition, key)?.field_id ?? 0))
      const cells = Inputs.parseFields(definition, Object.fromEntries(named), {}, context)
      if (Result.isFailure(cells)) return invalid(place(index) + cells.failure)
      const keys = [...cells.success].flatMap(([field, cell]) =>
        uniqueKeys(field, cell).map((value) => ({ field_id: field.field_id, value }))
      )
      return keys.length > 0
        ? Effect.succeed<MatchedInput>({ index, fields: sent, keys })
        : invalid(`${place(index)}fields: has no value of ${fields.map(({ slug }) => slug).join(", ")}`)
    })
  })

  /** Finds for each input the record that has one of its values. */
  const findTargets = Effect.fnUntraced(function* (
    definition: AppDefinition,
    inputs: ReadonlyArray<MatchedInput>,
    write: Write,
    place: ProblemPlace
  ) {
    const rows = yield* unique.holders(inputs.flatMap(({ keys }) => keys))
    const holder = new Map(rows.map((row) => [keyText(row), row.record_id]))
    return yield* Effect.forEach(inputs, ({ index, keys }) => {
      const heldKeys = keys.flatMap((key) => {
        const record_id = holder.get(keyText(key))
        return record_id === undefined ? [] : [{ field_id: key.field_id, record_id }]
      })
      const other = heldKeys.find(({ record_id }) => record_id !== heldKeys[0]!.record_id)
      if (other === undefined) return Effect.succeed(heldKeys[0]?.record_id)
      const { slug } = definition.byId.get(other.field_id)!
      return new UniqueConflict({
        message: `${place(index)}fields.${slug}: its values belong to several records`,
        field_id: other.field_id,
        record_id: holds(write.caller, "records:read") ? other.record_id : null
      })
    })
  })

  const writtenRound = Effect.fnUntraced(function* (
    definition: AppDefinition,
    write: Write,
    waiting: ReadonlyArray<MatchedInput>,
    place: ProblemPlace
  ) {
    const round = drawnRound(waiting, yield* findTargets(definition, waiting, write, place))
    const targets = round.flatMap(({ target }) => target ?? [])
    const rows = targets.length === 0 ? [] : yield* statements.lock(definition.app_id, targets, "FOR NO KEY UPDATE")
    if (targets.length > 0) {
      const currentTargets = yield* findTargets(definition, round, write, place)
      if (round.some(({ target }, at) => target !== currentTargets[at])) return yield* new Overtaken({})
    }
    const lockedRows = new Map(rows.map((row) => [row.record_id, row]))
    const [known, fresh] = [
      round.filter(({ target }) => target !== undefined),
      round.filter(({ target }) => target === undefined)
    ]
    const changes = known.map(({ fields, keys, target }) => ({
      record_id: target!,
      fields: withoutKept(definition, fields, keys, lockedRows.get(target!)!.cells)
    }))
    const updated = yield* update(write, definition.app_id, changes, (at) => place(known[at]!.index))
    const news = fresh.map(({ fields }) => fields)
    const createdRecords = yield* create(write, definition.app_id, news, (at) => place(fresh[at]!.index))
    return [
      ...known.map(({ index }, at) => ({ index, record: updated[at]!, created: false })),
      ...fresh.map(({ index }, at) => ({ index, record: createdRecords[at]!, created: true }))
    ]
  })

  const upsertOnce = Effect.fnUntraced(function* (
    write: Write,
    appId: number,
    match: ReadonlyArray<number>,
    inputs: ReadonlyArray<Inputs.FieldInputs>,
    place: ProblemPlace
  ) {
    const loadedApp = yield* definitions.load(appId)
    if (Option.isNone(loadedApp)) return yield* noApp(appId)
    const definition = loadedApp.value
    // Its fields stay unique until this is through.
    if (!(yield* statements.holdVersion(definition))) return yield* new Overtaken({})
    const matchedInputs = yield* matchedBy(definition, match, inputs, place)
    const results: Array<UpsertedRecord> = []
    for (let remainingInputs = matchedInputs; remainingInputs.length > 0; ) {
      const upsertedRecords = yield* writtenRound(definition, write, remainingInputs, place).pipe(
        Effect.catchTag("UniqueConflict", (conflict) =>
          Effect.fail(match.includes(conflict.field_id) ? new Overtaken({ conflict }) : conflict)
        )
      )
      for (const { created, index, record } of upsertedRecords) results[index] = { record, created }
      remainingInputs = remainingInputs.filter(({ index }) => results[index] === undefined)
    }
    return results
  })

  return Effect.fn("RecordWriter.upsert")(
    function* (
      write: Write,
      appId: number,
      match: ReadonlyArray<number>,
      inputs: ReadonlyArray<Inputs.FieldInputs>,
      place: ProblemPlace = single
    ) {
      const isInTransaction = yield* open
      const attempt = upsertOnce(write, appId, match, inputs, place)
      const atomicAttempt = isInTransaction ? sql.withTransaction(attempt) : atomic(attempt)
      return yield* Effect.retry(atomicAttempt, { while: ({ _tag }) => _tag === "Overtaken", times: ROUNDS }).pipe(
        Effect.catchTag("Overtaken", ({ conflict }) =>
          conflict === undefined
            ? Effect.die(new Error(`records of app ${appId} kept changing under a write`))
            : conflict
        )
      )
    },
    (effect, _write, _appId, _match, inputs) => withCleaning(inputs, effect),
    orSqlDefect
  )
}

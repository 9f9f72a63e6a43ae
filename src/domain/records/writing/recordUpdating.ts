// Updates records (developer-api.md 4.3): locks them in id order, checks the changes, and writes them in one statement.
import { Effect, Result } from "effect"
import {
  Conflict,
  type NotFound,
  RecordDeleted,
  type RecordNotFound,
  type UniqueConflict,
  type ValidationError
} from "../../../platform/primitives/errors.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { type RecordRow, revisionConflict, type Write } from "../model/RecordRow.ts"
import * as Inputs from "./fieldInputs.ts"
import { type Preparation, type ProblemPlace, single } from "./preparation.ts"
import { changeOf } from "./recordChange.ts"
import { hasUnique } from "./UniqueValues.ts"
import { makeWriteChanged } from "./writeChanged.ts"

export interface RecordUpdate {
  readonly record_id: number
  readonly fields: Inputs.FieldInputs
  /** The only revision of the record on which the write is made. */
  readonly revision?: number
}
type WrittenUpdate = RecordUpdate & { readonly write: Write }

export type WriteError = ValidationError | NotFound | RecordNotFound | RecordDeleted | Conflict | UniqueConflict

interface Judged {
  readonly at: Date
  readonly byId: ReadonlyMap<number, RecordRow>
  readonly parsed: ReadonlyArray<Inputs.SetCells>
  /** Checks of each write, by what its own caller may see. */
  readonly judged: ReadonlyMap<Write, Effect.Success<ReturnType<Preparation["judge"]>>>
  readonly place: ProblemPlace
}

export const makeUpdating = (preparation: Preparation) => {
  const { atomic, attach, invalid, judge, locked, now, open, prepared } = preparation
  const { eachWithRelated, statements, undone, unique, withCleaning } = preparation
  const writeChanged = makeWriteChanged(preparation)

  /** Writes the checked updates. */
  const writeUpdates = Effect.fnUntraced(function* (
    definition: AppDefinition,
    inputs: ReadonlyArray<WrittenUpdate>,
    { at, byId, judged, parsed, place }: Judged
  ) {
    const attached = yield* attach(
      [...judged.values()].flatMap(({ temporary }) => temporary),
      at
    )
    const factsByWrite = new Map([...judged].map(([write, one]) => [write, Inputs.foundAttached(one.found, attached)]))
    const settingsOf = parsed.map((settings) => Inputs.withAttached(settings, attached))
    const cellsOf = ({ record_id }: WrittenUpdate, index: number) =>
      Inputs.cellsAfter(byId.get(record_id)!.cells, settingsOf[index]!)
    const changes = yield* eachWithRelated(definition, inputs, cellsOf, ({ record_id, write }, index, related) => {
      const changing = { at, found: factsByWrite.get(write)!, related, write }
      return changeOf(definition, byId.get(record_id)!, settingsOf[index]!, changing)
    })
    const changedIndexes = [...changes.keys()].filter((index) => changes[index] !== null)
    if (hasUnique(definition)) {
      const heldCells = changedIndexes.map((index) => {
        const { cells, previous, record_id } = changes[index]!.row
        return { record_id, before: previous, after: cells, write: inputs[index]!.write }
      })
      yield* unique.keep(definition, heldCells, (index) => place(changedIndexes[index]!))
    }
    yield* writeChanged(
      definition,
      changedIndexes.map((index) => changes[index]!),
      byId,
      at
    )
    return inputs.map(({ record_id }, index) => changes[index]?.record ?? byId.get(record_id)!)
  })

  const updateLocked = Effect.fnUntraced(function* (
    appId: number,
    inputs: ReadonlyArray<WrittenUpdate>,
    place: ProblemPlace,
    within: boolean
  ) {
    const ids = inputs.map((input) => input.record_id)
    if (new Set(ids).size < ids.length) return yield* invalid("inputs: name a record once only")
    const { byId, definition } = yield* locked(appId, ids, "FOR NO KEY UPDATE")
    const trashed = ids.find((id) => byId.get(id)!.deleted_on !== null)
    if (trashed !== undefined) return yield* new RecordDeleted({ recordId: trashed })
    const updatedAt = yield* now
    const fields = inputs.map((input) => input.fields)
    const context = yield* prepared(definition, fields, updatedAt)
    const parsedInputs: Array<Inputs.SetCells> = []
    for (const [index, input] of inputs.entries()) {
      const settings = Inputs.parseFields(definition, input.fields, byId.get(input.record_id)!.cells, context)
      if (Result.isFailure(settings)) return yield* invalid(place(index) + settings.failure)
      parsedInputs.push(settings.success)
    }
    const pointed = new Set(
      parsedInputs.flatMap((settings, index) => Inputs.newlyPointed(byId.get(ids[index]!)!.cells, settings))
    )
    if (pointed.size > 0) yield* statements.hold(definition.org_id, pointed)
    const named = parsedInputs.flatMap((settings) => Inputs.namedByTitle(definition, settings))
    if (named.length > 0) yield* statements.holdNames(definition.org_id, new Set(named))
    // Checks each write by what its own caller may see.
    const judged = new Map<Write, Effect.Success<ReturnType<typeof judge>>>()
    for (const write of new Set(inputs.map((input) => input.write))) {
      const indexes = [...inputs.keys()].filter((index) => inputs[index]!.write === write)
      const settings = indexes.map((index) => parsedInputs[index]!)
      judged.set(write, yield* judge(definition, write, settings, (index) => place(indexes[index]!)))
    }
    // Checks the revision last: problems of the input are reported before a revision conflict (developer-api.md 1.5).
    for (const [index, { record_id, revision, write }] of inputs.entries()) {
      const record = byId.get(record_id)!
      yield* revisionConflict(write, record)
      if (revision !== undefined && revision !== record.revision)
        return yield* new Conflict({
          message: `${place(index)}revision: record ${record_id} is at revision ${record.revision}, not ${revision}.`
        })
    }
    return yield* undone(
      definition,
      within,
      writeUpdates(definition, inputs, { at: updatedAt, byId, judged, parsed: parsedInputs, place })
    )
  })

  const updateEach = Effect.fn("RecordWriter.update")(
    (appId: number, inputs: ReadonlyArray<WrittenUpdate>, place: ProblemPlace = single) =>
      inputs.length === 0
        ? Effect.succeed([])
        : withCleaning(
            inputs.map(({ fields }) => fields),
            Effect.flatMap(open, (within) => atomic(updateLocked(appId, inputs, place, within)))
          ),
    orSqlDefect
  )
  const update = (write: Write, appId: number, inputs: ReadonlyArray<RecordUpdate>, place: ProblemPlace = single) =>
    updateEach(
      appId,
      inputs.map((input) => ({ ...input, write })),
      place
    )

  return { update, updateEach }
}

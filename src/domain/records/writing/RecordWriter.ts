// Changes of records with their revisions and events (developer-api.md 4.3): many at once, in the caller's transaction if
// there is one. The batch endpoints, single writes and automations all come through here.
import { Context, Effect, Layer, Result } from "effect"
import {
  type Conflict,
  type NotFound,
  RecordDeleted,
  type RecordNotFound,
  type ValidationError
} from "../../../ground/primitives/errors.ts"
import { orSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import { type RecordRow, revisionConflict, type Write } from "../model/RecordRow.ts"
import * as Inputs from "./fieldInputs.ts"
import { makeForesee, type ReadRecord } from "./foreseen.ts"
import { makePreparation, type ProblemPlace, single } from "./preparation.ts"
import { type ChangedRow, changeOf } from "./recordChange.ts"
import { makeCreation } from "./recordCreation.ts"
import { makeTrash } from "./trash.ts"

export interface RecordUpdate {
  readonly record_id: number
  readonly fields: Inputs.FieldInputs
}

type WriteError = ValidationError | NotFound | RecordNotFound | RecordDeleted | Conflict

export class RecordWriter extends Context.Service<
  RecordWriter,
  {
    readonly create: (
      write: Write,
      appId: number,
      inputs: ReadonlyArray<Inputs.FieldInputs>,
      place?: ProblemPlace
    ) => Effect.Effect<ReadonlyArray<RecordRow>, ValidationError | NotFound>
    /** Locks the records in id order. A write that changes nothing leaves its record as it is. */
    readonly update: (
      write: Write,
      appId: number,
      inputs: ReadonlyArray<RecordUpdate>,
      place?: ProblemPlace
    ) => Effect.Effect<ReadonlyArray<RecordRow>, WriteError>
    /** The same for changes that come from different writes of one app. */
    readonly updateEach: (
      appId: number,
      inputs: ReadonlyArray<RecordUpdate & { readonly write: Write }>
    ) => Effect.Effect<ReadonlyArray<RecordRow>, WriteError>
    /** What `changeParts` writes of an update of the record as it was read; null: it takes the ordinary way. */
    readonly foresee: (record: ReadRecord, fields: Inputs.FieldInputs, write: Write) => Effect.Effect<ChangedRow | null>
    /** To the trash; with `skipTrash` for good, trashed ones without an event. Answers them as they were, `deleted_on` set. */
    readonly remove: (
      write: Write,
      appId: number,
      ids: ReadonlyArray<number>,
      skipTrash: boolean
    ) => Effect.Effect<ReadonlyArray<RecordRow>, NotFound | RecordNotFound | RecordDeleted | Conflict>
    readonly restore: (write: Write, appId: number, id: number) => Effect.Effect<RecordRow, WriteError>
    /** Destroys what has been in the trash since before `before`, at most `limit` records. Answers how many went. */
    readonly purge: (before: Date, limit: number) => Effect.Effect<number>
  }
>()("millrace/records/RecordWriter") {
  static readonly layer = Layer.effect(
    RecordWriter,
    Effect.gen(function* () {
      const writing = yield* makePreparation
      const { atomic, attach, invalid, judge, locked, now, outbox, prepared } = writing
      const { retitlePointing, runHooks, statements, withCleaning } = writing

      const updateLocked = Effect.fnUntraced(function* (
        appId: number,
        inputs: ReadonlyArray<RecordUpdate & { readonly write: Write }>,
        place: ProblemPlace
      ) {
        const ids = inputs.map((input) => input.record_id)
        if (new Set(ids).size < ids.length) return yield* invalid("inputs: name a record once only")
        const { byId, definition } = yield* locked(appId, ids, "FOR NO KEY UPDATE")
        const trashed = ids.find((id) => byId.get(id)!.deleted_on !== null)
        if (trashed !== undefined) return yield* new RecordDeleted({ recordId: trashed })
        const at = yield* now
        const fields = inputs.map((input) => input.fields)
        const context = yield* prepared(definition, fields, at)
        const parsed: Array<Inputs.SetCells> = []
        for (const [index, input] of inputs.entries()) {
          const settings = Inputs.parseFields(definition, input.fields, byId.get(input.record_id)!.cells, context)
          if (Result.isFailure(settings)) return yield* invalid(place(index) + settings.failure)
          parsed.push(settings.success)
        }
        const pointed = new Set(
          parsed.flatMap((settings, index) => Inputs.newlyPointed(byId.get(ids[index]!)!.cells, settings))
        )
        if (pointed.size > 0) yield* statements.hold(definition.org_id, pointed)
        const named = parsed.flatMap((settings) => Inputs.namedByTitle(definition, settings))
        if (named.length > 0) yield* statements.holdNames(definition.org_id, new Set(named))
        // Each write is judged by what its own caller may see.
        const judged = new Map<Write, Effect.Success<ReturnType<typeof judge>>>()
        for (const write of new Set(inputs.map((input) => input.write))) {
          const of = [...inputs.keys()].filter((index) => inputs[index]!.write === write)
          const settings = of.map((index) => parsed[index]!)
          judged.set(write, yield* judge(definition, write, settings, (index) => place(of[index]!)))
        }
        // What may be sent comes before what it is sent on (developer-api.md 1.5).
        for (const { record_id, write } of inputs) yield* revisionConflict(write, byId.get(record_id)!)
        const attached = yield* attach(
          [...judged.values()].flatMap(({ temporary }) => temporary),
          at
        )
        const found = new Map([...judged].map(([write, one]) => [write, Inputs.foundAttached(one.found, attached)]))
        const changed: Array<ChangedRow> = []
        const after = inputs.map(({ record_id, write }, index) => {
          const before = byId.get(record_id)!
          const settings = Inputs.withAttached(parsed[index]!, attached)
          const change = changeOf(definition, before, settings, { at, found: found.get(write)!, write })
          if (change === null) return before
          changed.push(change.row)
          return change.record
        })
        if (changed.length > 0) {
          const records = after.filter((record) => record !== byId.get(record.record_id))
          const retitled = records
            .filter((record) => record.title !== byId.get(record.record_id)!.title)
            .map((record) => record.record_id)
          if (retitled.length > 0) yield* statements.settle(retitled)
          yield* statements.update(appId, definition.org_id, changed, at)
          if (retitled.length > 0) yield* retitlePointing(retitled)
          yield* runHooks({ type: "update", definition, records })
          yield* outbox.announce
        }
        return after
      })

      const updateEach = Effect.fn("RecordWriter.update")(
        (
          appId: number,
          inputs: ReadonlyArray<RecordUpdate & { readonly write: Write }>,
          place: ProblemPlace = single
        ) =>
          inputs.length === 0
            ? Effect.succeed([])
            : withCleaning(
                inputs.map(({ fields }) => fields),
                atomic(updateLocked(appId, inputs, place))
              ),
        orSqlDefect
      )
      const update = (write: Write, appId: number, inputs: ReadonlyArray<RecordUpdate>, place: ProblemPlace = single) =>
        updateEach(
          appId,
          inputs.map((input) => ({ ...input, write })),
          place
        )

      return RecordWriter.of({
        create: yield* makeCreation(writing),
        foresee: makeForesee(writing),
        update,
        updateEach,
        ...makeTrash(writing)
      })
    })
  )
}

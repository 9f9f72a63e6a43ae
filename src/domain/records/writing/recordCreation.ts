// Creates records (developer-api.md 4.3): checks them by the definition that this process saw last; the statement verifies that it is still
// current.
import { Effect, Option, Result } from "effect"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { readsRelated } from "../calculations/calculationPlan.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { factsOf, type RecordRow, type Write } from "../model/RecordRow.ts"
import { titleOf } from "../model/recordTitle.ts"
import { type Making, makeBatchedCreation } from "./batchedCreation.ts"
import type { NewRow } from "./createStatement.ts"
import * as Inputs from "./fieldInputs.ts"
import { type Preparation, type ProblemPlace, single } from "./preparation.ts"
import { hasUnique } from "./UniqueValues.ts"

export const makeRecordCreation = Effect.fnUntraced(function* (preparation: Preparation) {
  const { atomic, atomicOne, attach, definitions, hasMore, invalid, judge, noApp, now, open } = preparation
  const { eachWithRelated, outbox, prepared, runHooks, statements, undone, unique, withCleaning } = preparation
  const make = yield* makeBatchedCreation(preparation)

  const createOnce = Effect.fnUntraced(function* (
    definition: AppDefinition,
    write: Write,
    inputs: ReadonlyArray<Inputs.FieldInputs>,
    place: ProblemPlace,
    /** Drawn once, for all rounds. */
    numbers: Making["numbers"]
  ) {
    const createdAt = yield* now
    const context = yield* prepared(definition, inputs, createdAt)
    const parsedInputs: Array<Inputs.SetCells> = []
    for (const [index, fields] of inputs.entries()) {
      const settings = Inputs.parseFields(definition, fields, {}, context)
      if (Result.isFailure(settings)) return yield* invalid(place(index) + settings.failure)
      const missing = Inputs.missingRequired(definition, settings.success)
      if (missing !== null) return yield* invalid(place(index) + missing)
      parsedInputs.push(settings.success)
    }
    const { found, temporary } = yield* judge(definition, write, parsedInputs, place)
    const insert = Effect.fnUntraced(function* () {
      // Before a file is spent, for nothing of a transaction around this one is undone.
      const follows = readsRelated(definition)
      if ((temporary.length > 0 || follows) && !(yield* statements.holdVersion(definition))) return []
      // Records to which the new ones point are locked before it is read: whoever changes it afterwards finds them.
      const pointed = new Set(follows ? parsedInputs.flatMap((settings) => Inputs.newlyPointed({}, settings)) : [])
      if (pointed.size > 0) yield* statements.hold(definition.org_id, pointed)
      const attached = yield* attach(temporary, createdAt)
      const blank = { app_record_id: 0, created_on: createdAt, created_by: write.author } as RecordRow
      const facts = factsOf({ ...blank, last_modified_on: null, last_modified_by: null })
      const named = Inputs.foundAttached(found, attached)
      const cellsOf = (settings: Inputs.SetCells) => Inputs.cellsAfter({}, settings)
      const rows = yield* eachWithRelated(definition, parsedInputs, cellsOf, (settings, _, related): NewRow => {
        const set = Inputs.withAttached(settings, attached)
        const { cells, delta } = Inputs.applyWrite(definition, null, set, facts, { at: createdAt, related })!
        const links = Inputs.linksOf(definition, delta, "records").added
        return {
          cells,
          delta,
          pointed: links.map(({ target_id }) => found.records.get(target_id)!),
          named: Inputs.namedByTitle(definition, settings)
            .flatMap((id) => found.users.get(id) ?? [])
            .map(({ name, user_id }) => ({ user_id, name })),
          title: titleOf(definition, cells, facts, named),
          changed: Inputs.changedFields(definition, delta, null, facts),
          links,
          files: Inputs.linksOf(definition, delta, "files").added
        }
      })
      const createdRows = yield* make(definition, { rows, write, at: createdAt, numbers })
      if (createdRows.length === 0) return []
      const records = createdRows.map(
        (row, index): RecordRow => ({
          ...row,
          app_id: definition.app_id,
          revision: 0,
          cells: rows[index]!.cells,
          comment_count: 0,
          created_on: createdAt,
          created_by: write.author,
          last_modified_on: null,
          last_modified_by: null,
          deleted_on: null
        })
      )
      if (hasUnique(definition)) {
        const heldCells = records.map(({ cells, record_id }) => ({ record_id, before: {}, after: cells, write }))
        yield* unique.keep(definition, heldCells, place)
      }
      yield* runHooks({ type: "create", definition, records })
      yield* outbox.announce
      return records
    })
    // Opens a transaction only if more than the statement is written: the statement itself is atomic.
    return yield* temporary.length > 0 || hasMore(definition) || readsRelated(definition)
      ? atomic(undone(definition, yield* open, insert()))
      : atomicOne(insert())
  })

  const create = Effect.fn("RecordWriter.create")(
    function* (write: Write, appId: number, inputs: ReadonlyArray<Inputs.FieldInputs>, place: ProblemPlace = single) {
      if (inputs.length === 0) return []
      const numbers = {}
      let loadedApp = yield* definitions.lastSeen(appId)
      // Each round uses a newer version; an app does not change often enough to spend them all.
      for (let round = 0; round < 10; round++) {
        if (Option.isNone(loadedApp)) return yield* noApp(appId)
        const definition = loadedApp.value
        const creation = yield* Effect.result(createOnce(definition, write, inputs, place, numbers))
        if (Result.isSuccess(creation) && creation.success.length > 0) return creation.success
        if (Result.isFailure(creation) && creation.failure._tag !== "ValidationError")
          return yield* Effect.fail(creation.failure)
        // A refusal counts only if it was judged by the definition as it is now.
        loadedApp = yield* definitions.load(appId)
        if (Result.isFailure(creation) && Option.isSome(loadedApp) && loadedApp.value.version === definition.version) {
          return yield* Effect.fail(creation.failure)
        }
      }
      return yield* Effect.die(new Error(`app ${appId} kept changing under a write`))
    },
    (effect, _write, _appId, inputs) => withCleaning(inputs, effect),
    orSqlDefect
  )

  return create
})

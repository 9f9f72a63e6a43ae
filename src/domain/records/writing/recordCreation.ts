// Creates records (developer-api.md 4.3): checks them by the definition that this process saw last; the statement verifies that it is still
// current.
import { Effect, Option, Result } from "effect"
import { orSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import { type AppDefinition, titleOf } from "../model/AppDefinition.ts"
import { factsOf, type RecordRow, type Write } from "../model/RecordRow.ts"
import type { NewRow } from "./createStatement.ts"
import * as Inputs from "./fieldInputs.ts"
import { type Preparation, type ProblemPlace, single } from "./preparation.ts"
import { type Making, makeRecordsTogether } from "./recordsTogether.ts"
import { hasUnique } from "./UniqueValues.ts"

export const makeCreation = Effect.fnUntraced(function* (preparation: Preparation) {
  const { atomic, atomicOne, attach, definitions, hasMore, invalid, judge, noApp, now, open } = preparation
  const { outbox, prepared, runHooks, statements, undone, unique, withCleaning } = preparation
  const make = yield* makeRecordsTogether(preparation)

  const createOnce = Effect.fnUntraced(function* (
    definition: AppDefinition,
    write: Write,
    inputs: ReadonlyArray<Inputs.FieldInputs>,
    place: ProblemPlace,
    /** Drawn once, for all rounds. */
    numbers: Making["numbers"]
  ) {
    const at = yield* now
    const context = yield* prepared(definition, inputs, at)
    const parsed: Array<Inputs.SetCells> = []
    for (const [index, fields] of inputs.entries()) {
      const settings = Inputs.parseFields(definition, fields, {}, context)
      if (Result.isFailure(settings)) return yield* invalid(place(index) + settings.failure)
      const missing = Inputs.missingRequired(definition, settings.success)
      if (missing !== null) return yield* invalid(place(index) + missing)
      parsed.push(settings.success)
    }
    const { found, temporary } = yield* judge(definition, write, parsed, place)
    const insert = Effect.fnUntraced(function* () {
      // Before a file is spent, for nothing of a transaction around this one is undone.
      if (temporary.length > 0 && !(yield* statements.holdVersion(definition))) return []
      const attached = yield* attach(temporary, at)
      const blank = { app_record_id: 0, created_on: at, created_by: write.author } as RecordRow
      const facts = factsOf({ ...blank, last_modified_on: null, last_modified_by: null })
      const named = Inputs.foundAttached(found, attached)
      const rows = parsed.map((settings): NewRow => {
        const change = Inputs.applySetCells({}, Inputs.withAttached(settings, attached))
        const { cells, delta } = change ?? { cells: {}, delta: {} }
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
      const made = yield* make(definition, { rows, write, at, numbers })
      if (made.length === 0) return []
      const records = made.map(
        (row, index): RecordRow => ({
          ...row,
          app_id: definition.app_id,
          revision: 0,
          cells: rows[index]!.cells,
          comment_count: 0,
          created_on: at,
          created_by: write.author,
          last_modified_on: null,
          last_modified_by: null,
          deleted_on: null
        })
      )
      if (hasUnique(definition)) {
        const held = records.map(({ cells, record_id }) => ({ record_id, before: {}, after: cells, write }))
        yield* unique.keep(definition, held, place)
      }
      yield* runHooks({ type: "create", definition, records })
      yield* outbox.announce
      return records
    })
    // Opens a transaction only if more than the statement is written: the statement itself is atomic.
    return yield* temporary.length > 0 || hasMore(definition)
      ? atomic(undone(definition, yield* open, insert()))
      : atomicOne(insert())
  })

  const create = Effect.fn("RecordWriter.create")(
    function* (write: Write, appId: number, inputs: ReadonlyArray<Inputs.FieldInputs>, place: ProblemPlace = single) {
      if (inputs.length === 0) return []
      const numbers = {}
      let known = yield* definitions.lastSeen(appId)
      // Each round uses a newer version; an app does not change often enough to spend them all.
      for (let round = 0; round < 10; round++) {
        if (Option.isNone(known)) return yield* noApp(appId)
        const definition = known.value
        const made = yield* Effect.result(createOnce(definition, write, inputs, place, numbers))
        if (Result.isSuccess(made) && made.success.length > 0) return made.success
        if (Result.isFailure(made) && made.failure._tag !== "ValidationError") return yield* Effect.fail(made.failure)
        // A refusal counts only if it was judged by the definition as it is now.
        known = yield* definitions.load(appId)
        if (Result.isFailure(made) && Option.isSome(known) && known.value.version === definition.version) {
          return yield* Effect.fail(made.failure)
        }
      }
      return yield* Effect.die(new Error(`app ${appId} kept changing under a write`))
    },
    (effect, _write, _appId, inputs) => withCleaning(inputs, effect),
    orSqlDefect
  )

  return create
})

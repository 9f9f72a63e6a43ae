// Updates records (developer-api.md 4.3): locks them in id order, checks the changes, and writes them in one statement. Single
// updates by several callers, of records of one app, share a transaction (./batchedUpdating.ts).
import { Effect } from "effect"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { nothingFound } from "../fields/model/Field.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import type { RecordRow, Write } from "../model/RecordRow.ts"
import { makeUpdatesTogether } from "./batchedUpdating.ts"
import * as Inputs from "./fieldInputs.ts"
import { type Preparation, type ProblemPlace, single } from "./preparation.ts"
import { changeOf } from "./recordChange.ts"
import { recordsById } from "./recordStatements.ts"
import type { AllowTitles } from "./storedTitles.ts"
import { hasUnique } from "./UniqueValues.ts"
import {
  allPass,
  eachPasses,
  type FactsByWrite,
  makeUpdateChecks,
  type ParsedUpdate,
  type PlacedUpdate,
  type RecordUpdate,
  type WriteError
} from "./updateChecks.ts"
import { makeWriteChanged } from "./writeChanged.ts"

export const makeRecordUpdates = Effect.fnUntraced(function* (preparation: Preparation) {
  const { atomic, attach, definitions, invalid, locked, now, open } = preparation
  const { eachWithRelated, statements, undone, unique, withCleaning } = preparation
  const checks = makeUpdateChecks(preparation)
  const writeChanged = makeWriteChanged(preparation)

  /** Writes the checked updates; answers the records, in their order. */
  const writeUpdates = Effect.fnUntraced(function* <E = never>(
    definition: AppDefinition,
    updates: ReadonlyArray<ParsedUpdate>,
    at: Date,
    looked: FactsByWrite = new Map(),
    allow?: AllowTitles<E>
  ) {
    const attached = yield* attach(
      [...looked.values()].flatMap(({ temporary }) => temporary),
      at
    )
    const factsByWrite = new Map([...looked].map(([write, one]) => [write, Inputs.foundAttached(one.found, attached)]))
    const settingsOf = updates.map(({ settings }) => Inputs.withAttached(settings, attached))
    const cellsOf = ({ record }: ParsedUpdate, index: number) => Inputs.cellsAfter(record.cells, settingsOf[index]!)
    const changes = yield* eachWithRelated(definition, updates, cellsOf, ({ input, record }, index, related) => {
      const changing = { at, found: factsByWrite.get(input.write) ?? nothingFound, related, write: input.write }
      return changeOf(definition, record, settingsOf[index]!, changing)
    })
    const changedIndexes = [...changes.keys()].filter((index) => changes[index] !== null)
    if (hasUnique(definition)) {
      const heldCells = changedIndexes.map((index) => {
        const { cells, previous, record_id } = changes[index]!.row
        return { record_id, before: previous, after: cells, write: updates[index]!.input.write }
      })
      yield* unique.keep(definition, heldCells, (index) => updates[changedIndexes[index]!]!.input.place)
    }
    const changed = changedIndexes.map((index) => changes[index]!)
    yield* writeChanged(
      definition,
      changed,
      new Map(updates.map(({ record }) => [record.record_id, record])),
      at,
      allow
    )
    return updates.map(({ record }, index) => changes[index]?.record ?? record)
  })

  /** Updates all of the records or none; waits for those that others have locked. */
  const updateLocked = Effect.fnUntraced(function* (
    appId: number,
    inputs: ReadonlyArray<PlacedUpdate>,
    within: boolean
  ) {
    const ids = inputs.map((input) => input.record_id)
    if (new Set(ids).size < ids.length) return yield* invalid("inputs: name a record once only")
    const { byId, definition } = yield* locked(appId, ids, "FOR NO KEY UPDATE")
    const updatedAt = yield* now
    const lockedUpdates = inputs.map((input) => ({ input, record: byId.get(input.record_id)! }))
    const updates = yield* checks.parse(definition, lockedUpdates, updatedAt, allPass)
    const facts = yield* checks.lookUp(definition, updates)
    yield* allPass(updates, checks.atRevision)
    return yield* undone(definition, within, writeUpdates(definition, updates, updatedAt, facts))
  })

  const updateAll = (appId: number, inputs: ReadonlyArray<PlacedUpdate>) =>
    Effect.flatMap(open, (within) => atomic(updateLocked(appId, inputs, within)))

  /**
   * Updates those records of several callers that need nothing else locked or looked up. Waits for none: a record that another transaction
   * has locked is left out, as one is that does not exist.
   * @param refusals takes what updates were refused for
   * @param lockMillis for which titles of other records may be waited for
   * @param allow of titles of other records
   */
  const updateFree = Effect.fnUntraced(function* <E>(
    appId: number,
    inputs: ReadonlyArray<PlacedUpdate>,
    refusals: Map<PlacedUpdate, WriteError>,
    lockMillis: number,
    allow: AllowTitles<E>
  ) {
    const ids = inputs.map(({ record_id }) => record_id)
    const rows = yield* statements.lockFree(appId, ids, lockMillis)
    if (rows.length === 0) return new Map<PlacedUpdate, RecordRow>()
    const definition = yield* definitions.ofVersion(appId, rows[0]!.version)
    const updatedAt = yield* now
    const byId = recordsById(rows)
    const lockedUpdates = inputs.flatMap((input) => {
      const record = byId.get(input.record_id)
      return record === undefined ? [] : [{ input, record }]
    })
    const pass = eachPasses(refusals)
    const parsedUpdates = yield* checks.parse(definition, lockedUpdates, updatedAt, pass)
    const plainUpdates = parsedUpdates.filter(({ settings }) => Inputs.isPlain(settings))
    const updates = yield* pass(plainUpdates, checks.atRevision)
    const records = yield* writeUpdates(definition, updates, updatedAt, new Map(), allow)
    return new Map(updates.map(({ input }, index) => [input, records[index]!]))
  })

  const updateTogether = yield* makeUpdatesTogether(preparation, { updateAll, updateFree })

  const updateEach = Effect.fn("RecordWriter.update")(
    (appId: number, inputs: ReadonlyArray<RecordUpdate & { readonly write: Write }>, place: ProblemPlace = single) => {
      const updates = inputs.map((input, index) => ({ ...input, place: place(index) }))
      const fields = inputs.map((input) => input.fields)
      const [first] = updates
      if (first === undefined) return Effect.succeed([])
      return withCleaning(
        fields,
        updates.length === 1
          ? Effect.map(updateTogether(appId, first), (record): ReadonlyArray<RecordRow> => [record])
          : updateAll(appId, updates)
      )
    },
    orSqlDefect
  )
  const update = (write: Write, appId: number, inputs: ReadonlyArray<RecordUpdate>, place: ProblemPlace = single) =>
    updateEach(
      appId,
      inputs.map((input) => ({ ...input, write })),
      place
    )

  return { update, updateEach }
})

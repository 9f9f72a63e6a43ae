// Writes the rows of a batch (developer-api.md 4.2, 11.2): creates records, or updates those that have a value of the row in a unique field.
// A row that the write refuses is set aside by itself: its batch is halved until it stands alone.
import { Effect, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Sql } from "../../platform/sql/Sql.ts"
import type { Field } from "../records/fields/model/Field.ts"
import { keyText, type UniqueKey, uniqueKeys } from "../records/fields/uniqueKeys.ts"
import type { AppDefinition } from "../records/model/AppDefinition.ts"
import type { Write } from "../records/model/RecordRow.ts"
import { RecordWriter } from "../records/writing/RecordWriter.ts"
import { makeUniqueValues } from "../records/writing/UniqueValues.ts"
import { type ParsedRow, parseInput, withDefaults } from "./rowReading.ts"

interface RefusedRow {
  readonly record: ParsedRow
  readonly why: string
}

interface WrittenRows {
  readonly created: number
  readonly updated: number
  readonly refusals: ReadonlyArray<RefusedRow>
}

const sumOf = (a: WrittenRows, b: WrittenRows): WrittenRows => ({
  created: a.created + b.created,
  updated: a.updated + b.updated,
  refusals: [...a.refusals, ...b.refusals]
})
const nothingWritten: WrittenRows = { created: 0, updated: 0, refusals: [] }

type Refusal = Effect.Error<ReturnType<RecordWriter["Service"]["create"] | RecordWriter["Service"]["upsert"]>>

/** The message without the path of the API, which is no place in the file. */
const reasonOf = (refusal: Refusal) =>
  "message" in refusal && refusal.message !== ""
    ? refusal.message.replace(/^(?:rows\[\d{1,4}\]\.)?(?:fields\.)?/, "")
    : "another write has changed the record meanwhile"

const DOUBLE = "a record has the value of a unique field already"
const rowPath = (at: number) => `rows[${at}].`
const inputsOf = (records: ReadonlyArray<ParsedRow>) => records.map(({ inputs }) => inputs)

export const makeRowWriting = Effect.gen(function* () {
  const sql = yield* Sql
  const writer = yield* RecordWriter
  const unique = makeUniqueValues(sql)

  /** Writes all, or by halves those that can be written. @param write answers how many it has created */
  const byHalves = (
    records: ReadonlyArray<ParsedRow>,
    write: (records: ReadonlyArray<ParsedRow>) => Effect.Effect<number, Refusal>
  ): Effect.Effect<WrittenRows, SqlError> =>
    Effect.gen(function* () {
      const [record] = records
      if (record === undefined) return nothingWritten
      const attempt = yield* Effect.result(sql.withTransaction(write(records)))
      if (Result.isSuccess(attempt))
        return { created: attempt.success, updated: records.length - attempt.success, refusals: [] }
      if (attempt.failure._tag === "SqlError") return yield* Effect.fail(attempt.failure)
      if (records.length === 1) return { ...nothingWritten, refusals: [{ record, why: reasonOf(attempt.failure) }] }
      const middle = records.length >> 1
      const firstHalf = yield* byHalves(records.slice(0, middle), write)
      return sumOf(firstHalf, yield* byHalves(records.slice(middle), write))
    })

  const keysOf = (fields: ReadonlyArray<Field>, { inputs }: ParsedRow): ReadonlyArray<UniqueKey> =>
    fields.flatMap((field) => {
      const input = inputs[field.slug]
      const cell = input === undefined ? undefined : parseInput(input, field)
      return cell === undefined || Result.isFailure(cell)
        ? []
        : uniqueKeys(field, cell.success).map((value) => ({ field_id: field.field_id, value }))
    })

  /** Rows with a value that a record has; those with values that nobody has; those that share one with a row before them. */
  const splitByHolder = Effect.fnUntraced(function* (fields: ReadonlyArray<Field>, records: ReadonlyArray<ParsedRow>) {
    const keyedRecords = records.map((record) => ({ record, keys: keysOf(fields, record) }))
    const heldKeys = new Set((yield* unique.holders(keyedRecords.flatMap(({ keys }) => keys))).map(keyText))
    const newKeys = new Set<string>()
    const groups = {
      withHolder: [] as Array<ParsedRow>,
      withoutHolder: [] as Array<ParsedRow>,
      later: [] as Array<ParsedRow>
    }
    for (const { keys, record } of keyedRecords) {
      const texts = keys.map(keyText)
      if (texts.some((key) => heldKeys.has(key))) groups.withHolder.push(record)
      else if (texts.some((key) => newKeys.has(key))) groups.later.push(record)
      else groups.withoutHolder.push(record)
      for (const key of texts) newKeys.add(key)
    }
    return groups
  })

  const createRecords = Effect.fnUntraced(function* (
    write: Write,
    definition: AppDefinition,
    records: ReadonlyArray<ParsedRow>
  ) {
    const completeRecords: Array<ParsedRow> = []
    const refusals: Array<RefusedRow> = []
    for (const record of records) {
      const completion = withDefaults(definition, record.inputs)
      if ("missing" in completion) refusals.push({ record, why: `${completion.missing.label}: it needs a value` })
      else completeRecords.push({ ...record, inputs: completion.inputs })
    }
    const writtenRows = yield* byHalves(completeRecords, (some) =>
      Effect.map(writer.create(write, definition.app_id, inputsOf(some), rowPath), ({ length }) => length)
    )
    const recordByRow = new Map(records.map((record) => [record.row, record]))
    const asSent = ({ record, why }: RefusedRow) => ({ record: recordByRow.get(record.row)!, why })
    return { ...writtenRows, refusals: [...refusals, ...writtenRows.refusals.map(asSent)] }
  })

  const updateRecords = (
    write: Write,
    definition: AppDefinition,
    updateBy: ReadonlyArray<number>,
    records: ReadonlyArray<ParsedRow>
  ) =>
    byHalves(records, (some) =>
      Effect.map(
        writer.upsert(write, definition.app_id, updateBy, inputsOf(some), rowPath),
        (upserts) => upserts.filter(({ created }) => created).length
      )
    )

  /** Creates records. Rows that are refused since another write has just made a record with their value update that one. */
  const createOrUpdate = Effect.fnUntraced(function* (
    write: Write,
    definition: AppDefinition,
    matchFields: ReadonlyArray<Field>,
    records: ReadonlyArray<ParsedRow>
  ) {
    const writtenRows = yield* createRecords(write, definition, records)
    const { withHolder } = yield* splitByHolder(
      matchFields,
      writtenRows.refusals.map(({ record }) => record)
    )
    const matchIds = matchFields.map(({ field_id }) => field_id)
    const overtakenRecords = new Set(withHolder)
    const refusals = writtenRows.refusals.filter(({ record }) => !overtakenRecords.has(record))
    return sumOf({ ...writtenRows, refusals }, yield* updateRecords(write, definition, matchIds, withHolder))
  })

  /** @param updateBy unique fields; none: each row is a new record */
  return Effect.fnUntraced(function* (
    write: Write,
    definition: AppDefinition,
    updateBy: ReadonlyArray<number>,
    records: ReadonlyArray<ParsedRow>
  ): Effect.fn.Return<WrittenRows, SqlError> {
    const uniqueFields = definition.fields.filter((field) => field.unique)
    const matchFields =
      updateBy.length === 0 ? uniqueFields : uniqueFields.filter(({ field_id }) => updateBy.includes(field_id))
    let writtenRows = nothingWritten
    for (let remaining = records; remaining.length > 0; ) {
      const { later, withHolder, withoutHolder } = yield* splitByHolder(matchFields, remaining)
      const doubles = withHolder.map((record) => ({ record, why: DOUBLE }))
      const [fresh, others] =
        updateBy.length === 0
          ? [yield* createRecords(write, definition, withoutHolder), { ...nothingWritten, refusals: doubles }]
          : [
              yield* createOrUpdate(write, definition, matchFields, withoutHolder),
              yield* updateRecords(write, definition, updateBy, withHolder)
            ]
      writtenRows = sumOf(sumOf(writtenRows, fresh), others)
      remaining = later
    }
    return writtenRows
  })
})

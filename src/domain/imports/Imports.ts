// Imports of CSV files (developer-api.md 4.2): a preview of what would become of the first rows, and the job that imports all of them.
import { Context, Effect, Layer, Option } from "effect"
import type { Conflict, NotFound, RecordNotFound } from "../../platform/primitives/errors.ts"
import { Restricted, ValidationError } from "../../platform/primitives/errors.ts"
import { isZone } from "../../platform/primitives/zones.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { holds } from "../accounts/Caller.ts"
import { Jobs } from "../jobs/Jobs.ts"
import type { Field } from "../records/fields/model/Field.ts"
import { Contents } from "../records/files/Contents.ts"
import type { AppDefinition } from "../records/model/AppDefinition.ts"
import { Definitions } from "../records/model/Definitions.ts"
import { isImportable } from "./cellValues.ts"
import { guessFields } from "./columnGuess.ts"
import { detectFormat, estimateRows, SAMPLE_BYTES, SAMPLE_ROWS, type Sample } from "./csvFormat.ts"
import { markLength } from "./encodings.ts"
import { firstRows, readSpan, tooLong } from "./importFile.ts"
import { previewOf } from "./importPreview.ts"
import { COLUMNS_MOST, type ImportInput, type ImportJobInput, type ImportPreview } from "./importSchemas.ts"
import { makeImportSources } from "./importSources.ts"
import { makeNamedRecords } from "./namedRecords.ts"
import { asRead } from "./rowReading.ts"

/** Cells that a preview looks at, in as many rows as hold them, and at least in some. */
const CELLS_MOST = 20_000
const ROWS_LEAST = 20

/** Bytes of a file's beginning by which its encoding is detected. */
const ENCODING_BYTES = 8 * SAMPLE_BYTES

type Refused = ValidationError | NotFound | RecordNotFound | Restricted | Conflict

export class Imports extends Context.Service<
  Imports,
  {
    /** Looks at the first rows; nothing is written but a file that is fetched. */
    readonly preview: (grant: AccessGrant, input: ImportInput) => Effect.Effect<ImportPreview, Refused>
    /** Begins the job. Returns its id. The grant has level 3; options are added with level 5. */
    readonly begin: (
      grant: AccessGrant,
      input: ImportInput,
      switches: ImportJobInput["switches"]
    ) => Effect.Effect<number, Refused>
  }
>()("millrace/imports/Imports") {
  static readonly layer = Layer.effect(
    Imports,
    Effect.suspend(() => make)
  )
}

const invalid = (message: string) => new ValidationError({ message })

/** Fields of the columns: as named, else by their names. */
const targetsOf = Effect.fnUntraced(function* (
  definition: AppDefinition,
  head: ReadonlyArray<string>,
  columns: ImportInput["columns"] = []
) {
  const fieldByColumn = new Map<number, Field | undefined>()
  for (const [index, { column, field_id }] of columns.entries()) {
    const columnIndex = typeof column === "number" ? column - 1 : head.indexOf(column)
    if (head[columnIndex] === undefined) return yield* invalid(`columns[${index}].column: the file has no such column.`)
    const field = field_id === null ? undefined : definition.byId.get(field_id)
    if (field_id !== null && (field === undefined || !isImportable(field)))
      return yield* invalid(`columns[${index}].field_id: the app has no field ${field_id} that a file can fill.`)
    if (fieldByColumn.has(columnIndex)) return yield* invalid(`columns[${index}].column: is named twice.`)
    if (field !== undefined && [...fieldByColumn.values()].includes(field))
      return yield* invalid(`columns[${index}].field_id: another column goes to the field.`)
    fieldByColumn.set(columnIndex, field)
  }
  const remainingFields = definition.fields.filter((field) => ![...fieldByColumn.values()].includes(field)).map(asRead)
  const guesses = guessFields(
    remainingFields,
    head.map((name, at) => (fieldByColumn.has(at) ? "" : name))
  )
  return head.map((_, at) =>
    fieldByColumn.has(at) ? fieldByColumn.get(at) : definition.byId.get(guesses[at]?.field_id ?? 0)
  )
})

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const contents = yield* Contents
  const definitions = yield* Definitions
  const jobs = yield* Jobs
  const sources = yield* makeImportSources
  const lookUpNames = yield* makeNamedRecords

  const checkOptions = Effect.fnUntraced(function* (
    { caller, level }: AccessGrant,
    input: ImportInput,
    definition: AppDefinition
  ) {
    const { create_missing_options, format, update_by = [] } = input
    if (format?.time_zone !== undefined && !isZone(format.time_zone))
      return yield* invalid(`format.time_zone: ${JSON.stringify(format.time_zone)} is no zone.`)
    const strayIndex = update_by.findIndex((id) => definition.byId.get(id)?.unique !== true)
    if (strayIndex >= 0)
      return yield* invalid(`update_by[${strayIndex}]: the app has no unique field ${update_by[strayIndex]}.`)
    if (create_missing_options === true && (level < 5 || !holds(caller, "apps:edit")))
      return yield* new Restricted({ message: "create_missing_options: needs full access to the app." })
  })

  /** Opens the file and reads its beginning. */
  const lookAtFile = Effect.fnUntraced(function* (grant: AccessGrant, input: ImportInput) {
    const loadedApp = yield* definitions.load(grant.appId)
    if (Option.isNone(loadedApp)) return yield* invalid(`app_id: no app with id ${grant.appId}.`)
    const definition = loadedApp.value
    yield* checkOptions(grant, input, definition)
    const file = yield* sources.open(grant.caller, input)
    const bytes = yield* readSpan(contents, file, 0, ENCODING_BYTES)
    const sample: Sample = { bytes, isLast: bytes.length >= file.size }
    const format = detectFormat(sample, input.format ?? {})
    const begin = { byte: markLength(bytes, format.encoding), line: 1 }
    const headRead = yield* firstRows(contents, file, format, begin, { rows: 1, bytes: ENCODING_BYTES })
    if ("longLine" in headRead) return yield* invalid(`file_id: ${tooLong(headRead)}`)
    const [headRow] = headRead.rows
    if (headRow === undefined) return yield* invalid("file_id: the file has no rows.")
    const head = headRow.cells
    if (headRow.fault !== undefined) return yield* invalid(`file_id: line ${headRow.line}: ${headRow.fault}.`)
    if (head.length > COLUMNS_MOST) return yield* invalid(`file_id: more than ${COLUMNS_MOST} columns.`)
    const targets = yield* targetsOf(definition, head, input.columns)
    const rowsMost = Math.min(SAMPLE_ROWS, Math.max(ROWS_LEAST, Math.floor(CELLS_MOST / head.length)))
    const bounds = { rows: rowsMost, bytes: ENCODING_BYTES }
    const read = yield* firstRows(contents, file, format, headRead.next, bounds)
    if ("longLine" in read) return yield* invalid(`file_id: ${tooLong(read)}`)
    return { definition, file, format, head, start: headRead.next, read, targets }
  })

  const preview = Effect.fn("Imports.preview")(function* (grant: AccessGrant, input: ImportInput) {
    const openedFile = yield* lookAtFile(grant, input)
    const names = yield* lookUpNames(grant.caller, openedFile.read.rows, openedFile.targets)
    return previewOf(openedFile, names, input)
  }, orSqlDefect)

  const begin = Effect.fn("Imports.begin")(function* (
    grant: AccessGrant,
    input: ImportInput,
    switches: ImportJobInput["switches"]
  ) {
    const { definition, file, format, head, read, start, targets } = yield* lookAtFile(grant, input)
    const updateBy = input.update_by ?? []
    if (targets.every((field) => field === undefined)) return yield* invalid("columns: no column goes to a field.")
    if (updateBy.length > 0 && !targets.some((field) => field !== undefined && updateBy.includes(field.field_id)))
      return yield* invalid("update_by: no column goes to one of these fields.")
    const jobInput: ImportJobInput = {
      ...{ app_id: definition.app_id, file_id: file.file_id, storage_key: file.storage_key, file_name: file.name },
      ...{ size: file.size, format, head, start, switches },
      targets: targets.map((field) => field?.field_id ?? null),
      update_by: updateBy,
      create_missing_options: input.create_missing_options ?? false,
      ...(grant.caller.origin === undefined ? {} : { origin: grant.caller.origin }),
      on_bad_cell: input.on_bad_cell ?? "leave_empty"
    }
    const total = estimateRows(file.size, start, read)
    const beginJob = Effect.gen(function* () {
      const jobId = yield* jobs.begin(grant.caller, { kind: "record_import", input: jobInput, total })
      yield* sources.spend(file, jobId)
      return jobId
    })
    return yield* sql.withTransaction(beginJob)
  }, orSqlDefect)

  return Imports.of({ preview, begin })
})

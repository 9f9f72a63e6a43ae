// Imports a CSV file batch by batch (developer-api.md 4.2, 7.11). The position of the job is a byte of the file, so that any process goes on
// where the last batch was committed. Rights on the app are asked at each batch.
import { Data, Effect, Option, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Sql } from "../../platform/sql/Sql.ts"
import { Access } from "../accounts/Access.ts"
import { type CallerShape, holds } from "../accounts/Caller.ts"
import { type ReportEntry, sourceHolder } from "../jobs/Job.ts"
import { type BatchResult, type JobBatch, JobEnded, type JobKind } from "../jobs/JobKind.ts"
import { Apps } from "../records/apps/Apps.ts"
import { Contents } from "../records/files/Contents.ts"
import { Definitions } from "../records/model/Definitions.ts"
import { ownWrite } from "../records/model/RecordRow.ts"
import { isEmptyRow } from "./csvWindow.ts"
import { nextRows, tooLong, windowFor } from "./importFile.ts"
import { ImportJobInput } from "./importSchemas.ts"
import { addableOptions, addOptions } from "./missingOptions.ts"
import { makeNamedRecords } from "./namedRecords.ts"
import { readingOf } from "./readContext.ts"
import { makeRejectedRows } from "./rejectedRows.ts"
import { type ParsedRow, readRecord } from "./rowReading.ts"
import { makeRowWriting } from "./rowWriting.ts"

/** Rows of a batch. */
const AT_ONCE = 250
/** Rows with a quote that is never closed, after which the file counts as none of CSV: each costs a look at much of what follows. */
const UNCLOSED_MOST = 20

/** Tries of a batch while the app keeps changing; the last one leaves its rows out. */
const TRIES = 4

/** The app has changed since the rows were read, and some were refused, perhaps for that alone. */
class AppChanged extends Data.TaggedError("AppChanged") {}

const Position = Schema.fromJsonString(
  Schema.Struct({
    byte: Schema.Int,
    line: Schema.Int,
    unclosed: Schema.Int,
    /** True once the options that the next rows lack were added, as far as they could be. */
    optionsAdded: Schema.Boolean
  })
)
type Position = typeof Position.Type

const refusedCells = ({ badCells }: ParsedRow) =>
  badCells.map(({ field, message }) => `${field.label}: ${message}`).join("; ")

export const importJobKinds = Effect.gen(function* () {
  const sql = yield* Sql
  const access = yield* Access
  const apps = yield* Apps
  const contents = yield* Contents
  const definitions = yield* Definitions
  const lookUpNames = yield* makeNamedRecords
  const writeRows = yield* makeRowWriting
  const keepRejected = yield* makeRejectedRows

  const endWith = ({ message }: { readonly message: string }) => Effect.fail(new JobEnded({ message }))
  const grantOf = (caller: CallerShape, { app_id, create_missing_options }: ImportJobInput) =>
    create_missing_options && !holds(caller, "apps:edit")
      ? endWith({ message: "The credential lacks the scope apps:edit." })
      : access
          .check(caller, "app", app_id, create_missing_options ? 5 : 3)
          .pipe(
            Effect.catch((refusal) => endWith({ message: "message" in refusal ? refusal.message : "The app is gone." }))
          )

  const batch = Effect.fnUntraced(function* (
    { caller, jobId, position: storedPosition }: JobBatch,
    input: ImportJobInput,
    isLastTry: boolean
  ): Effect.fn.Return<BatchResult, JobEnded | SqlError | AppChanged> {
    if (caller === "operator") return yield* Effect.die(new Error("An import is begun by a user."))
    const grant = yield* grantOf(caller, input)
    const loadedApp = yield* definitions.load(input.app_id)
    if (Option.isNone(loadedApp)) return yield* endWith({ message: "The app is gone." })
    const definition = loadedApp.value
    const lostField = input.update_by.find((id) => definition.byId.get(id)?.unique !== true)
    if (lostField !== undefined)
      return yield* endWith({ message: `Field ${lostField} is no unique field of the app any more.` })
    const position: Position =
      storedPosition === null
        ? { ...input.start, unclosed: 0, optionsAdded: false }
        : yield* Effect.orDie(Schema.decodeUnknownEffect(Position)(storedPosition))
    const window = windowFor(AT_ONCE, {
      bytes: position.byte - input.start.byte,
      lines: position.line - input.start.line
    })
    const batchRows = yield* nextRows(contents, input, input.format, position, AT_ONCE, window)
    if ("longLine" in batchRows) return yield* endWith({ message: tooLong(batchRows) })
    const unclosed = position.unclosed + (batchRows.unclosed ? 1 : 0)
    if (unclosed > UNCLOSED_MOST)
      return yield* endWith({ message: `More than ${UNCLOSED_MOST} rows begin a quote that is never closed.` })

    const rows = batchRows.rows.filter((row) => !isEmptyRow(row))
    const targets = input.targets.map((id) => (id === null ? undefined : definition.byId.get(id)))
    const names = yield* lookUpNames(caller, rows, targets).pipe(
      Effect.catch((refusal) => endWith({ message: "message" in refusal ? refusal.message : "The app has changed." }))
    )
    const reading = { definition, targets, context: readingOf(input.format, names) }
    const records = rows.map((row) => readRecord(row, reading))
    const optionsByField = addableOptions(records.flatMap(({ badCells }) => badCells))
    if (input.create_missing_options && optionsByField.size > 0 && !position.optionsAdded) {
      // Records are written by the definition as it is committed: the options first, the rows with the next batch.
      const optionCount = yield* addOptions(apps, grant, optionsByField).pipe(
        Effect.catchTag(["ValidationError", "NotFound", "UniqueConflict"], endWith)
      )
      const counts = optionCount === 0 ? {} : { options_added: optionCount }
      return { position: JSON.stringify({ ...position, optionsAdded: true }), done: 0, counts, report: [], over: false }
    }

    const isSkipped = ({ badCells, fault }: ParsedRow) =>
      fault !== undefined || (input.on_bad_cell === "skip_row" && badCells.length > 0)
    const skippedRows = records
      .filter(isSkipped)
      .map((record) => ({ record, why: record.fault ?? refusedCells(record) }))
    const writableRecords = records.filter((record) => !isSkipped(record))
    const { created, refusals, updated } = yield* writeRows(
      ownWrite(input.origin === undefined ? caller : { ...caller, origin: input.origin }, input.switches),
      definition,
      input.update_by,
      writableRecords
    )
    if (refusals.length > 0 && !isLastTry) {
      const currentApp = yield* definitions.read(input.app_id)
      if (Option.isNone(currentApp) || currentApp.value.version !== definition.version) return yield* new AppChanged()
    }
    const rejectedRows = [...skippedRows, ...refusals].toSorted((a, b) => a.record.row.line - b.record.row.line)
    yield* keepRejected(jobId, caller, input, rejectedRows)
    const refusedLines = new Set(refusals.map(({ record }) => record.row.line))
    const recordsWithGaps = writableRecords.filter(
      ({ badCells, row }) => badCells.length > 0 && !refusedLines.has(row.line)
    )
    const emptyCells = recordsWithGaps.reduce((sum, { badCells }) => sum + badCells.length, 0)
    const report: ReadonlyArray<ReportEntry> = [
      ...rejectedRows.map(({ record, why }) => ({ id: String(record.row.line), message: `Not imported: ${why}` })),
      ...recordsWithGaps.map((record) => ({
        id: String(record.row.line),
        message: `Left empty: ${refusedCells(record)}`
      }))
    ].toSorted((a, b) => Number(a.id) - Number(b.id))
    const { over } = batchRows
    if (over) yield* sql`DELETE FROM file_holds WHERE holder = ${sourceHolder(jobId)}`
    const bytesDone = batchRows.next.byte - input.start.byte
    return {
      position: JSON.stringify({ ...batchRows.next, unclosed, optionsAdded: false } satisfies Position),
      done: rows.length,
      counts: {
        created,
        ...(updated === 0 ? {} : { updated }),
        ...(rejectedRows.length === 0 ? {} : { skipped: rejectedRows.length }),
        ...(emptyCells === 0 ? {} : { cells_left_empty: emptyCells })
      },
      report,
      over,
      share: over || bytesDone === 0 ? 1 : bytesDone / (input.size - input.start.byte)
    }
  })

  /** Imports one batch, rolled back and read again where the app changes beside it. */
  const settledBatch = (
    job: JobBatch,
    input: ImportJobInput,
    tries = TRIES
  ): Effect.Effect<BatchResult, JobEnded | SqlError> =>
    sql
      .withTransaction(batch(job, input, tries === 1))
      .pipe(
        Effect.catchTag("AppChanged", (overtaken) =>
          tries === 1 ? Effect.die(overtaken) : settledBatch(job, input, tries - 1)
        )
      )

  const kind: JobKind = {
    name: "record_import",
    batch: (job) =>
      Effect.flatMap(Effect.orDie(Schema.decodeUnknownEffect(ImportJobInput)(job.input)), (input) =>
        settledBatch(job, input)
      )
  }
  return [kind]
})

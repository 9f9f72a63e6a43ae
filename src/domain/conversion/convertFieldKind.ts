// Converts a field as a job (developer-api.md 11.4): batches write the new cells beside the records (stagedCells.ts), the last one switches
// (FieldSwitches.ts). Until then nothing of it can be seen, so a job that is cancelled or fails leaves the field as it was.
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Access } from "../accounts/Access.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { REPORTED } from "../jobs/Job.ts"
import { type BatchResult, type JobBatch, JobEnded, type JobKind } from "../jobs/JobKind.ts"
import { calculationsReading, isReadElsewhere } from "../records/calculations/calculationPlan.ts"
import { type Conversion, type HeldValue, makeConverter } from "../records/conversion/Converter.ts"
import {
  atStart,
  type ConversionCounts,
  ConversionInput,
  ConversionPosition
} from "../records/conversion/conversionInput.ts"
import { keepsEntries } from "../records/conversion/convertCell.ts"
import { FieldSwitches, formerOf } from "../records/conversion/FieldSwitches.ts"
import { withOptions } from "../records/conversion/newOptions.ts"
import { makeStagedCells, type ReadCell } from "../records/conversion/stagedCells.ts"
import type { DataKind } from "../records/fields/contract/FieldType.ts"
import type { AnyOption } from "../records/fields/kinds/optionFields.ts"
import type { Field } from "../records/fields/model/Field.ts"
import { typeOf } from "../records/fields/registry.ts"
import { Definitions } from "../records/model/Definitions.ts"
import { makeDeferredSearch } from "../search/searchIndexKind.ts"

/** Records of a batch. */
const AT_ONCE = 500
/** Changed values of a batch. */
const CHANGED_AT_ONCE = 200
/** Changed values that are converted while the app is locked. */
const LOCKED_AT_MOST = 2_000
/** Values that a dry run shows as they become. */
const SAMPLES = 10

const Position = Schema.fromJsonString(ConversionPosition)

const isHeld = (row: ReadCell): row is ReadCell & HeldValue => row.cell !== null

export const convertFieldKinds = Effect.gen(function* () {
  const access = yield* Access
  const definitions = yield* Definitions
  const { convert } = yield* makeConverter
  const staged = yield* makeStagedCells
  const { become, lock } = yield* FieldSwitches
  const deferSearch = yield* makeDeferredSearch

  const failEnded = (message: string) => Effect.fail(new JobEnded({ message }))
  const changedMeanwhile = failEnded("The field was changed or deleted meanwhile. Nothing was converted.")

  /** Converts the rows and keeps what they become. */
  const stageRows = Effect.fnUntraced(function* (
    { conversion, jobId }: Work,
    rows: ReadonlyArray<ReadCell>,
    options: ReadonlyArray<AnyOption>
  ) {
    const { converted, options: allOptions } = yield* convert(conversion, rows.filter(isHeld), options)
    yield* staged.stage(jobId, converted)
    yield* staged.forget(
      jobId,
      rows.filter((row) => !isHeld(row)).map(({ record_id }) => record_id)
    )
    return allOptions
  })

  const toldOf = (converted: Effect.Success<ReturnType<typeof convert>>["converted"], isFirst: boolean) => [
    ...converted.flatMap(({ problem, record_id }) =>
      problem === null ? [] : [{ id: String(record_id), message: problem }]
    ),
    ...(isFirst ? converted.filter(({ problem }) => problem === null).slice(0, SAMPLES) : []).map(
      ({ after, before, record_id }) => ({
        id: String(record_id),
        message: `${JSON.stringify(before)} becomes ${JSON.stringify(after)}`
      })
    )
  ]

  /** Reads the next records. */
  const readOn = Effect.fnUntraced(function* (work: Work, position: ConversionPosition) {
    const { conversion, input, jobId } = work
    const rows = yield* staged.page(input.app_id, input.field_id, position.after, AT_ONCE)
    const { converted, options } = yield* convert(conversion, rows.filter(isHeld), optionsOf(position))
    if (!input.dry_run) yield* staged.stage(jobId, converted)
    const unconvertible = converted.filter(({ problem }) => problem !== null).length
    const counts = {
      converted: converted.length - unconvertible,
      unconvertible,
      empty: rows.length - converted.length
    }
    const isLast = rows.length === 0
    const next = {
      after: rows.at(-1)?.app_record_id ?? position.after,
      read: isLast,
      options,
      counts: sumOf(position.counts, counts)
    }
    return {
      position: yield* encode(next),
      done: rows.length,
      counts,
      report: input.dry_run ? toldOf(converted, position.after === 0) : [],
      over: isLast && input.dry_run
    } satisfies BatchResult
  })

  const stale = Effect.fnUntraced(function* ({ conversion, input, jobId }: Work, limit: number) {
    const changed = yield* staged.changedSince(jobId, input.app_id, input.field_id, limit)
    if (changed.length > 0 || !namesRecords(conversion)) return changed
    return yield* staged.dangling(jobId, limit)
  })

  /** Difference of the counts of the whole from those that were reported: values have changed, records were added and destroyed. */
  const corrections = Effect.fnUntraced(function* ({ input, jobId }: Work, { counts }: ConversionPosition) {
    const { converted, records, unconvertible } = yield* staged.counts(jobId, input.app_id)
    return {
      converted: converted - counts.converted,
      unconvertible: unconvertible - counts.unconvertible,
      empty: records - converted - unconvertible - counts.empty
    }
  })

  /** Catches up with changes, a batch at a time, and switches once few are left. */
  const endIt = Effect.fnUntraced(function* (work: Work, position: ConversionPosition) {
    const { caller, conversion, input, jobId } = work
    const rows = yield* stale(work, CHANGED_AT_ONCE)
    if (rows.length === CHANGED_AT_ONCE) {
      const options = yield* stageRows(work, rows, optionsOf(position))
      return { ...nothingDone, position: yield* encode({ ...position, options }) }
    }
    const definition = yield* lock(input.app_id)
    const from = formerOf(definition?.byId, input)
    if (definition === undefined || from === null) return yield* changedMeanwhile
    if (calculationsReading(definition, from.field_id).length > 0 || isReadElsewhere(definition, from))
      return yield* failEnded("A calculation reads the field by now. Nothing was converted.")
    if (namesRecords(conversion)) yield* staged.holdTargets(jobId)
    let options = optionsOf(position)
    for (let caught = 0; ; ) {
      const lateRows = yield* stale(work, CHANGED_AT_ONCE)
      if (lateRows.length === 0) break
      options = yield* stageRows(work, lateRows, options)
      caught += lateRows.length
      if (caught >= LOCKED_AT_MOST) return { ...nothingDone, position: yield* encode({ ...position, options }) }
    }
    yield* staged.forgetDestroyed(jobId)
    const counts = yield* corrections(work, position)
    const report = yield* staged.problems(jobId, REPORTED)
    if (isSearched(conversion)) yield* deferSearch(caller, input.app_id)
    yield* become(jobId, from, withOptions({ ...from, ...work.conversion.to }, options), caller.author)
    yield* staged.clear(jobId)
    const doneCount = counts.converted + counts.unconvertible + counts.empty
    return { position: null, done: doneCount, counts, report, over: true } satisfies BatchResult
  })

  const batch = Effect.fnUntraced(function* (job: JobBatch): Effect.fn.Return<BatchResult, JobEnded | SqlError> {
    const input = yield* Effect.orDie(Schema.decodeUnknownEffect(ConversionInput)(job.input))
    const position =
      job.position === null ? atStart : yield* Effect.orDie(Schema.decodeUnknownEffect(Position)(job.position))
    const { caller } = job
    if (caller === "operator") return yield* Effect.die(new Error("An operator converts no fields."))
    yield* access
      .check(caller, "app", input.app_id, 5)
      .pipe(Effect.catch(() => failEnded("Who began the job may not change the app any more, or it is gone.")))
    const definition = yield* definitions.load(input.app_id)
    const from = formerOf(definition._tag === "Some" ? definition.value.byId : undefined, input)
    if (from === null) return yield* changedMeanwhile
    const conversion: Conversion = {
      ...{ from, to: { ...from, ...input.to, unique: false } as Field },
      ...{ orgId: caller.orgId, userId: caller.userId, dryRun: input.dry_run }
    }
    const work: Work = { caller, conversion, input, jobId: job.jobId }
    return yield* position.read ? endIt(work, position) : readOn(work, position)
  })

  return [{ name: "field_convert", batch } satisfies JobKind]
})

interface Work {
  readonly caller: CallerShape
  readonly conversion: Conversion
  readonly input: ConversionInput
  readonly jobId: number
}

const nothingDone = { done: 0, counts: {}, report: [], over: false }
const encode = (position: ConversionPosition) => Effect.orDie(Schema.encodeEffect(Position)(position))
const optionsOf = ({ options }: ConversionPosition) => options as ReadonlyArray<AnyOption>
const namesRecords = (conversion: Conversion) =>
  typeOf(conversion.to).refersTo === "records" && !keepsEntries(conversion)
/** Kinds of data whose values the search does not know by their words. */
const unsearched: ReadonlySet<DataKind> = new Set(["number", "options", "dates", "records", "users", "files"])
const isSearched = ({ from, to }: Conversion) => [from, to].some((field) => !unsearched.has(typeOf(field).kind))
const sumOf = (a: ConversionCounts, b: ConversionCounts): ConversionCounts => ({
  converted: a.converted + b.converted,
  unconvertible: a.unconvertible + b.unconvertible,
  empty: a.empty + b.empty
})

// An import: the file is gone through once to look and once to write, fifty rows at a time. Each batch has a key of its own, so that what is
// sent again after a failure is written once; a limit of the service is waited for; rows that are refused are kept with the reason.
import { isApiError } from "@millrace/client"
import type { App, FieldInput } from "../../../api/types.ts"
import type { CsvRow } from "../../../ui/csvText.ts"
import type { ReadContext } from "./csvField.ts"
import { type CsvFormat, isEmpty, piecesOf } from "./csvFile.ts"
import { bytesOf } from "./encodings.ts"
import { type Mapping, type RefusedRow, type Row, recordOf } from "./mapping.ts"
import { client, type Patience, patiently, pause } from "./patience.ts"
import { RelatedRecords } from "./related.ts"

const BATCH = 50
/** Seconds that the service may take to finish a request that was sent before. */
const CONFLICTS = 30
/** Refused rows that are kept; further ones are only counted. */
export const KEPT = 50_000

export interface Job {
  readonly app: App
  readonly file: File
  readonly format: CsvFormat
  readonly head: CsvRow
  readonly mapping: Mapping
  readonly context: Omit<ReadContext, "related">
  /** Names the import in the keys of its batches. */
  readonly key: string
}

export interface Progress {
  readonly rows: number
  /** Rows that hold nothing; they are left out. */
  readonly empty: number
  readonly written: number
  readonly refused: ReadonlyArray<RefusedRow>
  /** End of the wait for the service's limit, in milliseconds since 1970. */
  readonly waitsUntil?: number
}
export const begun: Progress = { rows: 0, empty: 0, written: 0, refused: [] }

interface Ready extends Row {
  readonly fields: Record<string, unknown>
}

interface Piece {
  readonly rows: ReadonlyArray<Row>
  readonly empty: number
}

/** Rows after the head. */
async function* rowsOf({ file, format }: Job, signal: AbortSignal): AsyncGenerator<Piece, void> {
  let isFirst = true
  for await (const piece of piecesOf(bytesOf(file), format, signal)) {
    const rows = isFirst ? piece.slice(1) : piece
    isFirst = false
    const kept = rows.filter((row) => !isEmpty(row))
    yield { rows: kept, empty: rows.length - kept.length }
  }
}

/** Checks which rows would be refused, without writing anything. */
export const look = async (job: Job, told: (progress: Progress) => void, signal: AbortSignal): Promise<Progress> => {
  let { empty, refused, rows } = begun
  const related = new RelatedRecords()
  const reportWait = (waitsUntil: number) => told({ ...begun, rows, empty, refused, waitsUntil })
  for await (const { empty: left, rows: piece } of rowsOf(job, signal)) {
    await related.lookUp(piece, job.mapping, { signal, waits: reportWait })
    const context = { ...job.context, related: related.read }
    const refusedRows = piece.flatMap((row) => {
      const read = recordOf(job.app, job.head, job.mapping, context, row)
      return "why" in read ? [read] : []
    })
    rows += piece.length
    empty += left
    refused = [...refused, ...refusedRows].slice(0, KEPT)
    told({ ...begun, rows, empty, refused })
  }
  return { ...begun, rows, empty, refused }
}

/** The row that a refusal is about: `inputs[3].fields.name: …` */
const placeOf = (message: string): number | undefined => {
  const rowNumber = /inputs(?:\[|\.)(\d{1,4})/.exec(message)?.[1]
  return rowNumber === undefined ? undefined : Number(rowNumber)
}
const reasonOf = (message: string) => message.replace(/^inputs(?:\[|\.)\d{1,4}\]?\.?/, "")

export interface Sent {
  readonly written: number
  readonly refused: ReadonlyArray<RefusedRow>
}

/** Characters of a request; the service takes two million bytes. */
const BODY_AT_MOST = 500_000

/** Writes rows, without those that the service refuses. */
const send = async (job: Job, rows: ReadonlyArray<Ready>, patience: Patience): Promise<Sent> => {
  if (rows.length > 1 && JSON.stringify(rows.map(({ fields }) => fields)).length > BODY_AT_MOST) {
    const middle = rows.length >> 1
    const firstHalf = await send(job, rows.slice(0, middle), patience)
    const second = await send(job, rows.slice(middle), patience)
    return { written: firstHalf.written + second.written, refused: [...firstHalf.refused, ...second.refused] }
  }
  const refusedRows: Array<RefusedRow> = []
  let remainingRows = rows
  let tries = 0
  while (remainingRows.length > 0) {
    const idempotencyKey = `import ${job.key} ${remainingRows[0]!.line}-${remainingRows.at(-1)!.line} ${remainingRows.length}`
    try {
      const body = { inputs: remainingRows.map(({ fields }) => ({ fields: fields as Record<string, FieldInput> })) }
      await patiently(patience, () =>
        client.batch.create({ app_id: job.app.app_id, body }, { idempotencyKey, signal: patience.signal })
      )
      return { written: remainingRows.length, refused: refusedRows }
    } catch (error) {
      // The service is still writing a request that was stopped a moment ago.
      if (isApiError(error, "conflict_error") && ++tries < CONFLICTS) {
        await pause(1_000, patience.signal)
        continue
      }
      if (!isApiError(error, "validation", "input_validation")) throw error
      const rowIndex = placeOf(error.message)
      const row = rowIndex === undefined ? undefined : remainingRows[rowIndex]
      if (row === undefined) throw error
      refusedRows.push({ line: row.line, cells: row.cells, why: reasonOf(error.message) })
      remainingRows = remainingRows.filter((one) => one !== row)
    }
  }
  return { written: 0, refused: refusedRows }
}

/** Goes on behind what was done. What it has told last is what a second call goes on from. */
export const write = async (job: Job, from: Progress, told: (progress: Progress) => void, signal: AbortSignal) => {
  let progress = from
  let skip = from.rows
  const reportWait = (waitsUntil: number) => told({ ...progress, waitsUntil })
  const related = new RelatedRecords()
  const context = { ...job.context, related: related.read }
  for await (const { rows: piece } of rowsOf(job, signal)) {
    const rows = piece.slice(Math.min(skip, piece.length))
    skip -= piece.length - rows.length
    for (let batchStart = 0; batchStart < rows.length; batchStart += BATCH) {
      const batch = rows.slice(batchStart, batchStart + BATCH)
      await related.lookUp(batch, job.mapping, { signal, waits: reportWait })
      const read = batch.map((row) => ({ ...row, ...recordOf(job.app, job.head, job.mapping, context, row) }))
      const sendResult = await send(
        job,
        read.flatMap((one) => ("fields" in one ? [one] : [])),
        { signal, waits: reportWait }
      )
      progress = {
        ...begun,
        rows: progress.rows + batch.length,
        written: progress.written + sendResult.written,
        refused: [
          ...progress.refused,
          ...read.flatMap((one) => ("why" in one ? [one] : [])),
          ...sendResult.refused
        ].slice(0, KEPT)
      }
      told(progress)
    }
  }
  return progress
}

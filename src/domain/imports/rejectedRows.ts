// Keeps the rows that an import has not made records of as a CSV file, with line and reason: mended, it is a file to import. It grows with
// each batch, in the batch's transaction, and is the job's (`jobs.file_id`).
import { randomUUID } from "node:crypto"
import { Effect, Schema } from "effect"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { fileName } from "../../platform/text/fileName.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { jobHolder } from "../jobs/Job.ts"
import { BOM, csvOf } from "./csvText.ts"
import type { ImportJobInput } from "./importSchemas.ts"
import type { ParsedRow } from "./rowReading.ts"

/** Bytes that the file may have; further rows are only counted. */
const BYTES_MOST = 10_000_000

const JobFile = Schema.Struct({ file_id: Schema.Int, storage_key: Schema.String, size: Schema.Int })

interface RejectedRow {
  readonly record: Pick<ParsedRow, "row">
  readonly why: string
}

export const makeRejectedRows = Effect.gen(function* () {
  const sql = yield* Sql

  const findFile = (jobId: number) =>
    rowOf(JobFile)(sql`
      SELECT f.file_id, f.storage_key, f.size FROM jobs j JOIN files f USING (file_id) WHERE j.job_id = ${jobId}`)

  const createFile = Effect.fnUntraced(function* (
    jobId: number,
    { orgId, userId }: CallerShape,
    { file_name }: ImportJobInput,
    bytes: Uint8Array
  ) {
    const key = randomUUID()
    const name = fileName(`not imported ${file_name.replace(/\.[^.]*$/, "")}.csv`)
    yield* sql`INSERT INTO file_chunks (storage_key, part, bytes) VALUES (${key}, 0, ${bytes})`
    yield* sql`
      WITH file AS (
        INSERT INTO files (org_id, uploaded_by, name, size, mimetype, storage_key, created_on, attached_on)
        VALUES (${orgId}, ${userId}, ${name}, ${bytes.length}, 'text/csv', ${key}, now(), now()) RETURNING file_id
      ), hold AS (
        INSERT INTO file_holds (file_id, holder) SELECT file_id, ${jobHolder(jobId)} FROM file
      )
      UPDATE jobs SET file_id = (SELECT file_id FROM file) WHERE job_id = ${jobId}`
  })

  const append = Effect.fnUntraced(function* ({ file_id, storage_key }: typeof JobFile.Type, bytes: Uint8Array) {
    yield* sql`
      INSERT INTO file_chunks (storage_key, part, bytes)
      SELECT ${storage_key}, max(part) + 1, ${bytes} FROM file_chunks WHERE storage_key = ${storage_key}`
    // The database counts the bytes of rows that come and go (0017_storage), not of rows that change.
    yield* sql`UPDATE files SET size = size + ${bytes.length}::int WHERE file_id = ${file_id}`
    yield* sql`
      UPDATE organization_storage s SET bytes = s.bytes + ${bytes.length}::int
      FROM files f WHERE f.file_id = ${file_id} AND s.org_id = f.org_id`
  })

  return Effect.fnUntraced(function* (
    jobId: number,
    caller: CallerShape,
    input: ImportJobInput,
    rejected: ReadonlyArray<RejectedRow>
  ) {
    if (rejected.length === 0) return
    const lines = csvOf(rejected.map(({ record: { row }, why }) => [String(row.line), why, ...row.cells]))
    const file = yield* findFile(jobId)
    const head = file === undefined ? BOM + csvOf([["Line", "Why", ...input.head]]) : ""
    const bytes = new TextEncoder().encode(head + lines)
    if ((file?.size ?? 0) + bytes.length > BYTES_MOST) return
    yield* file === undefined ? createFile(jobId, caller, input, bytes) : append(file, bytes)
  })
})

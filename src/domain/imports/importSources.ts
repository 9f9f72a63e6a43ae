// The file of an import: an upload of the caller that is not used yet, or one that is fetched from an https address and kept like an upload.
import { Clock, Effect, Schema, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { nameInDisposition } from "../../platform/content/contentDisposition.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import { policies } from "../../platform/outbound/policies.ts"
import { ValidationError } from "../../platform/primitives/errors.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { baseName } from "../../platform/text/fileName.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { sourceHolder } from "../jobs/Job.ts"
import { Files } from "../records/files/Files.ts"
import type { ImportInput } from "./importSchemas.ts"

const FileId = Schema.Struct({ file_id: Schema.Int })
const SourceFile = Schema.Struct({
  file_id: Schema.Int,
  temporary_id: Schema.String,
  storage_key: Schema.String,
  name: Schema.String,
  size: Schema.Int
})
export type SourceFile = typeof SourceFile.Type

/** Name in an address; one that is not well encoded stays as it is. */
const nameInPath = (url: string): string => {
  const name = baseName(URL.parse(url)?.pathname ?? "") || "import.csv"
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const invalid = (message: string) => new ValidationError({ message })

export const makeImportSources = Effect.gen(function* () {
  const sql = yield* Sql
  const files = yield* Files
  const outbound = yield* Outbound

  const fetchFile = Effect.fnUntraced(function* (caller: CallerShape, url: string) {
    const answer = yield* outbound
      .request({ method: "GET", url, policy: policies.importFile })
      .pipe(Effect.mapError(({ message }) => invalid(`url: ${message}`)))
    if (answer.status !== 200) return yield* invalid(`url: ${URL.parse(url)?.hostname} answers with ${answer.status}.`)
    const [storedFile] = yield* files.upload(caller, [
      {
        name: nameInDisposition(answer.headers["content-disposition"]) ?? nameInPath(answer.url),
        mimetype: "text/csv",
        content: Stream.succeed(answer.body)
      }
    ])
    return storedFile!.file_id
  })

  const find = (caller: CallerShape, temporaryId: string) =>
    rowOf(SourceFile)(sql`
      SELECT file_id, temporary_id, storage_key, name, size FROM files
      WHERE temporary_id = ${temporaryId} AND org_id = ${caller.orgId} AND uploaded_by = ${caller.userId}`)

  /** The file that the input names; one by URL is fetched. */
  const openSource = Effect.fnUntraced(function* (
    caller: CallerShape,
    { file_id, url }: Pick<ImportInput, "file_id" | "url">
  ) {
    if ((file_id === undefined) === (url === undefined))
      return yield* invalid("file_id: name a file or a url, one of them.")
    const temporaryId = file_id ?? (yield* fetchFile(caller, url!))
    const file = yield* find(caller, temporaryId)
    return file ?? (yield* invalid(`file_id: no temporary file ${JSON.stringify(temporaryId)}.`))
  })

  /** Makes the file the job's, in the caller's transaction; another import cannot use it. */
  const spend = Effect.fnUntraced(function* (
    file: SourceFile,
    jobId: number
  ): Effect.fn.Return<void, ValidationError | SqlError> {
    const takenAt = new Date(yield* Clock.currentTimeMillis)
    const spentFile = yield* rowOf(FileId)(sql`
      WITH spent_file AS (
        UPDATE files SET temporary_id = NULL, attached_on = ${takenAt} WHERE temporary_id = ${file.temporary_id} RETURNING file_id
      )
      INSERT INTO file_holds (file_id, holder) SELECT file_id, ${sourceHolder(jobId)} FROM spent_file RETURNING file_id`)
    if (spentFile === undefined)
      return yield* invalid(`file_id: no temporary file ${JSON.stringify(file.temporary_id)}.`)
  })

  return { open: openSource, spend }
})

// Uploading, attaching, reading and forgetting files (developer-api.md 6). Links are signed and expire; they need no credential.
import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer, Schema, type Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AppConfig } from "../../../platform/config/Config.ts"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { type Conflict, NotFound, ValidationError } from "../../../platform/primitives/errors.ts"
import { Secrets } from "../../../platform/sealing/Secrets.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../platform/sql/transact.ts"
import { fileName } from "../../../platform/text/fileName.ts"
import { Access } from "../../accounts/Access.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { type AttachedTo, makeAttachments } from "./attachments.ts"
import { Contents } from "./Contents.ts"
import { type File, FileRow, type TemporaryFile } from "./File.ts"
import { Storage } from "./Storage.ts"

const SIGNATURE = "file-link"
const temporaryHours = 24

export interface Upload<E, R> {
  /** Name as sent; the stored name omits deceptive characters. */
  readonly name: string
  readonly mimetype: string
  readonly content: Stream.Stream<Uint8Array, E, R>
}

const SavedFile = Schema.Struct({ ...FileRow.fields, temporary_id: Schema.NullOr(Schema.String) })

const LinkedFile = Schema.Struct({ ...FileRow.fields, apps: Schema.Array(Schema.Int) })

const Lapsed = Schema.Struct({ file_id: Schema.Int, storage_key: Schema.String })

/** Maximum bytes deleted in one transaction, plus the file that exceeds it. */
const PRUNED_BYTES = 64_000_000

export class Files extends Context.Service<
  Files,
  {
    /** All or nothing, within the organization's quota; an empty file is refused. The answers are in the order of the uploads. */
    readonly upload: <E, R>(
      caller: CallerShape,
      uploads: ReadonlyArray<Upload<E, R>>
    ) => Effect.Effect<ReadonlyArray<TemporaryFile>, ValidationError | Conflict | E, R>
    /** Metadata of an attached file, if the caller sees the record it hangs on. */
    readonly get: (caller: CallerShape, fileId: number) => Effect.Effect<File, NotFound>
    /** A signed address of the content. */
    readonly link: (fileId: number) => Effect.Effect<string>
    /** File of a link; missing, altered and expired links give the same error. */
    readonly open: (fileId: number, expires: number, signature: string) => Effect.Effect<FileRow, NotFound>
    /** One that is stored for good, for who has seen to it that it may be read. */
    readonly stored: (orgId: number, fileId: number) => Effect.Effect<FileRow | undefined>
    /** Spends temporary ids below a comment or reply, in the caller's transaction. */
    readonly attach: (
      caller: CallerShape,
      temporary: ReadonlyArray<string>,
      place: AttachedTo
    ) => Effect.Effect<void, ValidationError | SqlError>
    /** Replaces nothing, adds to nothing: takes the files of a comment or reply away, in the caller's transaction. */
    readonly detach: (place: AttachedTo) => Effect.Effect<void, SqlError>
    /** Files below comments (or replies), by their id. */
    readonly below: (
      kind: "comment" | "reply",
      ids: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyMap<number, ReadonlyArray<File>>>
    /**
     * Stores files that no user has uploaded as attached files of the organization, within its quota, in the caller's transaction if there
     * is one. Call it near the end: other writers of the organization wait from here on.
     */
    readonly store: (
      owner: { readonly orgId: number; readonly userId: number },
      files: ReadonlyArray<Upload<never, never>>
    ) => Effect.Effect<ReadonlyArray<FileRow>, Conflict>
    /**
     * Deletes uploads that were not attached within 24 hours, and files without links; at most `limit`, fewer if they are large. Returns
     * how many, 0 when none is left.
     */
    readonly prune: (limit: number) => Effect.Effect<number>
  }
>()("millrace/records/Files") {
  static readonly layer = Layer.effect(
    Files,
    Effect.gen(function* () {
      const sql = yield* Sql
      const contents = yield* Contents
      const storage = yield* Storage
      const access = yield* Access
      const secrets = yield* Secrets
      const { baseUrl, fileLinkMinutes } = yield* AppConfig
      const atomic = transact(sql)
      const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
      const columns = sql.literal("file_id, name, size, mimetype, storage_key, created_on")

      const link = Effect.fnUntraced(function* (fileId: number) {
        const expires = Math.floor((yield* Clock.currentTimeMillis) / 1000) + fileLinkMinutes * 60
        return `${baseUrl}/file/${fileId}?expires=${expires}&signature=${secrets.sign(SIGNATURE, `${fileId} ${expires}`)}`
      })

      const view = Effect.fnUntraced(function* (row: FileRow) {
        const { file_id, name, size, mimetype, created_on } = row
        return {
          file_id,
          name,
          size,
          mimetype,
          created_on: formatDateTime(created_on),
          link: yield* link(file_id)
        } satisfies File
      })

      /** Writes the contents first: the count of the files blocks other writers of the organization until the end. */
      const save = Effect.fnUntraced(function* <E, R>(
        { orgId, userId }: { readonly orgId: number; readonly userId: number },
        uploads: ReadonlyArray<Upload<E, R>>,
        temporary: boolean
      ) {
        const writtenFiles = yield* Effect.forEach(uploads, (upload) => {
          const key = randomUUID()
          const name = fileName(upload.name)
          return Effect.map(contents.write(key, upload.content), (size) => ({ ...upload, name, key, size }))
        })
        const savedAt = yield* currentTime
        const rows = yield* Effect.forEach(writtenFiles, ({ key, mimetype, name, size }) => {
          const temporaryId = temporary ? `temporary-${randomUUID()}` : null
          return Effect.map(
            rowsOf(SavedFile)(sql`
              INSERT INTO files (org_id, temporary_id, uploaded_by, name, size, mimetype, storage_key, created_on, attached_on)
              VALUES (${orgId}, ${temporaryId}, ${userId}, ${name}, ${size}, ${mimetype}, ${key}, ${savedAt}, ${temporary ? null : savedAt})
              RETURNING ${columns}, temporary_id`),
            ([row]) => row!
          )
        })
        yield* storage.check(orgId)
        return rows
      })

      const upload = Effect.fn("Files.upload")(function* <E, R>(
        caller: CallerShape,
        uploads: ReadonlyArray<Upload<E, R>>
      ) {
        if (uploads.length === 0)
          return yield* new ValidationError({ message: "file: send at least one part with this name." })
        const uploadAll = Effect.gen(function* () {
          const rows = yield* save(caller, uploads, true)
          const empty = rows.find(({ size }) => size === 0)
          if (empty !== undefined) return yield* new ValidationError({ message: `file: ${empty.name} is empty.` })
          return yield* Effect.forEach(rows, (row) =>
            Effect.map(view(row), (shown): TemporaryFile => ({ ...shown, file_id: row.temporary_id! }))
          )
        })
        return yield* atomic(uploadAll)
      }, orSqlDefect) as unknown as Files["Service"]["upload"]

      const get = Effect.fn("Files.get")(function* (caller: CallerShape, fileId: number) {
        const missing = new NotFound({ message: `No file with id ${fileId}.` })
        // Checks access to the apps, however many records link the file: a caller who sees an app sees its records.
        const row = yield* rowOf(LinkedFile)(sql`
            SELECT ${columns}, ARRAY(SELECT DISTINCT r.app_id FROM file_links l JOIN records r USING (record_id)
              WHERE l.file_id = f.file_id ORDER BY r.app_id) AS apps
            FROM files f WHERE f.file_id = ${fileId} AND f.org_id = ${caller.orgId} AND f.temporary_id IS NULL`)
        for (const appId of row?.apps ?? [])
          if (yield* Effect.isSuccess(access.check(caller, "app", appId, 1))) return yield* view(row!)
        return yield* missing
      }, orSqlDefect)

      const openLink = Effect.fn("Files.open")(function* (fileId: number, expires: number, signature: string) {
        const missing = new NotFound({ message: "No such file, or the link has expired." })
        const valid = secrets.verify(SIGNATURE, `${fileId} ${expires}`, signature)
        if (!valid || expires * 1000 < (yield* Clock.currentTimeMillis)) return yield* missing
        // Treats a file without any link or hold as deleted, although its bytes are removed later.
        const row = yield* rowOf(FileRow)(sql`
            SELECT ${columns} FROM files f WHERE file_id = ${fileId} AND (temporary_id IS NOT NULL
              OR EXISTS (SELECT 1 FROM file_links l WHERE l.file_id = f.file_id)
              OR EXISTS (SELECT 1 FROM file_holds h WHERE h.file_id = f.file_id))`)
        return row ?? (yield* missing)
      }, orSqlDefect)

      const findStored = (orgId: number, fileId: number) =>
        rowOf(FileRow)(sql`
          SELECT ${columns} FROM files WHERE file_id = ${fileId} AND org_id = ${orgId} AND temporary_id IS NULL`).pipe(
          orSqlDefect
        )

      const store: Files["Service"]["store"] = Effect.fn("Files.store")(
        (owner, files) => atomic(save(owner, files, false)),
        orSqlDefect
      )

      // Deletes the rows last: their count blocks all writers of files in these organizations, and removing contents takes time. A file
      // that is being attached changes its own row, which is all that Postgres rechecks after it gets the lock.
      const prune = Effect.fn("Files.prune")(function* (limit: number) {
        const cutoff = new Date((yield* Clock.currentTimeMillis) - temporaryHours * 3_600_000)
        return yield* atomic(
          Effect.gen(function* () {
            const rows = yield* rowsOf(Lapsed)(sql`
              WITH lapsed AS (
                SELECT file_id, storage_key, size FROM files f WHERE created_on < ${cutoff}
                  AND (temporary_id IS NOT NULL OR attached_on < ${cutoff}
                    AND NOT EXISTS (SELECT 1 FROM file_links l WHERE l.file_id = f.file_id)
                    AND NOT EXISTS (SELECT 1 FROM file_holds h WHERE h.file_id = f.file_id))
                ORDER BY file_id LIMIT ${limit} FOR UPDATE SKIP LOCKED
              )
              SELECT file_id, storage_key FROM (
                SELECT l.*, sum(size) OVER (ORDER BY file_id) - size AS behind FROM lapsed l) added
              WHERE behind < ${PRUNED_BYTES}`)
            yield* contents.remove(rows.map((row) => row.storage_key))
            const ids = rows.map((row) => String(row.file_id))
            yield* sql`DELETE FROM files WHERE file_id = ANY(${ids}::text[]::bigint[])`
            return rows.length
          })
        )
      }, orSqlDefect)

      return Files.of({
        upload,
        get,
        link,
        open: openLink,
        stored: findStored,
        ...(yield* makeAttachments(view)),
        store,
        prune
      })
    })
  )
}

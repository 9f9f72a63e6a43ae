// Attaches uploaded files to comments and replies, detaches them, and reads those of many at once (developer-api.md 5, 6). A temporary file
// is its uploader's alone.
import { Clock, Effect, Schema } from "effect"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { type File, FileRow } from "./File.ts"

export interface AttachedTo {
  readonly record_id: number
  readonly comment_id?: number
  readonly reply_id?: number
}

const FileId = Schema.Struct({ file_id: Schema.Int })

const OwnedFile = Schema.Struct({ ...FileRow.fields, owner: Schema.Int })

export const makeAttachments = Effect.fnUntraced(function* (view: (row: FileRow) => Effect.Effect<File>) {
  const sql = yield* Sql
  const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

  const attach = Effect.fnUntraced(function* (
    caller: CallerShape,
    temporary: ReadonlyArray<string>,
    place: AttachedTo
  ) {
    for (const id of new Set(temporary)) {
      const row = yield* rowOf(FileId)(sql`
        UPDATE files SET temporary_id = NULL, attached_on = ${yield* currentTime}
        WHERE temporary_id = ${id} AND org_id = ${caller.orgId} AND uploaded_by = ${caller.userId} RETURNING file_id`)
      if (row === undefined)
        return yield* new ValidationError({ message: `file_ids: no temporary file ${JSON.stringify(id)}.` })
      yield* sql`
        INSERT INTO file_links (file_id, record_id, comment_id, reply_id)
        VALUES (${row.file_id}, ${place.record_id}, ${place.comment_id ?? null}, ${place.reply_id ?? null})`
    }
  })

  const detach = Effect.fnUntraced(function* ({ comment_id, reply_id }: AttachedTo) {
    if (reply_id !== undefined) yield* sql`DELETE FROM file_links WHERE reply_id = ${reply_id}`
    else yield* sql`DELETE FROM file_links WHERE comment_id = ${comment_id!}`
  })

  const below = Effect.fnUntraced(function* (kind: "comment" | "reply", ids: ReadonlyArray<number>) {
    const files = new Map<number, Array<File>>()
    if (ids.length === 0) return files
    const owner = sql(kind === "comment" ? "comment_id" : "reply_id")
    const rows = yield* rowsOf(OwnedFile)(sql`
        SELECT f.file_id, f.name, f.size, f.mimetype, f.storage_key, f.created_on, l.${owner} AS owner
        FROM file_links l JOIN files f USING (file_id) WHERE l.${owner} = ANY(${ids.map(String)}::text[]::bigint[]) ORDER BY f.file_id`)
    for (const row of rows) files.set(row.owner, [...(files.get(row.owner) ?? []), yield* view(row)])
    return files
  }, orSqlDefect)

  return { attach, detach, below }
})

// `organization export`: all of an organization's data as JSON lines and files, page by page and resumable (docs/operations.md, "Take an
// organization's data along"). No row and no content is ever held whole beside its page.
import { Clock, Console, Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { InputInvalid, NotFound } from "../../platform/primitives/errors.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { type ExportProgress, FORMAT, makeExportDirectory } from "./exportFiles.ts"
import { type ExportKind, exportKinds, leftOut, omitted } from "./exportKinds.ts"
import { json, print } from "./output.ts"
import { sealedColumns } from "./sealedColumns.ts"

const PAGE = 100
/** Pages after which the progress is saved. */
const KEPT_EVERY = 10

const Line = Schema.Struct({ line: Schema.String, key: Schema.Array(Schema.String) })
const Column = Schema.Struct({ name: Schema.String })
const Content = Schema.Struct({ file_id: Schema.Int, storage_key: Schema.String })
const Part = Schema.Struct({ part: Schema.Int, bytes: Schema.Uint8Array })

/** `expression::type`. */
const typed = (key: string) => {
  const [expression = key, type = "bigint"] = key.split("::", 2)
  return { expression, type }
}

export const exportOrganization = Effect.fn("organizationExport")(function* (org: number, to: string) {
  const sql = yield* Sql
  const [known] = yield* sql`SELECT 1 FROM organizations WHERE org_id = ${String(org)}::numeric`
  if (known === undefined) return yield* new NotFound({ message: `No organization with id ${org}.` })
  yield* AuditLog.use(({ record }) => record({ event: "organization.exported", orgId: org }))
  const dir = makeExportDirectory(to)
  const earlierProgress = yield* dir.begun
  // Releases before went through contents by their names alone.
  const byName = earlierProgress?.current?.kind === "contents" && earlierProgress.current.after?.length === 1
  if (earlierProgress !== null && (earlierProgress.org_id !== org || earlierProgress.format !== FORMAT || byName))
    return yield* new InputInvalid({
      message: `${to} holds an export of another organization or release: name another.`
    })
  let progress: ExportProgress = earlierProgress ?? {
    ...{ format: FORMAT, org_id: org, done: {}, current: null },
    begun_on: new Date(yield* Clock.currentTimeMillis).toISOString()
  }
  const keep = (next: ExportProgress) =>
    Effect.suspend(() => {
      progress = next
      return dir.keep(next)
    })

  const omittedOf = (kind: string) =>
    Effect.map(
      rowsOf(Column)(sql`
        SELECT attname::text AS name FROM pg_attribute WHERE attrelid = ${kind}::regclass AND attnum > 0 AND atttypid = 'bytea'::regtype`),
      (bytes) => [
        ...new Set([
          ...bytes.map(({ name }) => name),
          ...(omitted[kind] ?? []),
          ...sealedColumns.flatMap(({ column, table }) => (table === kind ? [column] : []))
        ])
      ]
    )

  const page = (
    kind: string,
    { key, of }: ExportKind,
    without: ReadonlyArray<string>,
    after: ReadonlyArray<string> | null
  ) => {
    const keys = key.map(typed)
    const list = sql.literal(keys.map(({ expression }) => expression).join(", "))
    const keyTexts = sql.literal(keys.map(({ expression }) => `(${expression})::text`).join(", "))
    const keyBounds = sql.literal(keys.map(({ type }, i) => `(k ->> ${i})::${type}`).join(", "))
    const afterCondition =
      after === null
        ? sql`true`
        : sql`(${list}) > (SELECT ${keyBounds} FROM (SELECT ${JSON.stringify(after)}::jsonb AS k) x)`
    return rowsOf(Line)(sql`
      SELECT (to_jsonb(t) - ${[...without]}::text[])::text AS line, ARRAY[${keyTexts}] AS key FROM ${sql(kind)} t
      WHERE ${of(sql, org)} AND ${afterCondition} ORDER BY ${list} LIMIT ${PAGE}`)
  }

  /** Lines of a kind, from where it was broken off. */
  const write = Effect.fnUntraced(function* <R>(
    kind: string,
    pageAfter: (after: ReadonlyArray<string> | null) => Effect.Effect<ReadonlyArray<typeof Line.Type>, unknown, R>
  ) {
    if (progress.done[kind] !== undefined) return
    const none = { kind, after: null, rows: 0, bytes: 0 }
    let kindProgress = progress.current?.kind === kind ? progress.current : none
    const handle = yield* dir.part(kind, kindProgress.bytes)
    for (let pages = 1; ; pages++) {
      const rows = yield* pageAfter(kindProgress.after)
      const text = rows.map(({ line }) => `${line}\n`).join("")
      yield* dir.append(handle, text)
      const lastKey = rows.at(-1)?.key ?? kindProgress.after
      kindProgress = {
        kind,
        after: lastKey,
        rows: kindProgress.rows + rows.length,
        bytes: kindProgress.bytes + Buffer.byteLength(text)
      }
      if (rows.length < PAGE || pages % KEPT_EVERY === 0) {
        yield* dir.sync(handle)
        yield* keep({ ...progress, current: kindProgress })
        yield* Console.error(`${kind}: ${kindProgress.rows}`)
      }
      if (rows.length < PAGE) break
    }
    const sha256 = yield* dir.whole(kind)
    yield* keep({
      ...progress,
      current: null,
      done: { ...progress.done, [kind]: { rows: kindProgress.rows, bytes: kindProgress.bytes, sha256 } }
    })
  }, Effect.scoped)

  const columns: Record<string, ReadonlyArray<string>> = {}
  for (const [kind, of] of Object.entries(exportKinds)) {
    const without = yield* omittedOf(kind)
    if (without.length > 0) columns[kind] = without
    yield* write(kind, (after) => page(kind, of, without, after))
  }

  const content = Effect.fnUntraced(function* ({ file_id, storage_key: storageKey }: typeof Content.Type) {
    const name = encodeURIComponent(storageKey)
    const path = yield* dir.content(name)
    if (path !== null) {
      yield* dir.begin(path)
      for (let lastPart = -1; ; ) {
        const [chunk] = yield* rowsOf(Part)(sql`SELECT part, bytes FROM file_chunks
          WHERE storage_key = ${storageKey} AND part > ${lastPart} ORDER BY part LIMIT 1`)
        if (chunk === undefined) break
        yield* dir.add(path, chunk.bytes)
        lastPart = chunk.part
      }
      yield* dir.end(path)
    }
    return {
      line: JSON.stringify({ storage_key: storageKey, file: `files/${name}`, sha256: yield* dir.digest(name) }),
      key: [storageKey, String(file_id)]
    }
  })
  yield* write("contents", (after) =>
    Effect.flatMap(
      // Each file has a content of its own.
      rowsOf(Content)(sql`SELECT file_id, storage_key FROM files t
        WHERE ${exportKinds["files"]!.of(sql, org)} AND file_id > ${after?.[1] ?? "0"}::bigint ORDER BY file_id LIMIT ${PAGE}`),
      (found) => Effect.forEach(found, content)
    )
  )
  const manifest = {
    ...{ format: FORMAT, org_id: org, begun_on: progress.begun_on },
    finished_on: new Date(yield* Clock.currentTimeMillis).toISOString(),
    kinds: progress.done,
    left_out: { kinds: leftOut.map(({ what, why }) => ({ what, why })), columns }
  }
  yield* dir.finish(manifest)
  return manifest
})

export const exportCommand = Command.make(
  "export",
  {
    orgId: Argument.Int("org_id"),
    to: Flag.String("to").pipe(Flag.withDescription("Directory; one that an export was broken off in is gone on with")),
    json
  },
  ({ json, orgId, to }) =>
    Effect.gen(function* () {
      const { kinds, left_out, ...about } = yield* exportOrganization(orgId, to)
      if (json) return yield* print(true, { ...about, kinds, left_out })
      yield* print(false, about)
      yield* print(
        false,
        Object.entries(kinds).map(([kind, { bytes, rows }]) => ({ kind, rows, bytes }))
      )
    })
).pipe(
  Command.withDescription(
    "Write an organization's data as JSON lines and files; again to go on where it was broken off"
  )
)

// The second reading of an export: rows and contents are written batch by batch, each in a transaction with how far the import has come.
import { Console, Effect, Schema, Stream } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { Contents } from "../../../domain/records/files/Contents.ts"
import { InputInvalid } from "../../../platform/primitives/errors.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { ExportSource, Line } from "./exportSource.ts"
import type { KnownExport, Row } from "./ImportKind.ts"
import { contentKey } from "./importedContent.ts"
import { type ImportedKind, writeOrder } from "./importKinds.ts"
import { advance, type ImportProgress } from "./importProgress.ts"
import { badLine, contentIn, rowIn } from "./importReading.ts"

const BATCH_ROWS = 200
const BATCH_CHARACTERS = 1_000_000
const SAID_EVERY = 2_000

interface Entry {
  readonly line: Line
  readonly row: Row | null
}

const Person = Schema.Struct({ user_id: Schema.Int, person_id: Schema.Int })

export const makeWriting = Effect.gen(function* () {
  const sql = yield* Sql
  const contents = yield* Contents

  /** People as an invitation finds them: by their address, or new and without a password. Who was erased stays nobody. */
  const withPeople = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>, { key, people }: KnownExport) {
    const named = rows.map(({ person_id, user_id }) => {
      const { created_on, email, name } = people.get(person_id as number)!
      const erased = String(email).toLowerCase().endsWith("@erased.invalid")
      return { user_id, email: erased ? `erased-${key}-${person_id}@erased.invalid` : email, name, created_on }
    })
    const list = JSON.stringify(named)
    yield* sql`
      INSERT INTO people (email, name, created_on)
      SELECT DISTINCT ON (lower(email)) email, name, created_on
      FROM jsonb_to_recordset(${list}::jsonb) AS x (email text, name text, created_on timestamptz) ORDER BY lower(email)
      ON CONFLICT DO NOTHING`
    const peopleRows = yield* rowsOf(Person)(sql`
      SELECT x.user_id, p.person_id FROM jsonb_to_recordset(${list}::jsonb) AS x (user_id bigint, email text)
        JOIN people p ON lower(p.email) = lower(x.email)`)
    const byUser = new Map(peopleRows.map(({ person_id, user_id }) => [user_id, person_id]))
    return rows.map((row) => ({ ...row, person_id: byUser.get(row["user_id"] as number)! }))
  })

  const insert = Effect.fnUntraced(function* (kind: ImportedKind, rows: ReadonlyArray<Row>, told: KnownExport) {
    const insertedRows = kind === "users" ? yield* withPeople(rows, told) : rows
    const columns = sql.csv(Object.keys(insertedRows[0]!).map((column) => sql`${sql(column)}`))
    yield* sql`
      INSERT INTO ${sql(kind)} (${columns}) OVERRIDING SYSTEM VALUE
      SELECT ${columns} FROM jsonb_populate_recordset(NULL::${sql(kind)}, ${JSON.stringify(insertedRows)}::jsonb)`
  })

  return Effect.fnUntraced(function* (source: ExportSource, told: KnownExport, begun: ImportProgress) {
    let progress = begun
    const step = <E, R>(kind: string, lines: number, act: Effect.Effect<void, E, R>) =>
      Effect.map(
        sql.withTransaction(Effect.andThen(act, advance(source.name, progress, { ...progress, kind, lines }))),
        (next) => {
          progress = next
        }
      )

    const flush = Effect.fnUntraced(function* (
      kind: ImportedKind,
      entries: ReadonlyArray<Entry>
    ): Effect.fn.Return<void, any, any> {
      const rows = entries.flatMap(({ row }) => (row === null ? [] : [row]))
      const act = rows.length === 0 ? Effect.void : insert(kind, rows, told)
      const lastLine = entries.at(-1)!.line
      yield* step(kind, lastLine.number, act).pipe(
        Effect.catchIf(
          (error) => isSqlError(error) && !error.isRetryable,
          // Writes the entries one by one, so that the error can name the line.
          (error) =>
            entries.length === 1
              ? badLine(kind, lastLine, `the database refuses it: ${String(error.cause ?? error.message)}`)
              : Effect.forEach(entries, (entry) => flush(kind, [entry]), { discard: true })
        )
      )
    })

    const content = Effect.fnUntraced(function* (line: Line) {
      const { sha256, storage_key } = yield* contentIn(source, line)
      if (!told.used.has(storage_key)) return
      if (told.contents.get(storage_key)?.sha256 !== sha256)
        return yield* badLine("contents", line, "has changed while it was read")
      const bytes = Stream.fromAsyncIterable(
        source.content(storage_key),
        (cause) => new InputInvalid({ message: `files/${encodeURIComponent(storage_key)}: ${cause}` })
      )
      yield* contents.write(contentKey(told.key, storage_key), bytes)
    })

    for (const kind of writeOrder) {
      if (writeOrder.indexOf(kind) < writeOrder.indexOf(progress.kind as ImportedKind)) continue
      const doneLines = progress.kind === kind ? progress.lines : 0
      let entries: Array<Entry> = []
      let size = 0
      let saidAt = doneLines
      const say = (of: string) => {
        saidAt = progress.lines
        return Console.error(`${of}: ${progress.lines} of ${source.rowsOf(of)}`)
      }
      const flushed = (from: ImportedKind) =>
        Effect.gen(function* () {
          if (entries.length > 0) yield* flush(from, entries)
          entries = []
          size = 0
          if (progress.lines - saidAt >= SAID_EVERY) yield* say(kind)
        })
      yield* source.eachLines(
        kind,
        Effect.fnUntraced(function* (lines) {
          for (const exportLine of lines) {
            if (exportLine.number <= doneLines) continue
            if (kind === "contents") {
              yield* step(kind, exportLine.number, content(exportLine))
              continue
            }
            const row = yield* Effect.fromResult(rowIn(kind, exportLine, told))
            entries.push({ line: exportLine, row })
            size += exportLine.text.length
            if (entries.length >= BATCH_ROWS || size >= BATCH_CHARACTERS) yield* flushed(kind)
          }
        })
      )
      if (kind !== "contents") yield* flushed(kind)
      yield* say(kind)
      const next = writeOrder[writeOrder.indexOf(kind) + 1]
      if (next !== undefined) yield* step(next, 0, Effect.void)
    }
    return progress
  })
})

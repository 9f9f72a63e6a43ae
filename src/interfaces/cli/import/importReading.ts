// A line of an export to a row of this installation: bounded, parsed, decoded, judged by what was read before it. A bad one is named by file
// and line.
import { Effect, Result, Schema } from "effect"
import { maxJsonDepth, textExcess } from "../../../platform/bounds/jsonText.ts"
import { InputInvalid } from "../../../platform/primitives/errors.ts"
import type { ExportSource, Line } from "./exportSource.ts"
import type { IdKind } from "./IdBook.ts"
import type { ImportKind, KnownExport, Row } from "./ImportKind.ts"
import { type ImportedKind, importKinds } from "./importKinds.ts"

/** Values of a line, all levels together: a record has 200 fields of 1,000 entries. */
const VALUES_AT_MOST = 2_000_000
const SHOWN = 300

const Content = Schema.Struct({
  storage_key: Schema.String.check(Schema.isBetweenLength(1, 200)),
  file: Schema.String,
  sha256: Schema.String
})

export const badLine = (kind: string, { number }: Pick<Line, "number">, why: string) =>
  new InputInvalid({ message: `${kind}.jsonl:${number}: ${why.split(/\s+/).join(" ").slice(0, SHOWN)}` })

/** Neither text nor jsonb holds NUL or half of a surrogate pair. */
const isStorable = (json: string) => !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(json)

const parseLine = (kind: string, line: Line): Result.Result<unknown, InputInvalid> => {
  const excess = textExcess(line.text, maxJsonDepth, VALUES_AT_MOST)
  if (excess !== undefined) return Result.fail(badLine(kind, line, excess))
  return Result.try({ try: (): unknown => JSON.parse(line.text), catch: () => badLine(kind, line, "is no JSON") })
}

const strict = { onExcessProperty: "error" } as const
const decoderOf = <A extends object>(schema: Schema.ConstraintDecoder<A>) => Schema.decodeUnknownResult(schema, strict)
const decoders = Object.fromEntries(
  Object.entries(importKinds).map(([kind, { row }]) => [kind, decoderOf(row as Schema.ConstraintDecoder<object>)])
) as Readonly<Record<ImportedKind, ReturnType<typeof decoderOf>>>
const decodeContent = decoderOf(Content)

const decoded = <A>(
  decode: (value: unknown) => Result.Result<A, { readonly message: string }>,
  kind: string,
  line: Line
): Result.Result<A, InputInvalid> =>
  Result.flatMap(parseLine(kind, line), (value) =>
    Result.mapError(decode(value), ({ message }) => badLine(kind, line, message))
  )

/** True if all parents of the row are in the export. A row without its parent was created while the export was written. */
const isWithin = (columns: Readonly<Record<string, IdKind>>, row: Row, { book }: KnownExport) =>
  Object.entries(columns).every(([column, kind]) => row[column] === null || book.has(kind, row[column] as number))

/** The row as it is written, with its new ids; null: it is left out. */
export const rowIn = (name: ImportedKind, line: Line, told: KnownExport): Result.Result<Row | null, InputInvalid> =>
  Result.gen(function* () {
    const { change, id, names, of }: ImportKind = importKinds[name]
    const row = (yield* decoded(decoders[name], name, line)) as Row
    if (!isWithin(of, row, told)) return null
    if (id !== undefined) {
      const [column, kind] = id
      const rowId = row[column] as number
      if (told.first && !told.book.add(kind, rowId))
        return yield* Result.fail(badLine(name, line, `${column} ${rowId} is not in order`))
      if (!told.book.has(kind, rowId)) return null
    }
    const changed = yield* Result.mapError(change?.(row, told) ?? Result.succeed(row), (why) =>
      badLine(name, line, why)
    )
    if (changed === null) {
      if (id !== undefined) told.book.drop(id[1], row[id[0]] as number)
      return null
    }
    const columns = { ...of, ...names, ...(id === undefined ? {} : { [id[0]]: id[1] }) }
    const ids = Object.entries(columns).flatMap(([column, kind]) =>
      changed[column] == null ? [] : [[column, told.book.to(kind, changed[column] as number)]]
    )
    const writtenRow = { ...changed, ...Object.fromEntries(ids) }
    return isStorable(JSON.stringify(writtenRow))
      ? writtenRow
      : yield* Result.fail(badLine(name, line, "contains characters that cannot be stored"))
  })

/** A content that is what its line says. */
export const contentIn = Effect.fnUntraced(function* (source: ExportSource, line: Line) {
  const content = yield* Effect.fromResult(decoded(decodeContent, "contents", line))
  const { file, sha256, storage_key } = content
  if (file !== `files/${encodeURIComponent(storage_key)}` || /^\.+$/.test(storage_key))
    return yield* badLine("contents", line, "file is not where contents are")
  const contentDigest = yield* source.digest(storage_key)
  if (contentDigest.sha256 !== sha256)
    return yield* badLine("contents", line, `${file} is not the content that was exported`)
  return { storage_key, ...contentDigest }
})

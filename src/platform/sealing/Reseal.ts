// Counts the values of each key, and encrypts them anew under the newest key while the service runs (decisions P11). A value is written
// only if it is still the one that was read: a concurrent change wins, and has used the newest key anyway. No progress is stored: values
// with the newest id are done, so an interrupted pass continues where it was.
import { Effect, Schema } from "effect"
import { rowOf, rowsOf } from "../sql/rows.ts"
import { Sql } from "../sql/Sql.ts"
import { HEADER, unwrap } from "./envelope.ts"
import type { SealedColumn } from "./SealedColumn.ts"
import { Secrets } from "./Secrets.ts"

const Row = Schema.Record(Schema.String, Schema.Unknown)
type Row = typeof Row.Type

const PAGE = 500
/** Length of the base64 that holds the mark and the id. */
const BEGINNING = Math.ceil(HEADER / 3) * 4

const inBase64 = (text: string) => new Uint8Array(Buffer.from(text, "base64"))
const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")

/** Encrypted values of a cell, or their beginnings. */
const valuesOf = (column: SealedColumn, cell: unknown): ReadonlyArray<Uint8Array> => {
  if (column.form === "bytea") return [cell as Uint8Array]
  if (column.form === "base64") return [inBase64(cell as string)]
  const sealedValues: Array<Uint8Array> = []
  column.form.each(column.form.text ? cell : JSON.parse(cell as string), (sealed) => {
    sealedValues.push(inBase64(sealed))
    return sealed
  })
  return sealedValues
}

const named = (column: SealedColumn) => `"${column.column}"`
const list = (names: ReadonlyArray<string>) => names.map((name) => `"${name}"`).join(", ")
const placeholders = (from: number, count: number) => Array.from({ length: count }, (_, i) => `$${from + i}`).join(", ")

/** SQL that reads a complete cell, and that writes it back. */
const inJson = ({ form }: SealedColumn) => typeof form === "object" && form.text !== true
const cellText = (column: SealedColumn) => (inJson(column) ? `${named(column)}::text` : named(column))
const parameter = (column: SealedColumn, n: number) =>
  column.form === "bytea" ? `$${n}::bytea` : inJson(column) ? `$${n}::text::jsonb` : `$${n}::text`

const beginning = (column: SealedColumn) => {
  if (column.form === "bytea") return `substring(${named(column)} FROM 1 FOR ${HEADER})`
  return column.form === "base64" ? `left(${named(column)}, ${BEGINNING})` : cellText(column)
}

/** Visits all rows with a value, page by page in the order of their keys. */
const eachPage = <E, R>(column: SealedColumn, visit: (rows: ReadonlyArray<Row>) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    let lastKey: ReadonlyArray<unknown> = []
    for (;;) {
      const narrow = column.where === undefined ? "" : `AND (${column.where})`
      const afterLast = lastKey.length === 0 ? "" : `AND (${list(column.key)}) > (${placeholders(1, lastKey.length)})`
      const rows: ReadonlyArray<Row> = yield* rowsOf(Row)(
        sql.unsafe(
          `SELECT ${list(column.key)}, ${beginning(column)} AS cell FROM "${column.table}"
         WHERE ${named(column)} IS NOT NULL ${narrow} ${afterLast} ORDER BY ${list(column.key)} LIMIT ${PAGE}`,
          lastKey
        )
      )
      if (rows.length === 0) return
      yield* visit(rows)
      lastKey = column.key.map((name) => rows.at(-1)![name])
    }
  })

interface Count {
  readonly table: string
  readonly column: string
  /** Number of values by the id that they carry; those that carry none count under `unmarked`. */
  readonly values: ReadonlyMap<string, number>
}

/** Counts the values of each key. @param unmarked the id of the key whose values carry none */
export const count = Effect.fnUntraced(function* (columns: ReadonlyArray<SealedColumn>, unmarked: string) {
  return yield* Effect.forEach(columns, (column) =>
    Effect.gen(function* () {
      const values = new Map<string, number>()
      yield* eachPage(column, (rows) =>
        Effect.sync(() => {
          for (const value of rows.flatMap(({ cell }) => valuesOf(column, cell))) {
            const id = unwrap(value)?.id ?? unmarked
            values.set(id, (values.get(id) ?? 0) + 1)
          }
        })
      )
      return { table: column.table, column: column.column, values } satisfies Count as Count
    })
  )
})

export interface Resealed {
  readonly table: string
  readonly column: string
  /** Cells encrypted anew. */
  readonly rewritten: number
  /** Cells that were changed meanwhile. */
  readonly overtaken: number
  /** Cells that no key of the ring decrypts; they stay as they are. */
  readonly unreadable: number
}

/** Encrypts everything under the newest key. @param tell called after each page */
export const reseal = Effect.fnUntraced(function* (
  columns: ReadonlyArray<SealedColumn>,
  tell: (progress: Resealed) => Effect.Effect<void>
) {
  const sql = yield* Sql
  const secrets = yield* Secrets
  const [newest] = secrets.ring

  const cellAnew = Effect.fnUntraced(function* (column: SealedColumn, row: Row) {
    const context = column.contextOf(row)
    const anew = (sealed: Uint8Array) =>
      Effect.map(secrets.decrypt(sealed, context), (plain) => secrets.encrypt(plain, context))
    if (column.form === "bytea") return (yield* anew(row["cell"] as Uint8Array)) as unknown
    if (column.form === "base64") return toBase64(yield* anew(inBase64(row["cell"] as string)))
    const resealedValues = new Map<string, string>()
    for (const value of valuesOf(column, row["cell"])) resealedValues.set(toBase64(value), toBase64(yield* anew(value)))
    const { each, text } = column.form
    const replace = (sealed: string) => resealedValues.get(toBase64(inBase64(sealed))) ?? sealed
    return text ? each(row["cell"], replace) : JSON.stringify(each(JSON.parse(row["cell"] as string), replace))
  })

  /** Encrypts one cell anew; returns the outcome. */
  const resealCell = Effect.fnUntraced(function* (column: SealedColumn, key: ReadonlyArray<unknown>) {
    const keyCondition = `(${list(column.key)}) = (${placeholders(1, key.length)})`
    const row = yield* rowOf(Row)(
      sql.unsafe(
        `SELECT ${list([...new Set([...column.key, ...column.binds])])}, ${cellText(column)} AS cell FROM "${column.table}"
       WHERE ${keyCondition} AND ${named(column)} IS NOT NULL`,
        key
      )
    )
    if (row === undefined) return "overtaken" as const
    const newCell = yield* Effect.option(cellAnew(column, row))
    if (newCell._tag === "None") return "unreadable" as const
    const n = key.length
    const updatedRows = yield* sql.unsafe(
      `UPDATE "${column.table}" SET ${named(column)} = ${parameter(column, n + 1)}
       WHERE ${keyCondition} AND ${named(column)} = ${parameter(column, n + 2)} RETURNING 1`,
      [...key, newCell.value, row["cell"]]
    )
    return updatedRows.length === 1 ? ("rewritten" as const) : ("overtaken" as const)
  })

  return yield* Effect.forEach(columns, (column) =>
    Effect.gen(function* () {
      const columnReport = { table: column.table, column: column.column, rewritten: 0, overtaken: 0, unreadable: 0 }
      yield* eachPage(column, (rows) =>
        Effect.gen(function* () {
          const old = rows.filter(({ cell }) => valuesOf(column, cell).some((value) => unwrap(value)?.id !== newest.id))
          const results = yield* Effect.forEach(
            old,
            (row) =>
              resealCell(
                column,
                column.key.map((name) => row[name])
              ),
            {
              concurrency: 2
            }
          )
          for (const result of results) columnReport[result]++
          if (old.length > 0) yield* tell({ ...columnReport })
        })
      )
      return { ...columnReport } satisfies Resealed as Resealed
    })
  )
})

// Describes a column with encrypted values (decisions O9, P11). `Secrets.encrypt` takes a context of such a column only, so that nothing is
// encrypted where a change of the key does not look; src/interfaces/cli/sealedColumns.ts lists them all.
import type { Brand } from "effect"

/** Context that a value is bound to: table, column and row, for instance. Decrypting needs the same one. */
export type SealContext = string & Brand.Brand<"SealContext">

/** Encrypted values within JSON or a text, in base64: `each` returns the value with every encrypted text in it replaced. */
export interface SealedWithin {
  readonly each: (value: any, replace: (sealed: string) => string) => unknown
  /** True if the column is text, not JSON. */
  readonly text?: true
}

/** Column of encrypted values. @typeParam Row columns that the context is made of */
export interface SealedColumn<in Row = any> {
  readonly table: string
  readonly column: string
  /** The table's primary key. */
  readonly key: ReadonlyArray<string>
  readonly form: "bytea" | "base64" | SealedWithin
  /** SQL that narrows a large table down to the rows that can hold one. */
  readonly where?: string
  /** Columns that the context is made of. */
  readonly binds: ReadonlyArray<string>
  readonly contextOf: (row: Row) => SealContext
}

type Bound<Binds extends ReadonlyArray<string>> = { readonly [K in Binds[number]]: string | number }

/** Describes a column. @param context of a row's `binds` */
export const sealedColumn = <const Binds extends ReadonlyArray<string>>({
  context,
  ...column
}: Omit<SealedColumn, "binds" | "contextOf"> & {
  readonly binds: Binds
  readonly context: (row: Bound<Binds>) => string
}): SealedColumn<Bound<Binds>> => ({ ...column, contextOf: (row) => context(row) as SealContext })

/** Context of a value that is stored nowhere and ends within minutes, as in a cookie or a form: no change of the key need find it. */
export const passing = (context: string): SealContext => context as SealContext

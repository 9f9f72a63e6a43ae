// Where encrypted values stand (decisions O9, P11). `Secrets.encrypt` takes a context of such a place only, so that nothing is
// encrypted where a change of the key does not look; src/sealed.ts lists them all.
import type { Brand } from "effect"

/** What a value is bound to: table, column and row, say. The same when it is decrypted. */
export type SealContext = string & Brand.Brand<"SealContext">

/** Within JSON, in base64: `each` gives the value back with every encrypted text in it replaced. */
export interface InJson {
  readonly each: (value: any, replace: (sealed: string) => string) => unknown
}

export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The table's primary key. */
  readonly key: ReadonlyArray<string>
  readonly form: "bytea" | "base64" | InJson
  /** Columns that the context is made of. */
  readonly binds: ReadonlyArray<string>
  readonly contextOf: (row: Record<string, unknown>) => SealContext
}

/** @param context of a row's `binds` */
export const sealedColumn = <const Binds extends ReadonlyArray<string>>(
  place: Pick<SealedColumn, "table" | "column" | "key" | "form"> & {
    readonly binds: Binds
    readonly context: (row: { readonly [K in Binds[number]]: string | number }) => string
  }
) => {
  const { context, ...column } = place
  const contextOf = (row: { readonly [K in Binds[number]]: string | number }) => context(row) as SealContext
  return { ...column, contextOf } satisfies Omit<SealedColumn, "contextOf"> & {
    readonly contextOf: typeof contextOf
  } as Omit<SealedColumn, "contextOf"> & { readonly contextOf: typeof contextOf }
}

/** A value that is kept nowhere and ends within minutes, as in a cookie: no change of the key need find it. */
export const passing = (context: string): SealContext => context as SealContext

// What an import makes of one kind of rows: how they are read, which of their columns are ids, what else becomes of them.
import { Result, Schema } from "effect"
import type { InboundToken } from "../../../domain/automations/definitions/InboundAddresses.ts"
import type { Secrets } from "../../../ground/sealing/Secrets.ts"
import type { IdBook, IdKind } from "./IdBook.ts"
import type { ImportedField } from "./importedCells.ts"

export type Row = Readonly<Record<string, unknown>>

/** What has to be entered anew. */
export type ToEnter = "secrets" | "accounts" | "providers" | "hooks"

/** What an export has said so far; whole after the first reading. */
export interface KnownExport {
  readonly book: IdBook
  /** Of this import: contents get names of their own. */
  key: string
  readonly fields: Map<number, ImportedField>
  readonly people: Map<number, Row>
  /** What users are once all is there; until then nobody signs in. */
  readonly statuses: Map<number, string>
  readonly contents: Map<string, { readonly bytes: number; readonly sha256: string }>
  /** Contents of files that are taken. */
  readonly used: Set<string>
  /** Automations by the revision that they have, and those whose revision was read. */
  readonly definitions: Map<number, number>
  readonly defined: Set<number>
  readonly toEnter: Readonly<Record<ToEnter, Array<Row>>>
  organization: Row
  limits: unknown
  /** The second time everything is known. */
  first: boolean
  /** New secrets. */
  readonly secrets: Secrets["Service"]
  readonly mint: () => InboundToken
}

/** The row as it is written; null: it is left out; a failure says what is wrong with it. */
type Changed = Result.Result<Row | null, string>

export interface ImportKind<A extends object = any> {
  readonly row: Schema.ConstraintDecoder<A>
  /** Its own id: the rows are in its order. */
  readonly id?: readonly [column: string, kind: IdKind]
  /** What it belongs to: without it, it is left out (the export was made beside the working service). */
  readonly of: Readonly<Record<string, IdKind>>
  /** What it names and may be gone. */
  readonly names?: Readonly<Record<string, IdKind>>
  readonly change?: (row: A, told: KnownExport) => Changed
}

export const kind = <A extends object>(made: ImportKind<A>): ImportKind<A> => made

export const leftOut: Changed = Result.succeed(null)
export const taken = (row: object): Changed => Result.succeed(row as Row)

/** Bytes as `jsonb_populate_recordset` reads them. */
export const bytea = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString("hex")}`

// Columns.

export const id = Schema.Int.check(Schema.isGreaterThan(0))
export const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))
export const text = Schema.String
export const orNull = <S extends Schema.Top>(schema: S) => Schema.NullOr(schema)
export const flag = Schema.Boolean
export const time = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d:\d\d$/),
  Schema.makeFilter((value: string) => !Number.isNaN(Date.parse(value)), { expected: "a time" })
)
export const author = Schema.Union([
  Schema.Struct({ type: Schema.Literal("user"), user_id: id }),
  Schema.Struct({ type: Schema.Literal("automation"), automation_id: id })
])
export const anyObject = Schema.Record(Schema.String, Schema.Unknown)

/** Whoever wrote it, by their new id. */
export const authorBy = (by: typeof author.Type | null, book: IdBook) =>
  by === null
    ? null
    : by.type === "user"
      ? { ...by, user_id: book.to("user", by.user_id) }
      : { ...by, automation_id: book.to("automation", by.automation_id) }

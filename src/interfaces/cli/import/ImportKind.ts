// Describes how an import treats one kind of rows: how it reads them, which of their columns are ids, and what it changes.
import { Result, Schema } from "effect"
import type { InboundToken } from "../../../domain/automations/definitions/InboundAddresses.ts"
import type { Secrets } from "../../../platform/sealing/Secrets.ts"
import type { IdBook, IdKind } from "./IdBook.ts"
import type { ImportedField } from "./importedCells.ts"

export type Row = Readonly<Record<string, unknown>>

/** Things that somebody has to enter anew after an import. */
type ToEnter = "secrets" | "accounts" | "providers" | "hooks"

/** Facts that the import has read from the export so far; complete after the first reading. */
export interface KnownExport {
  readonly book: IdBook
  /** Key of this import, by which stored contents get names of their own. */
  key: string
  readonly fields: Map<number, ImportedField>
  readonly people: Map<number, Row>
  /** Final status of each user, set once all rows are there; until then nobody can sign in. */
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
  /** Columns that name its parents. A row whose parent is missing is left out: the export was made while the service went on working. */
  readonly of: Readonly<Record<string, IdKind>>
  /** Columns that name something that may be gone. */
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

/** Author of something, by their new id. */
export const authorBy = (by: typeof author.Type | null, book: IdBook) =>
  by === null
    ? null
    : by.type === "user"
      ? { ...by, user_id: book.to("user", by.user_id) }
      : { ...by, automation_id: book.to("automation", by.automation_id) }

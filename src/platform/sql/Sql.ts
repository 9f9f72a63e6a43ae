// Database client as all of src uses it: a statement's rows have no columns before a schema has read them (./rows.ts). It is the library's
// own client under its own tag; only its type says less, so that no caller can claim the type of a row.
import { PgClient } from "@effect/sql-pg"
import type { Context } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** Rows as they came from the driver; `object` has no columns to read. */
export type Undecoded = Statement.Statement<object>

export interface Sql extends Omit<SqlClient.SqlClient, "unsafe" | "safe" | "withoutTransforms"> {
  (strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>): Undecoded
  (name: string): Statement.Identifier
  readonly unsafe: (statement: string, values?: ReadonlyArray<unknown>) => Undecoded
}

export const Sql = SqlClient.SqlClient as unknown as Context.Service<SqlClient.SqlClient, Sql>

/** Adds the members that only Postgres has. */
export interface PgSql extends Sql, Pick<PgClient.PgClient, "config" | "json" | "listen" | "notify"> {}

export const PgSql = PgClient.PgClient as unknown as Context.Service<PgClient.PgClient, PgSql>

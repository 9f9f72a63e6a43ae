// Decides who may use what belongs to an organization (developer-api.md 11.7; decisions A26): a secret, a mail account, an authentication
// provider names the workspaces whose apps may use it. Decided here alone, in the statement that reads the value, password or token; the
// caller says who uses it.
import { Effect, Schema } from "effect"
import { list } from "../bounds/sized.ts"
import { ValidationError } from "../primitives/errors.ts"
import { rowsOf } from "../sql/rows.ts"
import type { Sql } from "../sql/Sql.ts"

const WORKSPACES_MOST = 1_000

export const Allowed = Schema.Union([
  Schema.Literal("all"),
  Schema.Struct({ workspace_ids: list(Schema.Int, WORKSPACES_MOST) })
]).annotate({
  identifier: "AllowedUse",
  description:
    "Workspaces whose automations and hooks may use it: `all`, private ones and those that are made later among them, or those listed"
})
export type Allowed = typeof Allowed.Type

/** Ids of the workspaces; null: all. */
type AllowedWorkspaces = ReadonlyArray<number> | null

export const AllowedColumn = Schema.NullOr(Schema.Array(Schema.Int))

/** Column as it is shown: without deleted workspaces. */
export const allowedColumn = `CASE WHEN allowed_workspaces IS NULL THEN NULL ELSE ARRAY(
  SELECT w.workspace_id FROM workspaces w WHERE w.workspace_id = ANY(allowed_workspaces) ORDER BY w.workspace_id) END AS allowed_workspaces`

export const allowedOf = (workspaces: AllowedWorkspaces): Allowed =>
  workspaces === null ? "all" : { workspace_ids: workspaces }

/** User of the thing: an app or a hook, by the workspace that it lies in at this moment; the organization for its own mail and tests. */
export type UsedBy = { readonly appId: number } | { readonly hookId: number } | "organization"

/** SQL condition on a row of `secrets`, `smtp_accounts` or `authentication_providers`: true if it may be used so. */
export const mayUse = (sql: Sql, by: UsedBy) => {
  if (by === "organization") return sql`true`
  const workspace =
    "appId" in by
      ? sql`SELECT a.workspace_id FROM apps a WHERE a.app_id = ${by.appId}`
      : sql`SELECT a.workspace_id FROM hooks h JOIN apps a USING (app_id) WHERE h.hook_id = ${by.hookId}`
  return sql`(allowed_workspaces IS NULL OR coalesce((${workspace}) = ANY(allowed_workspaces), false))`
}

const Known = Schema.Struct({ workspace_id: Schema.Int })

/**
 * Value of `allowed_workspaces` to store; nothing given: nobody. Any workspace of the organization may be named, a private one too, by
 * callers who know its id.
 */
export const allowedWorkspaces = Effect.fnUntraced(function* (sql: Sql, orgId: number, allowed: Allowed | undefined) {
  if (allowed === "all") return null
  const ids = [...new Set(allowed?.workspace_ids)]
  if (ids.length === 0) return []
  const knownIds = new Set(
    (yield* rowsOf(Known)(sql`
      SELECT workspace_id FROM workspaces WHERE org_id = ${orgId} AND workspace_id = ANY(${ids.map(String)}::text[]::bigint[])`)).map(
      ({ workspace_id }) => workspace_id
    )
  )
  const unknown = ids.find((id) => !knownIds.has(id))
  if (unknown !== undefined)
    return yield* new ValidationError({
      message: `allowed.workspace_ids[${allowed!.workspace_ids.indexOf(unknown)}]: the organization has no workspace ${unknown}.`
    })
  return ids
})

/** Parameter of a statement. */
export const boundWorkspaces = (sql: Sql, workspaces: AllowedWorkspaces) =>
  workspaces === null ? sql`NULL::bigint[]` : sql`${workspaces.map(String)}::text[]::bigint[]`

const tables = {
  mail_account: ["smtp_accounts", "smtp_account_id"],
  provider: ["authentication_providers", "authentication_provider_id"]
} as const

const Withheld = Schema.Struct({ id: Schema.Int })

/** Subset of the ids that the organization has and that may not be used so. */
export const withheldFrom = Effect.fnUntraced(function* (
  sql: Sql,
  kind: keyof typeof tables,
  orgId: number,
  ids: ReadonlyArray<number>,
  by: UsedBy
) {
  if (ids.length === 0) return new Set<number>()
  const [table, key] = tables[kind]
  const rows = yield* rowsOf(Withheld)(sql`
    SELECT ${sql(key)} AS id FROM ${sql(table)}
    WHERE org_id = ${orgId} AND ${sql(key)} = ANY(${ids.map(String)}::text[]::bigint[]) AND NOT ${mayUse(sql, by)}`)
  return new Set(rows.map(({ id }) => id))
})

// Parts of the statements of a search (developer-api.md 11.1): the apps that the caller sees, and whether an entry matches.
import type { Statement } from "effect/sql"
import type { Sql } from "../../platform/sql/Sql.ts"
import { makeAppLevels } from "../accounts/appLevels.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { inLine, type SearchTerm } from "./searchQuery.ts"
import { type EntryKind, entryKinds, type SearchRequest } from "./searchSchemas.ts"

export const makeSearchParts = (sql: Sql) => {
  const appLevels = makeAppLevels(sql)

  const apps = (caller: CallerShape, { appId, workspaceId }: SearchRequest) => {
    const app = appId === undefined ? sql`true` : sql`a.app_id = ${appId}::bigint`
    const workspace = workspaceId === undefined ? sql`true` : sql`a.workspace_id = ${workspaceId}::bigint`
    return sql`
      apps_seen AS MATERIALIZED (${appLevels(caller, sql`${app} AND ${workspace}`)}),
      app_ids AS MATERIALIZED (SELECT coalesce(array_agg(app_id), '{}') AS seen,
        coalesce(array_agg(app_id) FILTER (WHERE level = 5), '{}') AS administered FROM apps_seen)`
  }
  const appsOf = (kind: EntryKind) =>
    sql.literal(`(SELECT ${entryKinds[kind].level === 5 ? "administered" : "seen"} FROM app_ids)::bigint[]`)
  /** No condition by which the planner could read an index. */
  const reached = (kind: EntryKind) => sql`(e.app_id = ANY(${appsOf(kind)})) IS TRUE`

  /** True if the line of an entry has all terms. */
  const matches = (line: Statement.Fragment, terms: ReadonlyArray<SearchTerm>) =>
    sql.and(terms.map((term) => sql`strpos(${line}, ${inLine(term)}::text) > 0`))

  const union = (parts: ReadonlyArray<Statement.Fragment>) =>
    parts.slice(1).reduce((all, one) => sql`${all} UNION ALL ${one}`, parts[0]!)

  return { apps, appsOf, matches, reached, union }
}

// Selects runs by filters among those that a caller may see (developer-api.md 7.11): listings and jobs. A caller who is no workspace admin
// sees none. Runs of deleted automations are hidden.
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { NotFound } from "../../../platform/primitives/errors.ts"
import { idListOf } from "../../../platform/sql/idList.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { makeReachableApps } from "../../accounts/reachableApps.ts"
import { makeVisibleWorkspaces } from "../../accounts/visibleWorkspaces.ts"
import { makeRunSearch, type RunFilters } from "./runSearch.ts"

/** Caller; an operator has full access and is no user. */
export type RunsCaller = CallerShape | "operator"

export type RunsWithin =
  | { readonly kind: "app" | "workspace" | "automation"; readonly id: number }
  | { readonly kind: "all" }

/** Tables that a selection's condition names. */
export const FROM_RUNS =
  "FROM runs r JOIN automations x ON x.automation_id = r.automation_id JOIN apps a ON a.app_id = r.app_id"

const Reach = Schema.Struct({ app_id: Schema.Int, workspace_id: Schema.Int })
const WorkspaceId = Schema.Struct({ workspace_id: Schema.Int })

const refuseUnknown = (
  kind: "app" | "workspace",
  wanted: ReadonlyArray<number> | undefined,
  known: ReadonlyArray<number>
) => {
  const unknown = wanted?.find((id) => !known.includes(id))
  return unknown === undefined ? Effect.void : Effect.fail(new NotFound({ message: `No ${kind} with id ${unknown}.` }))
}

export const makeRunSelection = (sql: Sql) => {
  const { conditionsOf } = makeRunSearch(sql)
  const idList = idListOf(sql)
  const administered = makeReachableApps(sql)
  const visibleTo = makeVisibleWorkspaces(sql)

  /** Returns the apps whose runs the caller may see. */
  const reachable = Effect.fnUntraced(function* (caller: RunsCaller) {
    if (caller === "operator") return yield* rowsOf(Reach)(sql`SELECT app_id, workspace_id FROM apps`)
    return yield* administered(caller, 5)
  })

  const visible = Effect.fnUntraced(function* (caller: RunsCaller, wanted: ReadonlyArray<number>) {
    if (caller !== "operator") return yield* visibleTo(caller, wanted)
    const workspaceRows = yield* rowsOf(WorkspaceId)(
      sql`SELECT workspace_id FROM workspaces WHERE workspace_id = ${idList(wanted)}`
    )
    return workspaceRows.map(({ workspace_id }) => workspace_id)
  })

  /** Condition on `FROM_RUNS`; fails if the filters name an app or a workspace that does not exist for the caller. */
  const selectionOf = Effect.fnUntraced(function* (
    caller: RunsCaller,
    within: RunsWithin,
    filters: RunFilters
  ): Effect.fn.Return<Statement.Fragment, NotFound | SqlError> {
    const reach = yield* reachable(caller)
    yield* refuseUnknown(
      "app",
      filters.app_ids,
      reach.map((row) => row.app_id)
    )
    if (filters.workspace_ids !== undefined) {
      yield* refuseUnknown("workspace", filters.workspace_ids, yield* visible(caller, filters.workspace_ids))
    }
    const apps = reach.filter(
      ({ app_id, workspace_id }) =>
        (within.kind !== "app" || app_id === within.id) &&
        (within.kind !== "workspace" || workspace_id === within.id) &&
        filters.app_ids?.includes(app_id) !== false &&
        filters.workspace_ids?.includes(workspace_id) !== false
    )
    return sql.and([
      sql`x.deleted_on IS NULL AND r.app_id = ${idList(apps.map(({ app_id }) => app_id))}`,
      // Only an automation's own listing includes simulations.
      within.kind === "automation" ? sql`r.automation_id = ${within.id}` : sql`r.type <> 'simulation'`,
      ...conditionsOf(filters)
    ])
  })

  return { reachable, selectionOf }
}

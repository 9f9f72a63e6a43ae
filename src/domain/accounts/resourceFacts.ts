// Resources that rights are checked on (developer-api.md 2.3): for each kind the query from its id to app and workspace, and the facts that
// decide. A request gets the facts with its credential, in one query; later checks query them anew.
import { Schema } from "effect"
import { WorkspaceRole, WorkspaceType } from "./levels.ts"

/**
 * Each kind with the query that leads from its id to app and workspace. `only`: the one user for whom it exists, in SQL; null or left out:
 * everybody who sees its app.
 */
export const resources = {
  workspace: { name: "workspace", from: "workspaces w LEFT JOIN apps a ON false", id: "w.workspace_id", live: "" },
  app: { name: "app", from: "apps a JOIN workspaces w USING (workspace_id)", id: "a.app_id", live: "" },
  field: {
    name: "field",
    from: "fields x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.field_id",
    live: ""
  },
  record: {
    name: "record",
    from: "records x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.record_id",
    live: ""
  },
  view: {
    name: "view",
    from: "views x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.view_id",
    live: "",
    only: "CASE WHEN x.private THEN coalesce(x.created_by, 0) END"
  },
  comment: {
    name: "comment",
    from: "comments x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.comment_id",
    live: ""
  },
  reply: {
    name: "reply",
    from: "replies x JOIN comments c USING (comment_id) JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.reply_id",
    live: ""
  },
  hook: {
    name: "hook",
    from: "hooks x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.hook_id",
    live: ""
  },
  automation: {
    name: "automation",
    from: "automations x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.automation_id",
    live: " AND x.deleted_on IS NULL"
  }
} as const

export type ResourceKind = keyof typeof resources

/** Further condition of a resource's query. @param user the one user whose rights are asked, in SQL; null there for several */
export const conditionOf = (kind: ResourceKind, user: string): string => {
  const { live, ...rest } = resources[kind]
  return "only" in rest ? `${live} AND (${rest.only} IS NULL OR ${rest.only} = ${user})` : live
}

export interface Resource {
  readonly kind: ResourceKind
  readonly id: number
}

export const ResourceFacts = Schema.Struct({
  workspace_id: Schema.Int,
  app_id: Schema.NullOr(Schema.Int),
  app_version: Schema.NullOr(Schema.Int),
  type: WorkspaceType,
  member_role: Schema.NullOr(WorkspaceRole)
})
export type ResourceFacts = typeof ResourceFacts.Type

export const isId = (id: number) => Number.isSafeInteger(id) && id >= 1

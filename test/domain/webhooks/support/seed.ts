// Workspaces, apps and events for webhook tests, by SQL: hooks are what is under test.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { defaultSwitches, type NewEvent } from "../../../../src/engine/outbox/Event.ts"

let counter = 0

/** An app in a workspace of its own; `adminId` becomes its workspace admin. */
export const seedApp = Effect.fnUntraced(function* (
  orgId: number,
  adminId?: number,
  type: "default" | "open" | "closed" | "private" = "closed"
) {
  const sql = yield* SqlClient.SqlClient
  const slug = `s${Date.now().toString(36)}${counter++}`
  const [workspace] = yield* sql<{ workspace_id: number }>`
    INSERT INTO workspaces (org_id, name, slug, type, created_on) VALUES (${orgId}, 'Docks', ${slug}, ${type}, now()) RETURNING workspace_id`
  if (adminId !== undefined)
    yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspace!.workspace_id}, ${adminId}, 'admin')`
  const [app] = yield* sql<{ app_id: number }>`
    INSERT INTO apps (org_id, workspace_id, slug, name, item_name, position, created_on)
    VALUES (${orgId}, ${workspace!.workspace_id}, ${slug}, 'Berths', 'Berth', 0, now()) RETURNING app_id`
  return { workspaceId: workspace!.workspace_id, appId: app!.app_id }
})

interface About {
  readonly org_id: number
  readonly app_id: number
  readonly record_id: number
  readonly hook?: boolean
}

const common = ({ org_id, app_id, record_id, hook = true }: About) => ({
  org_id,
  app_id,
  record_id,
  switches: { ...defaultSwitches, hook },
  depth: 0,
  cause: null
})

export const recordEvent = (
  about: About & {
    readonly type: "record.create" | "record.update" | "record.delete" | "record.restore"
    readonly revision: number
  }
): NewEvent => ({
  ...common(about),
  type: about.type,
  payload: { revision: about.revision, author: { type: "user", user_id: 1 }, cells: {}, title: "Berth" }
})

export const commentEvent = (
  about: About & { readonly type: "comment.create" | "comment.delete" | "reply.create"; readonly comment_id: number }
): NewEvent => ({
  ...common(about),
  type: about.type,
  payload: { comment_id: about.comment_id, author: { type: "user", user_id: 1 } }
})

export const appEvent = (org_id: number, app_id: number): NewEvent => ({
  ...common({ org_id, app_id, record_id: 0 }),
  record_id: null,
  type: "app.update",
  payload: {}
})

// Apps, fields and definitions for the tests of automations.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { FieldTypeTag } from "../../../src/domain/records/fields/registry.ts"
import { App, seedOrganization } from "../../support/app.ts"

/** An organization, its owner, a workspace and an app made over the API, with fields by slug. */
export const seedApp = Effect.fnUntraced(function* (fields: ReadonlyArray<unknown> = defaultFields) {
  const app = yield* App
  const { orgId, owner } = yield* seedOrganization()
  const workspace = yield* app.call("POST", "/v1/workspace", {
    token: owner.key,
    body: { name: "Main", type: "closed" }
  })
  const workspaceId = workspace.json.workspace_id as number
  const createdApp = yield* makeApp(owner.key, workspaceId, fields)
  return { orgId, owner, token: owner.key, workspaceId, ...createdApp }
})

export const makeApp = Effect.fnUntraced(function* (
  token: string,
  workspaceId: number,
  fields: ReadonlyArray<unknown>
) {
  const app = yield* App
  const creation = yield* app.call("POST", "/v1/app", {
    token,
    body: { workspace_id: workspaceId, name: "Deliveries", item_name: "Delivery", fields }
  })
  if (creation.status !== 200) throw new Error(creation.text)
  const bySlug: Record<string, number> = Object.fromEntries(
    creation.json.fields.map((field: any) => [field.slug, field.field_id])
  )
  const options: Record<string, ReadonlyArray<number>> = Object.fromEntries(
    creation.json.fields.map((field: any) => [field.slug, (field.config.settings.options ?? []).map((o: any) => o.id)])
  )
  return { appId: creation.json.app_id as number, fields: bySlug, options }
})

const defaultFields = [
  { field_type: "single_text", config: { label: "Reference" } },
  { field_type: "number", config: { label: "Weight" } },
  { field_type: "single_date", config: { label: "Due" } },
  {
    field_type: "status",
    config: {
      label: "State",
      required: true,
      settings: {
        options: [
          { text: "Planned", color: "gray", means_completed: false },
          { text: "Delivered", color: "green", means_completed: true }
        ]
      }
    }
  },
  { field_type: "single_user", config: { label: "Driver" } }
]

export const field = (
  field_id: number,
  field_type: FieldTypeTag | "app" | "contact" | "embed" | "file",
  more: object = {}
) => ({
  kind: "variable",
  source: "field",
  field_id,
  field_type,
  ...more
})

export const create = Effect.fnUntraced(function* (token: string, appId: number, body: object = {}) {
  const app = yield* App
  return yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body: { name: "Close", ...body } })
})

/** Commands in the outbox, oldest first: `[automation id, change]`. */
export const commands = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ payload: { automation_id: number; change: string } }>`
    SELECT payload FROM outbox WHERE type = 'command.automation.changed' ORDER BY event_id`
  return rows.map(({ payload }) => [payload.automation_id, payload.change] as const)
})

/** How often the owner of an organization's only automation has been told: what waits, and what the worker's rounds have mailed meanwhile. */
export const noticesOf = Effect.fnUntraced(function* (automationId: number, kind: "broken" | "failing") {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string }>`
    SELECT notice_id::text AS id FROM automation_notices WHERE automation_id = ${automationId} AND kind = ${kind}
    UNION
    SELECT substring(message_id FROM '^<automation-notice-(\\d+)@') FROM mails JOIN automations USING (org_id)
    WHERE automation_id = ${automationId} AND subject LIKE ${`% is ${kind}`}`
  return rows.length
})

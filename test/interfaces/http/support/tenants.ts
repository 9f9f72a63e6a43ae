// Two organizations full of things, one of them marked: whoever sees the mark sees another tenant's data.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, seedOrganization, seedToken, seedUser } from "../../../support/app.ts"

/** Stands in every text of the other tenant. */
export const MARK = "Zwielicht7f"

/** Ids by the name of the path parameter that takes them. */
export type Ids = Record<string, number | string>

export interface Tenant {
  readonly key: string
  readonly memberKey: string
  readonly readToken: string
  readonly ids: Ids
  /** A cursor of one of its listings. */
  readonly cursor: string
}

const option = (text: string, more: object = {}) => ({ text, color: "gray", ...more })

const fieldsOf = (mark: string) => [
  { field_type: "single_text", config: { label: `${mark} text` } },
  { field_type: "multi_text", config: { label: "html" } },
  { field_type: "number", config: { label: "number" } },
  { field_type: "single_category", config: { label: "category", settings: { options: [option(`${mark} a`)] } } },
  { field_type: "multi_category", config: { label: "categories", settings: { options: [option("a"), option("b")] } } },
  {
    field_type: "status",
    config: {
      label: "status",
      required: true,
      settings: {
        options: [option("open", { means_completed: false }), option("done", { means_completed: true })]
      }
    }
  },
  { field_type: "single_date", config: { label: "date", settings: { time: "enabled" } } },
  { field_type: "range_date", config: { label: "range", settings: { end: "enabled" } } },
  { field_type: "single_user", config: { label: "user" } },
  { field_type: "multi_user", config: { label: "users" } },
  { field_type: "checklist", config: { label: "checklist" } },
  { field_type: "multi_email", config: { label: "email" } },
  { field_type: "multi_phone", config: { label: "phone" } },
  { field_type: "multi_link", config: { label: "link" } },
  { field_type: "single_location", config: { label: "location" } },
  { field_type: "single_attachment", config: { label: "attachment" } },
  { field_type: "multi_attachment", config: { label: "attachments" } },
  { field_type: "multi_image", config: { label: "images" } },
  { field_type: "unique_id", config: { label: "number of record", settings: { prefix: "R-" } } }
]

/** Slugs of the fields above, for inputs of records. */
export const slugs = fieldsOf("").map(({ config }) =>
  config.label
    .trim()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
)

export const seedTenant = Effect.fnUntraced(function* (mark: string) {
  const app = yield* App
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner } = yield* seedOrganization(`${mark} organization`)
  const member = yield* seedUser(orgId, "member", `${mark} member`)
  const must = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const reply = yield* app.call(method, path, { token: owner.key, ...(body === undefined ? {} : { body }) })
    if (reply.status >= 300) return yield* Effect.die(new Error(`${method} ${path}: ${reply.text}`))
    return reply.json
  })
  const workspace = yield* must("POST", "/v1/workspace", { name: `${mark} workspace`, type: "default" })
  const { app_id, fields } = yield* must("POST", "/v1/app", {
    workspace_id: workspace.workspace_id,
    name: `${mark} app`,
    fields: fieldsOf(mark)
  })
  const status = fields.find((f: any) => f.field_type === "status")
  const text = fields[0]
  const values = {
    [text.external_id]: `${mark} value`,
    status: status.config.settings.options[0].id,
    user: owner.userId
  }
  const record = yield* must("POST", `/v1/record/app/${app_id}`, { fields: values })
  yield* must("POST", `/v1/record/app/${app_id}`, { fields: values })
  const comment = yield* must("POST", `/v1/comment/record/${record.record_id}`, { value: `${mark} comment` })
  yield* must("POST", `/v1/comment/record/${record.record_id}`, { value: `${mark} second comment` })
  const reply = yield* must("POST", `/v1/comment/${comment.comment_id}/reply`, { value: `${mark} reply` })
  const hook = yield* must("POST", `/v1/hook/app/${app_id}`, { type: "record.create", url: "https://93.184.216.34/x" })
  const { automation } = yield* must("POST", `/v1/automation/app/${app_id}`, {
    name: `${mark} automation`,
    trigger: { type: "webhook_received", config: {} },
    actions: [{ type: "delay", config: { delay_ms: 1000 } }]
  })
  const { revisions } = yield* must("GET", `/v1/automation/${automation.id}/revision`)
  const page = yield* must("GET", `/v1/comment/record/${record.record_id}?limit=1`)
  const [view] = yield* sql<{ view_id: number }>`SELECT view_id FROM views WHERE app_id = ${app_id}`
  return {
    key: owner.key,
    memberKey: member.key,
    readToken: yield* seedToken(owner.userId, ["records:read", "apps:read"], { appIds: [app_id] }),
    cursor: page.cursor as string,
    ids: {
      org_id: orgId,
      user_id: member.userId,
      workspace_id: workspace.workspace_id,
      app_id,
      ref_app_id: app_id,
      field_id: text.field_id,
      option_id: status.config.settings.options[0].id,
      view_id: view?.view_id ?? 1,
      record_id: record.record_id,
      revision: 0,
      comment_id: comment.comment_id,
      reply_id: reply.reply_id,
      file_id: 1,
      hook_id: hook.hook_id,
      delivery_id: "msg_none",
      automation_id: automation.id,
      revision_id: revisions[0].id,
      run_id: "1"
    }
  } satisfies Tenant
})

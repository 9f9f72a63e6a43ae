// An organization with something of everything, and what the API shows of one, by ids that can be compared.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { fieldTypeTags } from "../../../src/domain/records/fields/registry.ts"
import { App, seedUser } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

const upload = Effect.fnUntraced(function* (key: string, name: string, type: string, content: string) {
  const app = yield* App
  const body = new FormData()
  body.append("file", new File([content], name, { type }))
  const init = { method: "POST", headers: { authorization: `Bearer ${key}` }, body }
  const reply = yield* app.fetch(new Request("http://127.0.0.1:8080/v1/file/upload", init))
  const file = yield* Effect.promise(() => reply.json() as Promise<any>)
  return file.file_id as string
})

const options = (...texts: ReadonlyArray<string>) => ({ options: texts.map((text) => ({ text })) })

const everyField = (customers: number) => [
  field("single_text", "Reference"),
  field("multi_text", "Notes"),
  field("number", "Weight", { decimals: 2, unit: "kg" }),
  field("single_category", "Kind", options("Small", "Large")),
  field("multi_category", "Labels", options("Fragile", "Cold", "Fast")),
  field(
    "status",
    "State",
    {
      options: [
        { text: "Open", means_completed: false },
        { text: "Done", means_completed: true }
      ]
    },
    { required: true }
  ),
  field("single_date", "Due", { time: "enabled" }),
  field("range_date", "Window"),
  field("single_relation", "Customer", { referenced_apps: [{ app_id: customers }] }),
  field("multi_relation", "Others", { referenced_apps: [{ app_id: customers }] }),
  field("single_user", "Driver"),
  field("multi_user", "Crew"),
  field("checklist", "Tasks"),
  field("multi_email", "Mails"),
  field("multi_phone", "Phones"),
  field("multi_link", "Links"),
  field("single_location", "Place"),
  field("single_attachment", "Paper"),
  field("multi_attachment", "Papers"),
  field("multi_image", "Pictures"),
  ...(["unique_id", "created_at", "last_modified_at", "created_by", "last_modified_by"] as const).map((type) =>
    field(type, `Of ${type}`)
  ),
  field("calculation", "Figure", { expression: "of_created_at", result: "date" })
]
assert.sameMembers(
  everyField(1).map((one) => one.field_type),
  [...fieldTypeTags]
)

const variable = (field_id: number, field_type: string) => ({ kind: "variable", source: "field", field_id, field_type })
const set = (field_id: number, field_type: string, field_value: unknown) => ({
  ...{ field_type, variable_def: variable(field_id, field_type), assignment_type: "set", field_value }
})

/** Made through the API, with what it cannot make (many records, mail accounts) by SQL. */
export const makeOrganization = Effect.fnUntraced(function* (records: number) {
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const member = yield* seedUser(orgId, "member", "Mira")
  const call = as(owner)
  const ok = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const reply = yield* call(method, path, body)
    assert.isBelow(reply.status, 300, `${method} ${path}: ${reply.text}`)
    return reply.json
  })
  const customers = (yield* createApp(owner, workspaceId, [field("single_text", "Name")], "Customers")).app_id
  const createdApp = yield* createApp(owner, workspaceId, everyField(customers), "Deliveries", {
    icon: { type: "emoji", emoji: "📦" }
  })
  const app = createdApp.app_id as number
  const ids: Record<string, number> = Object.fromEntries(createdApp.fields.map((f: any) => [f.slug, f.field_id]))
  const kinds = createdApp.fields.find((f: any) => f.slug === "kind").config.settings.options
  const customer = (yield* ok("POST", `/v1/record/app/${customers}`, { fields: { name: "Café Größe" } })).record_id
  const deletedCustomer = (yield* ok("POST", `/v1/record/app/${customers}`, { fields: { name: "Gone" } })).record_id
  const paper = yield* upload(owner.key, "paper.txt", "text/plain", "hello world.")
  const picture = yield* upload(owner.key, "a.png", "image/png", "png".repeat(200_000))
  const papers = yield* upload(owner.key, "b.bin", "application/octet-stream", "b\u0000b")
  const record = (yield* ok("POST", `/v1/record/app/${app}`, {
    fields: {
      ...{
        reference: "DLV-1",
        notes: "<p>Two <b>words</b></p>",
        weight: 12.5,
        kind: "Large",
        labels: ["Cold", "Fast"]
      },
      ...{ state: "Open", due: "2026-04-01 15:00", window: { start: "2026-04-01", end: "2026-04-03" } },
      ...{ customer, others: [customer, deletedCustomer], driver: member.userId, crew: [member.userId, owner.userId] },
      tasks: [{ title: "Load", assignee: member.userId, due_at: "2026-04-02", completed: true }, "Drive"],
      mails: [{ email: "a@example.com", type: "home" }],
      phones: ["+49 30 1234567"],
      links: ["https://example.com/a?b=c"],
      place: { value: "Kai 1, Hamburg", latitude: 53.5, longitude: 9.9 },
      ...{ paper, papers: [papers], pictures: [picture] }
    }
  })).record_id as number
  yield* ok("PUT", `/v1/record/${record}`, {
    fields: { weight: 13, driver: owner.userId, others: [customer], kind: "Small" }
  })
  yield* ok("DELETE", `/v1/record/${deletedCustomer}?skip_trash=true`)
  const trashed = (yield* ok("POST", `/v1/record/app/${app}`, { fields: { reference: "Old", state: "Done" } }))
    .record_id
  yield* ok("DELETE", `/v1/record/${trashed}`)
  const note = yield* upload(owner.key, "note.txt", "text/plain", "noted")
  const comment = yield* ok("POST", `/v1/comment/record/${record}`, {
    value: `Ask @[Mira](user:${member.userId})`,
    file_ids: [note]
  })
  yield* ok("POST", `/v1/comment/${comment.comment_id}/reply`, { value: "Asked" })
  yield* ok("POST", `/v1/view/app/${app}`, {
    ...{ name: "Small ones", layout: "board", sort_by: ids["weight"], sort_desc: true, split_by: ids["kind"] },
    filters: [
      { field_id: ids["kind"], type: "category", match_type: "equal", values: [{ value: kinds[0].id }] },
      { field_id: ids["driver"], type: "user", match_type: "equal", values: [{ value: owner.userId }] }
    ],
    fields: [{ field_id: ids["reference"], width: 3 }],
    columns: [
      { field_id: ids["weight"], width: 90 },
      { field_id: ids["notes"], hidden: true }
    ],
    ...{ frozen: 2, group_by: ids["kind"], board_field_id: ids["state"], cover_field_id: ids["pictures"] }
  })
  yield* ok("POST", `/v1/view/app/${app}`, {
    ...{ name: "My month", layout: "calendar", private: true, calendar_field_ids: [ids["due"], ids["window"]] }
  })
  const called = (yield* ok("POST", `/v1/automation/app/${app}`, {
    name: "Called",
    trigger: { type: "automation_called", config: {} },
    actions: [
      {
        type: "current_record_update",
        config: {
          field_assignments: [
            set(ids["driver"]!, "single_user", [member.userId]),
            set(ids["kind"]!, "single_category", [kinds[1].id]),
            set(ids["customer"]!, "single_relation", [customer])
          ]
        }
      }
    ]
  })).automation.id as number
  const caller = (yield* ok("POST", `/v1/automation/app/${app}`, {
    name: "Caller",
    on_failure_automation_id: called,
    trigger: { type: "record_updated", config: { trigger_on_changes_field_ids: [ids["weight"]] } },
    filter: {
      operator: "and",
      rows: [
        {
          subject: variable(ids["kind"]!, "single_category"),
          operator: "is",
          value: { type: "ids", ids: [kinds[0].id] }
        }
      ]
    },
    actions: [{ type: "current_record_call_automation", config: { automation_id: called } }]
  })).automation.id as number
  yield* ok("POST", `/v1/automation/${called}/activate`)
  yield* ok("POST", `/v1/automation/${caller}/activate`)
  const inbound = (yield* ok("POST", `/v1/automation/app/${app}`, {
    name: "Inbound",
    trigger: { type: "webhook_received", config: {} },
    actions: [{ type: "delay", config: { delay_ms: 60_000 } }]
  })).automation
  yield* ok("POST", `/v1/hook/app/${app}`, { type: "record.update", url: "https://hooks.example.com/in" })
  yield* sql`
    INSERT INTO smtp_accounts (org_id, name, host, port, security, username, from_address, is_default, allowed_workspaces, created_on)
    VALUES (${orgId}, 'Post', 'smtp.example.com', 587, 'starttls', 'post', 'post@example.com', true,
      ${[workspaceId]}::bigint[], now())`
  yield* sql`
    INSERT INTO secrets (org_id, app_id, name, value, created_by, created_on, updated_on)
    VALUES (${orgId}, ${app}, 'carrier_key', '\\x00', ${owner.userId}, now(), now())`
  yield* sql`
    INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
    SELECT ${customers}, ${orgId}, n + 2, 'C ' || n, jsonb_build_object(${String(customers)}::text, '[]'::jsonb), now(),
      jsonb_build_object('type', 'user', 'user_id', ${owner.userId}::int) FROM generate_series(1, ${records}::int) n`
  yield* sql`
    INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta)
    SELECT record_id, 0, 'creation', created_on, created_by, '{}' FROM records
    WHERE app_id = ${customers} AND app_record_id > 2`
  yield* sql`UPDATE app_counters SET last_app_record_id = ${records + 2} WHERE app_id = ${customers}`
  return { ...{ orgId, owner, member, workspaceId, app, customers, record, trashed, ids, called, caller }, inbound }
})
export type Made = Effect.Success<ReturnType<typeof makeOrganization>>

/** What somebody sees of it through the API. */
export const seen = Effect.fnUntraced(function* (
  key: string,
  {
    app,
    customers,
    record,
    trashed,
    caller,
    called
  }: Pick<Made, "app" | "customers" | "record" | "trashed" | "caller" | "called">
) {
  const call = as({ key })
  const get = Effect.fnUntraced(function* (path: string) {
    const reply = yield* call("GET", path)
    assert.strictEqual(reply.status, 200, `${path}: ${reply.text}`)
    return reply.json
  })
  const { views } = yield* get(`/v1/app/${app}/views`)
  const list = (id: number) => call("POST", `/v1/record/filter/app/${id}?limit=50`, { filters: [] })
  return {
    apps: yield* get("/v1/app"),
    app: yield* get(`/v1/app/${app}`),
    users: yield* get("/v1/org/user"),
    workspaces: yield* get("/v1/workspace/org"),
    views: yield* Effect.forEach(views as ReadonlyArray<any>, ({ view_id }) => get(`/v1/view/${view_id}`)),
    record: yield* get(`/v1/record/${record}`),
    trashed: yield* get(`/v1/record/${trashed}?include_deleted=true`),
    revisions: yield* get(`/v1/record/${record}/revision`),
    delta: yield* get(`/v1/record/${record}/revision/previous/1`),
    first: yield* get(`/v1/record/${record}/revision/0`),
    comments: yield* get(`/v1/comment/record/${record}`),
    listed: (yield* list(customers)).json,
    automations: yield* Effect.forEach([caller, called], (id) => get(`/v1/automation/${id}`))
  }
})

const byKey: Readonly<Record<string, string>> = {
  ...{ org_id: "org", user_id: "user", owner_id: "user", app_id: "app", workspace_id: "workspace", field_id: "field" },
  ...{ group_by: "field", board_field_id: "field", calendar_field_ids: "field", cover_field_id: "field" },
  created_by: "user",
  ...{
    sort_by: "field",
    split_by: "field",
    record_id: "record",
    file_id: "file",
    comment_id: "comment",
    view_id: "view"
  },
  ...{ reply_id: "reply", automation_id: "automation", on_failure_automation_id: "automation", embed_id: "entry" },
  ...{ trigger_on_changes_field_ids: "field" }
}
/** What numbers mean that stand for values of such a field. */
const byType: Readonly<Record<string, string>> = {
  ...{ category: "option", single_category: "option", user: "user", single_user: "user", single_relation: "record" }
}
/** Values of a filter, of a condition, of an assignment. */
const valuesOf = (value: any) => byType[value.subject?.field_type ?? value.field_type ?? value.type ?? ""]

/** Whose `id` it is. */
const ownerOf = (value: Readonly<Record<string, unknown>>) =>
  "color" in value
    ? "option"
    : "filename" in value
      ? "file"
      : "view_id" in value
        ? "view"
        : "broken_reason" in value
          ? "automation"
          : "completed" in value || ("value" in value && "type" in value)
            ? "entry"
            : undefined

/** What the API shows with the ids that it had before: links and addresses left out. */
export const asBefore = (value: unknown, moved: Readonly<Record<string, number>>, kind?: string): unknown => {
  if (typeof value === "number") return kind === undefined ? value : value - (moved[kind] ?? 0)
  if (Array.isArray(value)) return value.map((item) => asBefore(item, moved, kind))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (["cursor", "link", "download_url", "record_url", "webhook_url", "slug", "updated_at"].includes(key)) return []
      if (key === "ref") return [[key, asBefore(item, moved, (item as any).type)]]
      if (key === "id" && kind !== undefined) return [[key, asBefore(item, moved, kind)]]
      if (["values", "field_value"].includes(key)) return [[key, asBefore(item, moved, valuesOf(value))]]
      if (key === "value" && "subject" in value) return [[key, asBefore(item, moved, valuesOf(value))]]
      if (key === "ids" || (key === "value" && kind !== undefined)) return [[key, asBefore(item, moved, kind)]]
      return [[key, asBefore(item, moved, key === "id" ? ownerOf(value as any) : byKey[key])]]
    })
  )
}

// The guide's flow with the client of @hey-api/openapi-ts.
import assert from "node:assert/strict"
import * as api from "./generated"
import { client } from "./generated/client.gen"

client.setConfig({ baseUrl: process.env["MILLRACE_URL"]!, auth: process.env["MILLRACE_TOKEN"]! })

const done = async <A>(call: Promise<{ data?: A; error?: unknown }>): Promise<A> => {
  const { data, error } = await call
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const { workspaces } = await done(api.workspacesList())
const fields: Array<api.FieldInput> = [
  { field_type: "single_text", config: { label: "Title", required: true } },
  { field_type: "number", config: { label: "Weight", settings: { decimals: 1, unit: "kg" } } }
]
const app = await done(api.appsCreate({ body: { workspace_id: workspaces[0]!.workspace_id, name: "Parcels", fields } }))
const path = { app_id: app.app_id }
const weightField = app.fields.find((field) => field.field_type === "number")!

const weightOf = (record: api.WrittenRecord): number | undefined => {
  assert.ok("fields" in record)
  for (const field of record.fields) if (field.field_type === "number") return field.values[0]?.value
  return undefined
}

const created = await done(
  api.recordsCreate({
    path,
    headers: { "Idempotency-Key": "parcel-1" },
    body: { fields: { title: "Crate", weight: 411.5 } }
  })
)
assert.equal(weightOf(created), 411.5)
const { record_id } = created
const updated = await done(
  api.recordsUpdate({ path: { record_id }, headers: { "If-Match": "0" }, body: { fields: { weight: 412 } } })
)
assert.equal(weightOf(updated), 412)

const page = await done(api.listingsOfApp({ path, query: { limit: 10 } }))
assert.deepEqual([page.total, page.records[0]?.record_id], [1, record_id])

const hook = await done(
  api.webhooksCreate({ path, body: { type: "record.update", url: "https://app.example.com/hooks" } })
)
assert.equal(hook.status, "inactive")

const weight: api.Reference = {
  kind: "variable",
  source: "field",
  field_id: weightField.field_id,
  field_type: "number"
}
const { automation } = await done(
  api.automationsCreate({
    path,
    body: {
      name: "Remark on heavy parcels",
      trigger: { type: "record_updated", config: {} },
      filter: {
        operator: "and",
        rows: [{ subject: weight, operator: "greater_than", value: { type: "number", number: ["300"] } }]
      },
      actions: [{ type: "current_record_comment_create", config: { comment_content: ["Heavy: ", weight] } }]
    }
  })
)
const onAutomation = { automation_id: automation.id }
await done(api.automationsActivate({ path: onAutomation }))
await done(api.automationRunsManualRun({ path: onAutomation, body: { record_id } }))

const until = Date.now() + 60_000
for (;;) {
  const { automation_runs } = await done(api.automationRunsListAutomation({ path: { id: automation.id }, body: {} }))
  if (automation_runs[0]?.status === "completed") break
  assert.ok(Date.now() < until, `the run is ${automation_runs[0]?.status}`)
  await new Promise((resolve) => setTimeout(resolve, 200))
}

const { error } = await api.recordsGet({ path: { record_id: 999_999_999 } })
assert.ok(error !== undefined && error.error_code === "record_not_exists")
console.log("done")

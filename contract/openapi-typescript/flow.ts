// The guide's flow with the types of openapi-typescript, over openapi-fetch.
import assert from "node:assert/strict"
import createClient from "openapi-fetch"
import type { components, paths } from "./generated.js"

type Schemas = components["schemas"]

const client = createClient<paths>({
  baseUrl: process.env["MILLRACE_URL"]!,
  headers: { authorization: `Bearer ${process.env["MILLRACE_TOKEN"]}` }
})

/** The answer, or the error as its type says. */
const done = async <A, E extends Schemas["DevApiError"]>(call: Promise<{ data?: A; error?: E }>): Promise<A> => {
  const { data, error } = await call
  if (data === undefined) throw new Error(`${error?.error_code}: ${error?.error_message}`)
  return data
}

const { workspaces } = await done(client.GET("/v1/workspace/org"))

const fields: Array<Schemas["FieldInput"]> = [
  { field_type: "single_text", config: { label: "Title", required: true } },
  { field_type: "number", config: { label: "Weight", settings: { decimals: 1, unit: "kg" } } },
  {
    field_type: "status",
    config: {
      label: "State",
      required: true,
      settings: {
        options: [
          { text: "Open", means_completed: false },
          { text: "Done", means_completed: true }
        ]
      }
    }
  }
]
const app = await done(
  client.POST("/v1/app", { body: { workspace_id: workspaces[0]!.workspace_id, name: "Parcels", fields } })
)
const params = { path: { app_id: app.app_id } }
const weightField = app.fields.find((field) => field.field_type === "number")!
const state = app.fields.find((field) => field.field_type === "status")
assert.equal(weightField.config.settings.unit, "kg")
assert.equal(state?.config.settings.options[1]?.means_completed, true)

const weightOf = ({ fields }: Schemas["AppRecord"]): number | undefined => {
  for (const field of fields) if (field.field_type === "number") return field.values[0]?.value
  return undefined
}
const whole = (record: Schemas["WrittenRecord"]): Schemas["AppRecord"] => {
  assert.ok("fields" in record)
  return record
}

const created = whole(
  await done(
    client.POST("/v1/record/app/{app_id}", {
      params: { ...params, header: { "Idempotency-Key": "parcel-1" } },
      body: { fields: { title: "Crate", weight: 411.5, state: "Open" } }
    })
  )
)
assert.equal(weightOf(created), 411.5)

const onRecord = { path: { record_id: created.record_id } }
const updated = whole(
  await done(
    client.PUT("/v1/record/{record_id}", {
      params: { ...onRecord, header: { "If-Match": String(created.revision) } },
      body: { fields: { weight: 412 } }
    })
  )
)
assert.equal(weightOf(updated), 412)

const heavy: Schemas["RecordFilter"] = {
  field_id: weightField.field_id,
  type: "number",
  match_type: "larger",
  values: [{ value: 400 }]
}
const page = await done(client.POST("/v1/record/filter/app/{app_id}", { params, body: { filters: [heavy] } }))
assert.deepEqual([page.total, page.records[0]?.record_id], [1, created.record_id])
const listed = await done(client.GET("/v1/record/app/{app_id}", { params: { ...params, query: { limit: 10 } } }))
assert.equal(listed.total, 1)

const hook = await done(
  client.POST("/v1/hook/app/{app_id}", {
    params,
    body: { type: "record.update", url: "https://app.example.com/hooks" }
  })
)
assert.equal(hook.status, "inactive")

const weight: Schemas["Reference"] = {
  kind: "variable",
  source: "field",
  field_id: weightField.field_id,
  field_type: "number"
}
const { automation } = await done(
  client.POST("/v1/automation/app/{app_id}", {
    params,
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
assert.equal(automation.actions[0]?.type, "current_record_comment_create")
const onAutomation = { path: { automation_id: automation.id } }
await done(client.POST("/v1/automation/{automation_id}/activate", { params: onAutomation }))
await done(
  client.POST("/v1/automation/{automation_id}/manual-run", {
    params: onAutomation,
    body: { record_id: created.record_id }
  })
)

const until = Date.now() + 60_000
for (;;) {
  const { automation_runs } = await done(
    client.POST("/v1/automation-run/automation/{id}", { params: { path: { id: automation.id } }, body: {} })
  )
  if (automation_runs[0]?.status === "completed") break
  assert.ok(Date.now() < until, `the run is ${automation_runs[0]?.status}`)
  await new Promise((resolve) => setTimeout(resolve, 200))
}

const missing = await client.GET("/v1/record/{record_id}", { params: { path: { record_id: 999_999_999 } } })
assert.equal(missing.error?.error_code, "record_not_exists")
console.log("done")

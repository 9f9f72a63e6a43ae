// Two related apps and automations run by hand on one of their records: effect, log and error path of each action.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeSealed } from "../../../../src/domain/automations/model/sealedValues.ts"
import { App } from "../../../support/app.ts"
import { runsOver } from "../runSupport.ts"
import { makeApp, seedApp } from "../support.ts"

const options = (...texts: ReadonlyArray<string>) => texts.map((text) => ({ text, color: "gray" }))

const everyField = [
  { field_type: "single_text", config: { label: "Name" } },
  { field_type: "multi_text", config: { label: "Notes" } },
  { field_type: "number", config: { label: "Amount", settings: { decimals: 2, unit: "kg" } } },
  { field_type: "single_category", config: { label: "Kind", settings: { options: options("Small", "Large") } } },
  { field_type: "multi_category", config: { label: "Tags", settings: { options: options("Red", "Blue", "Green") } } },
  {
    field_type: "status",
    config: {
      label: "State",
      required: true,
      settings: {
        options: [
          { text: "Open", color: "gray", means_completed: false },
          { text: "Done", color: "green", means_completed: true }
        ]
      }
    }
  },
  { field_type: "single_date", config: { label: "Due", settings: { time: "enabled" } } },
  { field_type: "range_date", config: { label: "Stay", settings: { time: "enabled", end: "enabled" } } },
  { field_type: "single_user", config: { label: "Owner" } },
  { field_type: "multi_user", config: { label: "Team" } },
  { field_type: "checklist", config: { label: "List" } },
  { field_type: "multi_email", config: { label: "Mails" } },
  { field_type: "multi_phone", config: { label: "Phones" } },
  { field_type: "multi_link", config: { label: "Links" } },
  { field_type: "single_location", config: { label: "Place" } },
  { field_type: "single_attachment", config: { label: "Paper" } },
  { field_type: "multi_attachment", config: { label: "Papers" } },
  { field_type: "multi_image", config: { label: "Pictures" } },
  { field_type: "unique_id", config: { label: "Number", settings: { prefix: "N-", min_digits: 3 } } }
]

export interface World {
  readonly token: string
  readonly orgId: number
  readonly owner: { readonly userId: number; readonly key: string }
  readonly workspaceId: number
  /** Orders: every kind of field. */
  readonly appId: number
  readonly fields: Record<string, number>
  readonly options: Record<string, ReadonlyArray<number>>
  /** Items, which point to orders. */
  readonly items: { readonly appId: number; readonly fields: Record<string, number> }
}

export const seedWorld = Effect.gen(function* () {
  const orders = yield* seedApp(everyField)
  const referenced_apps = [{ app_id: orders.appId }]
  const items = yield* makeApp(orders.token, orders.workspaceId, [
    { field_type: "single_text", config: { label: "Title" } },
    { field_type: "number", config: { label: "Pieces" } },
    { field_type: "single_date", config: { label: "Made" } },
    { field_type: "single_relation", config: { label: "Order", settings: { referenced_apps } } },
    { field_type: "multi_relation", config: { label: "Others", settings: { referenced_apps } } }
  ])
  return { ...orders, items } as World
})

/** A reference to a field of orders. */
export const ref = (world: World, slug: string, more: object = {}) => ({
  kind: "variable",
  source: "field",
  field_id: world.fields[slug]!,
  field_type: typeOf(slug),
  ...more
})
const typeOf = (slug: string) => everyField.find((field) => field.config.label.toLowerCase() === slug)!.field_type
const itemTypes: Record<string, string> = {
  title: "single_text",
  pieces: "number",
  made: "single_date",
  order: "single_relation",
  others: "multi_relation"
}
export const itemRef = (world: World, slug: string, more: object = {}) => ({
  kind: "variable",
  source: "field",
  field_id: world.items.fields[slug]!,
  field_type: itemTypes[slug],
  ...more
})
export const meta = (meta_type: string, more: object = {}) => ({ kind: "variable", source: "meta", meta_type, ...more })
export const custom = (label: string, custom_type = "any") => ({
  kind: "variable",
  source: "custom",
  custom_type,
  label
})
export const collection = (app_id?: number) => ({
  kind: "variable",
  source: "action",
  action_type: "record_collection",
  ...(app_id === undefined ? {} : { app_id })
})
export const created = (more: object = {}) => ({
  kind: "variable",
  source: "action",
  action_type: "created_record",
  ...more
})

export const assignTo = (variable_def: object, field_value: unknown) => ({
  field_type: (variable_def as any).field_type,
  variable_def,
  assignment_type: "set",
  field_value
})
export const assignCode = (variable_def: object, code: unknown) => ({
  field_type: (variable_def as any).field_type,
  variable_def,
  assignment_type: "set_code",
  code
})
export const update = (...field_assignments: ReadonlyArray<object>) => ({
  type: "current_record_update",
  config: { field_assignments, trigger_other_flows: false }
})
/** Shows a value: `variable` is what the code gives. */
export const compute = (label: string, ...assignment_code: ReadonlyArray<unknown>) => ({
  type: "custom_variable",
  config: { assignment_code, custom_variable_defs: [{ custom_type: "any", label }] }
})
export const where = (subject: object, operator: string, value?: object) => ({
  operator: "and",
  rows: [{ subject, operator, ...(value === undefined ? {} : { value }) }]
})

export const record = Effect.fnUntraced(function* (token: string, appId: number, fields: object) {
  const app = yield* App
  const creation = yield* app.call("POST", `/v1/record/app/${appId}?workflow=false`, { token, body: { fields } })
  assert.strictEqual(creation.status, 200, creation.text)
  return creation.json.record_id as number
})
export const order = (world: World, fields: object = {}) =>
  record(world.token, world.appId, { state: world.options["state"]![0], ...fields })
export const item = (world: World, fields: object) => record(world.token, world.items.appId, fields)

/** The values of a record's fields by slug, as the API shows them. */
export const shown = Effect.fnUntraced(function* (token: string, recordId: number) {
  const app = yield* App
  const read = yield* app.call("GET", `/v1/record/${recordId}?include_deleted=true`, { token })
  assert.strictEqual(read.status, 200, read.text)
  const values: Record<string, any> = Object.fromEntries(
    read.json.fields.map((field: any) => [field.external_id, field.values])
  )
  return { ...read.json, values }
})

/** Uploads files; answers their temporary ids. */
export const upload = Effect.fnUntraced(function* (
  token: string,
  files: ReadonlyArray<{ readonly name: string; readonly type?: string }>
) {
  const app = yield* App
  const ids: Array<string> = []
  for (const { name, type = "text/plain" } of files) {
    const form = new FormData()
    form.append("file", new Blob([`content of ${name}`], { type }), name)
    const headers = { authorization: `Bearer ${token}` }
    const request = new Request("http://127.0.0.1:8080/v1/file/upload", { method: "POST", body: form, headers })
    const response = yield* app.fetch(request)
    const json: any = yield* Effect.promise(() => response.json())
    assert.strictEqual(response.status, 200, JSON.stringify(json))
    ids.push(json.file_id)
  }
  return ids
})

export interface RunOptions {
  readonly trigger?: object
  readonly filter?: object | null
  readonly timezone?: string
  readonly appId?: number
  readonly simulate?: boolean
  readonly body?: object
}

/** Makes an automation of the steps, runs it by hand and answers its run with what it left. */
export const runSteps = Effect.fnUntraced(function* (
  world: World,
  recordId: number | null,
  actions: ReadonlyArray<object>,
  { appId = world.appId, body, filter = null, simulate = false, timezone = "UTC", trigger }: RunOptions = {}
) {
  const app = yield* App
  const sql = yield* SqlClient.SqlClient
  const { token } = world
  const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, {
    token,
    body: { name: "Steps", trigger: trigger ?? { type: "record_created", config: {} }, filter, actions, timezone }
  })
  assert.strictEqual(creation.status, 201, creation.text)
  const id = creation.json.automation.id as number
  const runAnswer = yield* app.call("POST", `/v1/automation/${id}/${simulate ? "simulate" : "manual-run"}`, {
    token,
    body: body ?? (recordId === null ? {} : { record_id: recordId })
  })
  assert.strictEqual(runAnswer.status, 202, runAnswer.text)
  const [run] = yield* runsOver(id)
  // What holds a weblink is stored encrypted (decisions O9).
  const { open } = yield* makeSealed
  const rows = yield* Effect.flatMap(
    sql<{ label: string; value: any }>`
      SELECT label, value FROM run_variables WHERE run_id = ${run!.run_id}::bigint`,
    (stored) =>
      Effect.forEach(stored, ({ label, value }) => Effect.map(open(value), (it) => ({ label, value: it as any })))
  )
  const outputs = yield* sql<{ type: string; app_id: number; output: any }>`
    SELECT type, app_id, output FROM run_outputs WHERE run_id = ${run!.run_id}::bigint`
  return {
    ...run!,
    automationId: id,
    actions: creation.json.automation.actions as ReadonlyArray<any>,
    variables: Object.fromEntries(rows.map(({ label, value }) => [label, value])) as Record<string, any>,
    collections: Object.fromEntries(
      outputs.filter((row) => row.type === "record_collection").map((row) => [row.app_id, row.output.record_ids])
    ) as Record<string, ReadonlyArray<number>>,
    steps: run!.logs.filter((log: any) => log.type === "action") as ReadonlyArray<any>
  }
})

export const completed = (run: {
  readonly status: string
  readonly error_message: string | null
  readonly logs: unknown
}) => assert.strictEqual(run.status, "completed", `${run.error_message} ${JSON.stringify(run.logs)}`)

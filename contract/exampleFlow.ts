// Every operation of the API once, in an order in which each finds what it needs: the calls from which the examples of the description are
// recorded. A call is named by its operation; the last of each is its example.
import { Effect } from "effect"

type Json = any

interface Sent {
  readonly body?: unknown
  readonly query?: string
}

/** @param params by the names of the path's parameters */
export type Call = (
  operation: string,
  params?: Readonly<Record<string, unknown>>,
  sent?: Sent
) => Effect.Effect<Json, Error>

/** What the calls themselves cannot do: wait, and see what was sent to the address. */
export interface Stage {
  readonly call: Call
  /** As a signed-in page. */
  readonly page: Call
  /** Calls until the answer is as wanted. */
  readonly until: (wanted: (answer: Json) => boolean, ...call: Parameters<Call>) => Effect.Effect<Json, Error>
  readonly upload: Effect.Effect<Json, Error>
  /** Uploads a CSV file. */
  readonly uploadRows: (csv: string) => Effect.Effect<Json, Error>
  /** An app that the owner has connected: its client ID. */
  readonly connected: Effect.Effect<string, Error>
  readonly hookUrl: string
  /** Gives tokens to every client. */
  readonly tokenUrl: string
  readonly mailServer: { readonly host: string; readonly port: number }
  readonly sentCode: Effect.Effect<string, Error>
}

const text = (label: string, required = false) => ({ field_type: "single_text", config: { label, required } })
const reference = (field_id: number, field_type: string) => ({
  kind: "variable",
  source: "field",
  field_id,
  field_type
})

const administration = Effect.fnUntraced(function* ({ call, connected }: Stage) {
  const client_id = yield* connected
  yield* call("connections.organization")
  const { connections } = yield* call("connections.own")
  yield* call("appPolicy.apps")
  yield* call("appPolicy.setMode", {}, { body: { mode: "all" } })
  yield* call("appPolicy.setAccess", {}, { body: { client_id, access: "everyone" } })
  const { user_id } = connections[0]
  yield* call("appPolicy.setUserBlock", {}, { body: { client_id, user_id, blocked: false } })
  yield* call("connections.end", { connection_id: connections[0].connection_id })
  yield* connected
  yield* call("connections.endAll", {}, { body: { client_id, of: "organization" } })
  yield* call("audit.list", {}, { query: "event=connection&limit=2" })
})

const providers = Effect.fnUntraced(function* ({ call, mailServer, tokenUrl }: Stage) {
  const account = { username: "harbor", password: "secret", from_address: "harbor@example.com", security: "none" }
  const allowed = "all"
  const { smtp_account_id } = yield* call(
    "mailAccounts.create",
    {},
    { body: { name: "Harbor mail", ...mailServer, ...account, allowed } }
  )
  yield* call("mailAccounts.list")
  yield* call("mailAccounts.update", { smtp_account_id }, { body: { from_name: "Harbor Works" } })
  yield* call("mailAccounts.try", { smtp_account_id })
  yield* call("mailAccounts.uses", { smtp_account_id })
  yield* call("mailAccounts.remove", { smtp_account_id })
  const client = { grant_type: "client_credentials", client_id: "harbor", client_secret: "secret" }
  const { authentication_provider_id } = yield* call(
    "authenticationProviders.create",
    {},
    { body: { name: "Port authority", token_url: tokenUrl, ...client, allowed } }
  )
  yield* call("authenticationProviders.update", { authentication_provider_id }, { body: { scope: "berths" } })
  yield* call("authenticationProviders.try", { authentication_provider_id })
  yield* call("authenticationProviders.list")
  yield* call("authenticationProviders.uses", { authentication_provider_id })
  yield* call("authenticationProviders.remove", { authentication_provider_id })
})

const organization = Effect.fnUntraced(function* (stage: Stage) {
  const { call, page } = stage
  yield* call("accounts.me")
  const { sessions } = yield* page("accounts.sessions")
  const other = sessions.find(({ current }: Json) => !current)
  yield* page("accounts.sessionEnd", { session_id: other.session_id })
  yield* page("accounts.sessionEndOthers")
  yield* administration(stage)
  yield* providers(stage)
  yield* call("accounts.organization")
  const body = { name: "Member", email: "member@example.com", role: "member" }
  const { user_id } = yield* call("accounts.userCreate", {}, { body })
  yield* call("accounts.userInvite", { user_id })
  yield* call("accounts.userInvitationWithdraw", { user_id })
  yield* call("accounts.users")
  yield* call("accounts.userUpdate", { user_id }, { body: { job_description: "Dispatch" } })
  const made = yield* call("workspaces.create", {}, { body: { name: "Logistics", type: "open" } })
  const workspace_id: number = made.workspace_id
  yield* call("workspaces.list")
  yield* call("workspaces.get", { workspace_id })
  yield* call("workspaces.update", { workspace_id }, { body: { description: "Everything that moves" } })
  yield* call("workspaces.memberPut", { workspace_id }, { body: { user_id, role: "member" } })
  yield* call("workspaces.members", { workspace_id })
  yield* call("workspaces.memberRemove", { workspace_id, user_id })
  yield* call("accounts.userRemove", { user_id })
  return workspace_id
})

const apps = Effect.fnUntraced(function* ({ call }: Stage, workspace_id: number) {
  const carriers = yield* call(
    "apps.create",
    {},
    { body: { workspace_id, name: "Carriers", item_name: "Carrier", fields: [text("Name", true)] } }
  )
  const options = [
    { text: "Planned", color: "gray", means_completed: false },
    { text: "Delivered", color: "green", means_completed: true }
  ]
  const related = { referenced_apps: [{ app_id: carriers.app_id }] }
  const fields = [
    { field_type: "single_text", config: { label: "Reference", required: true, unique: true } },
    { field_type: "number", config: { label: "Weight", settings: { decimals: 1, unit: "kg" } } },
    { field_type: "status", config: { label: "State", required: true, settings: { options } } },
    { field_type: "single_relation", config: { label: "Carrier", settings: related } },
    { field_type: "single_date", config: { label: "Due" } },
    { field_type: "multi_attachment", config: { label: "Papers" } }
  ]
  const app = yield* call(
    "apps.create",
    {},
    { body: { workspace_id, name: "Deliveries", item_name: "Delivery", fields } }
  )
  const app_id: number = app.app_id
  yield* call("apps.list")
  yield* call("apps.listOfWorkspace", { workspace_id })
  yield* call("apps.get", { app_id })
  yield* call("usage.ofApp", { app_id })
  yield* call("apps.update", { app_id }, { body: { description: "What is on its way", fields: [text("Remark")] } })
  const order = app.fields.map(({ field_id }: Json) => ({ field_id }))
  yield* call("apps.reorder", { app_id }, { body: { fields: order } })
  const fieldId = (slug: string): number => app.fields.find((field: Json) => field.slug === slug).field_id
  const converted = { field_type: "number", config: { settings: { decimals: 1 } }, dry_run: true }
  yield* call("apps.convertField", { field_id: fieldId("reference") }, { body: converted })
  return { app_id, carriers: carriers.app_id as number, fieldId }
})
type Apps = Effect.Success<ReturnType<typeof apps>>

const views = Effect.fnUntraced(function* ({ call }: Stage, { app_id, fieldId }: Apps) {
  const filters = [{ field_id: fieldId("weight"), type: "number", match_type: "larger", values: [{ value: 300 }] }]
  const columns = [
    { field_id: fieldId("weight"), width: 120 },
    { field_id: fieldId("carrier"), hidden: true }
  ]
  const viewLook = { columns, frozen: 1, group_by: fieldId("state") }
  const { view } = yield* call(
    "views.create",
    { app_id },
    { body: { name: "Heavy", layout: "table", filters, ...viewLook } }
  )
  const { view_id } = view
  const other = yield* call("views.create", { app_id }, { body: { name: "All", layout: "list" } })
  yield* call("views.list", { app_id })
  yield* call("views.get", { view_id })
  yield* call("views.update", { view_id }, { body: { sort_by: fieldId("weight"), sort_desc: true } })
  yield* call("views.makeDefault", { view_id })
  yield* call("usage.ofField", { field_id: fieldId("weight") })
  yield* call("views.remove", { view_id: other.view.view_id })
  return { filters, view_id: view_id as number }
})

const records = Effect.fnUntraced(function* (stage: Stage, { app_id, carriers, fieldId }: Apps, view_id: number) {
  const { call, upload, uploadRows } = stage
  const carrier = yield* call("records.create", { app_id: carriers }, { body: { fields: { name: "Harbor Line" } } })
  const file = yield* upload
  const fields = {
    reference: "DLV-0014",
    weight: 412.5,
    state: "Planned",
    carrier: carrier.record_id,
    due: "2026-04-01",
    papers: [file.file_id]
  }
  const { record_id } = yield* call("records.create", { app_id }, { body: { fields } })
  const shown = yield* call("records.get", { record_id })
  const papers = shown.fields.find((field: Json) => field.external_id === "papers")
  yield* call("files.get", { file_id: papers.values[0].value.id })
  yield* call("records.update", { record_id }, { body: { fields: { weight: 413, state: "Delivered" } } })
  yield* call("records.revisions", { record_id })
  yield* call("records.revisionDelta", { record_id, revision: 1 })
  yield* call("records.revisionAt", { record_id, revision: 0 })
  yield* call("listings.ofApp", { app_id }, { query: "limit=10&sort_by=weight&sort_desc=true" })
  yield* call("listings.ofView", { view_id })
  yield* call("listings.viewGroups", { view_id }, { query: "group_by=state" })
  const related = { recordIds: [record_id], direction: "forward" }
  yield* call("listings.related", { app_id, ref_app_id: carriers }, { body: related })
  yield* call("listings.find", { field_id: fieldId("carrier") }, { query: "text=Harbor" })
  yield* call("listings.match", { field_id: fieldId("carrier") }, { body: { texts: ["Harbor Line", "Nobody"] } })
  const inputs = ["DLV-0015", "DLV-0016"].map((name) => ({ fields: { reference: name, state: "Planned" } }))
  const batch = yield* call("batch.create", { app_id }, { body: { inputs } })
  const ids: ReadonlyArray<number> = batch.records.map((record: Json) => record.record_id)
  const changes = ids.map((id) => ({ record_id: id, fields: { weight: 20 } }))
  yield* call("batch.update", { app_id }, { body: { inputs: changes } })
  const upserts = [
    { fields: { reference: "DLV-0015", weight: 21 } },
    { fields: { reference: "DLV-0017", state: "Planned" } }
  ]
  yield* call("batch.upsert", { app_id }, { body: { match: [fieldId("reference")], records: upserts } })
  yield* call("batch.remove", { app_id }, { body: { record_ids: [ids[1]] } })
  const csv = yield* uploadRows('Reference,Weight,State\nDLV-0018,"1,200.5",PLANNED\nDLV-0015,heavy,\n')
  const wanted = { file_id: csv.file_id, update_by: [fieldId("reference")] }
  yield* call("imports.preview", { app_id }, { body: wanted })
  yield* call("imports.begin", { app_id }, { body: wanted })
  yield* call("records.remove", { record_id: ids[0] })
  yield* call("listings.trash", { app_id })
  yield* call("records.restore", { record_id: ids[0] })
  return record_id as number
})

const comments = Effect.fnUntraced(function* ({ call }: Stage, record_id: number) {
  const { comment_id } = yield* call("comments.create", { record_id }, { body: { value: "Leaves at noon." } })
  yield* call("comments.list", { record_id })
  yield* call("comments.get", { comment_id })
  yield* call("comments.edit", { comment_id }, { body: { value: "Leaves at one." } })
  const { reply_id } = yield* call("comments.reply", { comment_id }, { body: { value: "The pier is ready." } })
  yield* call("comments.replies", { comment_id })
  yield* call("comments.getReply", { reply_id })
  yield* call("comments.editReply", { reply_id }, { body: { value: "Pier 4 is ready." } })
  yield* call("comments.removeReply", { reply_id })
  yield* call("comments.remove", { comment_id })
})

const hooks = Effect.fnUntraced(function* (stage: Stage, app_id: number, record_id: number, filter: unknown) {
  const { call, hookUrl, sentCode, until } = stage
  const { hook_id } = yield* call("webhooks.create", { app_id }, { body: { type: "record.update", url: hookUrl } })
  yield* call("webhooks.list", { app_id })
  yield* call("webhooks.get", { hook_id })
  yield* call("webhooks.update", { hook_id }, { body: { type: "record.update" } })
  yield* call("webhooks.settings", { hook_id })
  yield* call("webhooks.settingsUpdate", { hook_id }, { body: { description: "North pier", filter } })
  yield* call("webhooks.verifyRequest", { hook_id })
  const code = yield* sentCode
  yield* until(({ attempts }) => attempts.length > 0, "webhooks.verification", { hook_id })
  yield* call("webhooks.verifyValidate", { hook_id }, { body: { code } })
  yield* call("webhooks.secret", { hook_id })
  yield* call("webhooks.secretRotate", { hook_id }, { body: { overlap_seconds: 3600 } })
  yield* call("webhooks.test", { hook_id }, { body: {} })
  yield* call("webhooks.samples", { hook_id })
  yield* call("records.update", { record_id }, { body: { fields: { weight: 420 } } })
  const { deliveries } = yield* until(
    ({ deliveries }) => deliveries[0]?.status === "delivered",
    "webhooks.deliveries",
    { hook_id }
  )
  const { delivery_id } = deliveries[0]
  yield* call("webhooks.delivery", { delivery_id })
  yield* call("webhooks.deliveryReplay", { delivery_id })
  const since = { since: "2026-01-01 00:00:00", status: ["delivered"], per_minute: 1 }
  const { replay_id } = yield* call("webhooks.replay", { hook_id }, { body: since })
  yield* call("webhookLog.replays", { hook_id })
  yield* call("webhookLog.replay", { replay_id })
  yield* call("webhookLog.replayCancel", { replay_id })
  for (const operation of ["export", "statistics"]) yield* call(`webhookLog.${operation}`, { hook_id })
  yield* call("webhookLog.statisticsOfApp", { app_id })
  yield* call("webhookLog.statisticsOfOrganization")
  yield* call("webhooks.remove", { hook_id })
})

const automations = Effect.fnUntraced(function* (
  stage: Stage,
  { app_id, fieldId }: Apps,
  workspace_id: number,
  record_id: number,
  filter: unknown
) {
  const { call, until } = stage
  for (const operation of ["actions", "triggers", "script"]) yield* call(`automationMeta.${operation}`)
  yield* call("automationMeta.filter", {}, { query: "field_type=number" })
  const remark = {
    id: "remark",
    type: "current_record_comment_create",
    config: { comment_content: ["Heavy: ", reference(fieldId("weight"), "number")] }
  }
  const body = {
    name: "Remark on heavy deliveries",
    trigger: { type: "record_created", config: {} },
    filter,
    actions: [remark],
    tags: ["Dispatch"]
  }
  const { automation } = yield* call("automations.create", { app_id }, { body })
  const automation_id: number = automation.id
  yield* call("automations.listApp", { app_id })
  yield* call("automations.listWorkspace", { workspace_id })
  yield* call("automations.listOrg")
  yield* call("automations.listTags")
  yield* call("automations.get", { automation_id })
  yield* call("automations.update", { automation_id }, { body: { description: "For the dispatch" } })
  const config = { trigger_on_changes_field_ids: [fieldId("weight")] }
  yield* call("automations.setTrigger", { automation_id }, { body: { type: "record_updated", config } })
  yield* call("automations.validate", { automation_id })
  const weekly = { schedule_type: "weekly", week_days: ["monday"], time_of_day: "08:00", ends_at: "2099-01-01 00:00" }
  yield* call("automations.previewSchedule", {}, { body: { config: weekly, timezone: "Europe/Vienna" } })
  yield* call("automations.activate", { automation_id })
  const { revisions } = yield* call("automations.revisions", { automation_id })
  const [to, from] = [revisions[0].id, revisions.at(-1).id]
  yield* call("automations.revision", { automation_id, revision_id: to })
  yield* call("automations.revisionDiff", { automation_id, from_id: from, to_id: to })

  const runsOf = (id: number, wanted: (runs: ReadonlyArray<Json>) => boolean) =>
    until(({ automation_runs }) => wanted(automation_runs), "automationRuns.listAutomation", { id }, { body: {} })
  const over = (runs: ReadonlyArray<Json>) => runs.every((run) => run.status === "completed")
  yield* call("automationRuns.simulate", { automation_id }, { body: { record_id } })
  yield* call("automationRuns.manualRun", { automation_id }, { body: { record_id } })
  yield* call("automationRuns.testStep", { automation_id }, { body: { action_id: "remark", record_id } })
  const { automation_runs } = yield* runsOf(automation_id, (runs) => runs.length === 3 && over(runs))
  const [last, , first] = automation_runs
  yield* call("automationRuns.list", {}, { body: { status: "completed", record_ids: [record_id] } })
  yield* call("automationRuns.listApp", { id: app_id }, { body: { limit: 10 } })
  yield* call("automationRuns.listWorkspace", { id: workspace_id }, { body: { limit: 10 } })
  yield* call("automationRuns.summary", {}, { body: { automation_ids: [automation_id] } })
  yield* call("automationRuns.get", { run_id: first.id })
  yield* call("automationRuns.log", { run_id: first.id }, { query: "limit=20" })
  yield* call("automationRuns.diff", { run_id: first.id, other_run_id: last.id })
  yield* call("automations.restore", { automation_id, revision_id: from })
  const { file } = yield* call("automations.portable", { automation_id })
  yield* call("automations.import", {}, { body: { file, dry_run: true } })
  yield* call("automations.pause", { automation_id })
  yield* call("automations.duplicate", { automation_id }, { body: { name: "Remark on heavy deliveries, copy" } })

  const waiting = [{ id: "wait", type: "delay", config: { delay_ms: 3_600_000 } }]
  const called = Effect.fnUntraced(function* (name: string, actions: ReadonlyArray<unknown>) {
    const trigger = { type: "automation_called", config: {} }
    const made = yield* call("automations.create", { app_id }, { body: { name, trigger, actions } })
    yield* call("automations.activate", { automation_id: made.automation.id })
    return made.automation.id as number
  })
  const pallets = {
    kind: "variable",
    source: "trigger",
    trigger_type: "webhook_payload_property",
    key_path: ["pallets"]
  }
  const inside = [{ id: "look", type: "collect_app_records", config: { app_id, limit: 1 } }]
  const each = { id: "each", type: "for_loop", config: { iterable: pallets, action_rows: inside } }
  const received = { type: "webhook_received", config: {} }
  const looping = yield* call(
    "automations.create",
    { app_id },
    { body: { name: "Pallets", trigger: received, actions: [each] } }
  )
  yield* call("automations.activate", { automation_id: looping.automation.id })
  const payload = { webhook_payload: { pallets: ["first", "second"] } }
  yield* call("automationRuns.manualRun", { automation_id: looping.automation.id }, { body: payload })
  const looped = yield* runsOf(looping.automation.id, (runs) => runs.length === 1 && over(runs))
  const run_id = looped.automation_runs[0].id
  yield* call("automationRuns.loops", { run_id })
  yield* call("automationRuns.loopItems", { run_id, action_id: "each" })
  const slow = yield* called("Wait an hour", waiting)
  yield* call("automationRuns.call", { automation_id: slow }, { body: { trigger_on_record_id: record_id } })
  yield* call("automationRuns.callDeprecated", { automation_id: slow }, { body: { trigger_on_record_id: record_id } })
  const open = yield* runsOf(slow, (runs) => runs.length === 2)
  yield* call("automationRuns.cancel", { run_id: open.automation_runs[0].id })
  yield* runsOf(slow, (runs) => runs[0].status === "cancelled")
  yield* call("automationRuns.retry", { run_id: open.automation_runs[0].id }, { body: { from: "start" } })
  const selection = { automation_ids: [slow] }
  const { job_id } = yield* call("automationRuns.cancelMany", {}, { body: { ...selection, status: "running" } })
  yield* call("automationRuns.retryMany", {}, { body: { ...selection, from: "start" } })
  // A worker may have ended it within the moment.
  yield* Effect.retry(
    Effect.flatMap(
      call("automationRuns.deleteMany", {}, { body: { ...selection, created_at_to: "2000-01-01" } }),
      (job) => call("jobs.cancel", job)
    ),
    { times: 5 }
  )
  yield* until(({ status }) => status === "completed", "jobs.get", { job_id })
  yield* call("jobs.list", {}, { query: "limit=2" })
  const link = yield* call(
    "automations.create",
    { app_id },
    {
      body: { name: "By a link", trigger: { type: "weblink_clicked", config: {} }, actions: [] }
    }
  )
  const weblink = { trigger_workflow_def_id: link.automation.id, trigger_on_record_id: record_id }
  for (const operation of ["weblink", "weblinkDeprecated"])
    yield* call(`automationRuns.${operation}`, {}, { body: { ...weblink, expiration_type: "ONE_WEEK" } })
  yield* call("home.summary")
  yield* call("search.find", {}, { query: "q=link&kinds=automation,app" })
  yield* call("usage.ofOrganization")
  yield* call("automations.remove", { automation_id })
})

const secrets = Effect.fnUntraced(function* ({ call }: Stage, workspace_id: number, app_id: number) {
  const body = { name: "carrier_key", value: "a value that nobody reads back", description: "Of the carrier's API" }
  const { secret_id } = yield* call(
    "secrets.organizationCreate",
    {},
    { body: { ...body, allowed: { workspace_ids: [workspace_id] } } }
  )
  yield* call("secrets.organizationList")
  yield* call("secrets.workspaceCreate", { workspace_id }, { body })
  yield* call("secrets.workspaceList", { workspace_id })
  yield* call("secrets.appCreate", { app_id }, { body })
  yield* call("secrets.appList", { app_id })
  yield* call("secrets.get", { secret_id })
  yield* call("secrets.update", { secret_id }, { body: { description: "Renewed each spring" } })
  yield* call("secrets.remove", { secret_id })
})

export const exampleFlow = Effect.fnUntraced(function* (stage: Stage) {
  const workspace_id = yield* organization(stage)
  const made = yield* apps(stage, workspace_id)
  const { app_id, fieldId } = made
  const { filters, view_id } = yield* views(stage, made)
  const record_id = yield* records(stage, made, view_id)
  yield* stage.call("listings.filter", { app_id }, { body: { filters } })
  yield* stage.call("listings.groups", { app_id }, { body: { group_by: "weight", filters } })
  yield* comments(stage, record_id)
  const heavy = {
    operator: "and",
    rows: [
      {
        id: "heavy",
        subject: reference(fieldId("weight"), "number"),
        operator: "greater_than",
        value: { type: "number", number: ["300"] }
      }
    ]
  }
  yield* hooks(stage, app_id, record_id, heavy)
  yield* automations(stage, made, workspace_id, record_id, heavy)
  yield* secrets(stage, workspace_id, app_id)
  yield* stage.call("apps.remove", { app_id })
  yield* stage.call("workspaces.remove", { workspace_id })
})

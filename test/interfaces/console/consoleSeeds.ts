// What the console is looked at with: apps, records and comments, made through the API as anybody would.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hashToken, randomToken } from "../../../src/platform/sealing/Secrets.ts"
import { Scene } from "../pages/chromium.ts"

/** A user has one API key. */
const keys = new Map<string, string>()

/** Calls the API as the owner of the scene. */
export const callerOfScene = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { service, userId } = yield* Scene
  const name = `${service.origin} ${userId}`
  const key = keys.get(name) ?? randomToken("user_key_")
  if (!keys.has(name))
    yield* sql`
      INSERT INTO api_credentials (user_id, kind, token_hash, hint, created_on)
      VALUES (${userId}, 'user_api_key', ${hashToken(key)}, ${key.slice(-4)}, now())`
  keys.set(name, key)
  return (method: string, path: string, body?: object) =>
    Effect.promise(async (): Promise<any> => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      const bodyInit = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await fetch(`${service.origin}/v1${path}`, { method, headers, ...bodyInit })
      const answer = await response.json()
      if (!response.ok) throw new Error(JSON.stringify(answer))
      return answer
    })
})

export const field = (field_type: string, label: string, settings: object = {}, required = false) => ({
  field_type,
  config: { label, required, settings }
})

/** Two apps, the first with a field of most types. */
export const seedApps = Effect.gen(function* () {
  const call = yield* callerOfScene
  const { workspaces } = yield* call("GET", "/workspace/org")
  const { workspace_id } = workspaces[0]
  const ships = yield* call("POST", "/app", {
    workspace_id,
    name: "Ships",
    item_name: "Ship",
    description: "Every ship that calls at the harbor.",
    fields: [
      field("single_text", "Name"),
      field(
        "status",
        "State",
        {
          options: [
            { text: "Expected", color: "orange", means_completed: false },
            { text: "In port", color: "green", means_completed: true }
          ]
        },
        true
      ),
      field("number", "Length", { decimals: 1, unit: "m", unit_location: "suffix" }),
      field("single_date", "Arrives", { time: "enabled" }),
      field("multi_user", "Pilots"),
      field("multi_text", "Notes"),
      field("checklist", "On arrival"),
      field("multi_link", "Links")
    ]
  })
  yield* call("POST", "/app", {
    workspace_id,
    name: "Berths",
    item_name: "Berth",
    fields: [field("single_text", "Name")]
  })
  return { call, ships }
})

/** How many ships there are: more than a page of a listing. */
export const SHIPS = 240

/** Ships with a value in most fields; the first one has a conversation and a history. */
export const seedRecords = Effect.gen(function* () {
  const { call, ships } = yield* seedApps
  const { userId } = yield* Scene
  const [expected, inPort] = ships.fields[1].config.settings.options
  const input = (at: number) => ({
    fields: {
      name: `Ship ${String(at).padStart(3, "0")}`,
      state: at % 3 === 0 ? inPort.id : expected.id,
      length: 40 + at / 2,
      arrives: `2026-12-${String(1 + (at % 28)).padStart(2, "0")} 07:30`,
      ...(at % 5 === 0 ? { pilots: [userId] } : {}),
      notes: "<p>Ask for the <b>harbor master</b> at the gate.</p>",
      on_arrival: ["Weigh the load", { title: "Sign the papers", completed: true }],
      links: ["https://harbor.example/ships"]
    }
  })
  let lastRecord: any
  for (let from = 0; from < SHIPS; from += 40) {
    const inputs = Array.from({ length: 40 }, (_, at) => input(from + at))
    lastRecord = (yield* call("POST", `/record/app/batch/${ships.app_id}`, { inputs })).records[39]
  }
  const { comment_id } = yield* call("POST", `/comment/record/${lastRecord.record_id}`, {
    value: "Who brings the papers?"
  })
  yield* call("POST", `/comment/${comment_id}/reply`, { value: "I do, at eight." })
  yield* call("PUT", `/record/${lastRecord.record_id}`, { fields: { length: 200, name: "The Tern" } })
  return { call, ships, recordId: lastRecord.record_id as number }
})

/** Runs as a worker would leave them: one that failed, one that waits, one that is completed, which caused the one that waits. */
export const seedRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { call, ships } = yield* seedApps
  const { orgId } = yield* Scene
  const { app_id } = ships
  const [expected] = ships.fields[1].config.settings.options
  const fields = { name: "The Tern", state: expected.id }
  const { record_id } = yield* call("POST", `/record/app/${app_id}`, { fields })
  const { automation } = yield* call("POST", `/automation/app/${app_id}`, {
    name: "Tells the pier",
    trigger: { type: "record_created", config: {} },
    actions: []
  })
  let event = 0
  const run = Effect.fnUntraced(function* (status: string, more: Record<string, unknown> = {}) {
    const startedAt = new Date(Date.now() - 60_000)
    const [row] = yield* sql<{ run_id: number }>`
      INSERT INTO runs ${sql.insert({
        org_id: orgId,
        app_id,
        automation_id: automation.id,
        revision_id: 1,
        event_id: ++event,
        type: "regular",
        status,
        durable: false,
        depth: 0,
        chain: "{}",
        record_id,
        created_on: startedAt,
        started_on: startedAt,
        completed_on: status === "running" ? null : new Date(),
        ...more
      })} RETURNING run_id`
    yield* sql`INSERT INTO run_triggers (run_id, data) VALUES (${row!.run_id}, '{ "type": "record_created" }')`
    return row!.run_id
  })
  const log = (
    run_id: number,
    seq: number,
    type: string,
    status: string,
    label: string,
    message: string,
    detail = {}
  ) => sql`
    INSERT INTO run_logs ${sql.insert({
      run_id,
      seq,
      type,
      status,
      label,
      messages: JSON.stringify([{ message, level: status === "failure" ? "error" : "info" }]),
      action_id: type === "action" ? `step-${seq}` : null,
      record_id,
      detail: JSON.stringify(detail),
      logged_on: new Date()
    })}`
  yield* run("completed")
  const waitingRun = yield* run("running", { wait_why: "delay", wait_until: new Date(Date.now() + 3_600_000) })
  const failed = yield* run("failed", { failure_reason: "actions_failed", error_message: "The pier is shut." })
  yield* log(failed, 1, "trigger", "success", "Record created", "The Tern was created")
  yield* log(failed, 2, "action", "success", "Find the berth", "Berth 4", {
    inputs: { name: "The Tern" },
    outputs: { berth: 4 },
    duration_ms: 12,
    attempts: 1
  })
  yield* log(failed, 3, "action", "failure", "Tell the pier", "The pier is shut.", { duration_ms: 2_400, attempts: 3 })
  return { automation, failed, record_id, waiting: waitingRun }
})

// docs/decisions.md, "The console": the first look at an organization. developer-api.md 2.3, 2.4.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appLayer, seedToken, seedUser } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

const HOUR = 3_600_000

/** An app with an automation and a hook; runs, counts and dates as a worker would leave them. */
const troubled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const by = as(owner)
  const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Title")])
  const trigger = { type: "record_created", config: {} }
  const { automation } = (yield* by("POST", `/v1/automation/app/${app_id}`, {
    name: "Tells the pier",
    trigger,
    actions: []
  })).json
  const { record_id } = (yield* by("POST", `/v1/record/app/${app_id}`, { fields: { title: "Rope" } })).json
  const { hook_id } = (yield* by("POST", `/v1/hook/app/${app_id}`, {
    type: "record.create",
    url: "https://example.com/hook"
  })).json
  yield* sql`UPDATE hooks SET num_failed_executions = 7, verified_on = now() WHERE hook_id = ${hook_id}`
  let event = 0
  const run = (status: string, minutesAgo: number, more: Record<string, unknown> = {}) => sql`
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
      created_on: new Date(Date.now() - minutesAgo * 60_000),
      completed_on: status === "running" ? null : new Date(Date.now() - minutesAgo * 60_000),
      ...more
    })}`
  yield* run("completed", 1)
  yield* run("completed", 1)
  yield* run("failed", 2, { error_message: "The pier is shut." })
  yield* run("failed", 60 * 30, { error_message: "Yesterday." })
  yield* run("completed", 1, { type: "simulation" })
  yield* run("running", 5, { wait_why: "delay", wait_until: new Date(Date.now() + HOUR) })
  yield* run("running", 3)
  yield* sql`
    INSERT INTO hook_statistics (hook_id, counted_on, delivered, retrying, failed, withheld, latency)
    VALUES (${hook_id}, date_trunc('minute', now()), 5, 2, 1, 0, '{}')`
  const dueAt = new Date(Date.now() + 2 * HOUR)
  yield* sql`
    INSERT INTO calendar_due (automation_id, record_id, app_id, org_id, due_at)
    VALUES (${automation.id}, ${record_id}, ${app_id}, ${orgId}, ${dueAt})`
  return { app_id, automation_id: automation.id as number, by, hook_id, orgId, owner, record_id, workspaceId }
})

const sum = (rows: ReadonlyArray<any>, of: (row: any) => number) => rows.reduce((total, row) => total + of(row), 0)

layer(appLayer(), { excludeTestServices: true })("GET /v1/org/home", (it) => {
  it.effect("shows what fails, what waits and why, what is due, and the last day by the hour", () =>
    Effect.gen(function* () {
      const { app_id, automation_id, by, hook_id, record_id } = yield* troubled
      const { json, status } = yield* by("GET", "/v1/org/home")
      assert.strictEqual(status, 200)
      const [failing, ...others] = json.automations
      const { last_run_id, ...rest } = failing
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(rest, {
        ...{ automation_id, name: "Tells the pier", app_id, app_name: "Deliveries", broken: false, failed_runs: 1 },
        last_error: "The pier is shut."
      })
      assert.match(last_run_id, /^\d+$/)
      assert.deepStrictEqual(json.hooks, [
        {
          ...{ hook_id, app_id, app_name: "Deliveries", type: "record.create", host: "example.com" },
          ...{ status: "inactive", failures: 7 }
        }
      ])
      assert.deepStrictEqual(
        json.waiting.map(({ runs, why }: any) => [why, runs]),
        [
          ["delay", 1],
          ["running", 1]
        ]
      )
      const [{ due_at, ...due }] = json.due
      assert.deepStrictEqual(due, { automation_id, name: "Tells the pier", app_id, record_id, title: "Rope" })
      assert.match(due_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      assert.lengthOf(json.hours, 24)
      assert.strictEqual(json.hours[0].from, json.since)
      assert.isTrue(json.whole)
      assert.deepStrictEqual(
        ["completed", "failed", "open"].map((name) => sum(json.hours, ({ runs }) => runs[name])),
        [2, 1, 2]
      )
      assert.deepStrictEqual(
        ["delivered", "retrying", "failed"].map((name) => sum(json.hours, ({ deliveries }) => deliveries[name])),
        [5, 2, 1]
      )
    })
  )

  it.effect("4.1: what is due without a title is shown by its number, and so is what the credential may not read", () =>
    Effect.gen(function* () {
      const { by, owner, record_id } = yield* troubled
      const titleFor = (ask: ReturnType<typeof as>) =>
        Effect.map(ask("GET", "/v1/org/home"), ({ json, status }) => [status, json.due?.[0]?.title])
      const key = yield* seedToken(owner.userId, ["automations:read"])
      assert.deepStrictEqual(yield* titleFor(as({ key })), [200, "Deliveries #1"])
      assert.deepStrictEqual(yield* titleFor(by), [200, "Rope"])
      yield* by("PUT", `/v1/record/${record_id}`, { fields: { title: "" } })
      assert.deepStrictEqual(yield* titleFor(by), [200, "Deliveries #1"])
    })
  )

  it.effect("of the apps that the caller administers, as far as the scopes reach; nothing of anybody else's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { app_id, hook_id, orgId, owner, workspaceId } = yield* troubled
      const other = yield* troubled
      const empty = (json: any) => {
        for (const list of ["automations", "hooks", "waiting", "due"]) assert.deepStrictEqual(json[list], [], list)
        assert.strictEqual(
          sum(json.hours, ({ deliveries, runs }) => runs.completed + runs.failed + deliveries.delivered),
          0
        )
      }
      const member = yield* seedUser(orgId, "member")
      empty((yield* as(member)("GET", "/v1/org/home")).json)
      yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${member.userId}, 'admin')`
      const administers = (yield* as(member)("GET", "/v1/org/home")).json
      assert.deepStrictEqual(
        administers.hooks.map((hook: any) => hook.hook_id),
        [hook_id]
      )
      const ask = (scopes: Parameters<typeof seedToken>[1], selection?: Parameters<typeof seedToken>[2]) =>
        Effect.flatMap(seedToken(owner.userId, scopes, selection), (key) =>
          Effect.map(as({ key })("GET", "/v1/org/home"), ({ json }) => json)
        )
      empty(yield* ask(["records:read"]))
      const hooksAlone = yield* ask(["webhooks:manage"])
      assert.lengthOf(hooksAlone.hooks, 1)
      assert.deepStrictEqual([hooksAlone.automations, hooksAlone.waiting, hooksAlone.due], [[], [], []])
      assert.lengthOf((yield* ask(["automations:read"])).automations, 1)
      empty(yield* ask(["automations:read", "webhooks:manage"], { appIds: [other.app_id] }))
      assert.notStrictEqual(app_id, other.app_id)
    })
  )
})

// What became of runs, over HTTP (developer-api.md 7.11): listings, filters, cursors, who sees them, and how long they are kept. The
// runs are rows of many shapes, laid down by SQL.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { pruneRuns } from "../../../../src/domain/automations/run/pruneRuns.ts"
import { App, appLayer, seedToken, seedUser } from "../../../support/app.ts"
import { create, makeApp, seedApp } from "../support.ts"

interface Laid {
  readonly status?: string
  readonly type?: string
  readonly createdOn?: Date
  readonly recordId?: number
  readonly error?: string
  readonly causedBy?: string
  readonly retryOf?: string
  readonly root?: string
  readonly waits?: string
}
let event = 0

/** Lays runs down, oldest first; answers their ids as strings. */
const lay = Effect.fnUntraced(function* (automationId: number, runs: ReadonlyArray<Laid>) {
  const sql = yield* SqlClient.SqlClient
  const ids: Array<string> = []
  for (const run of runs) {
    const { createdOn = new Date(), status = "completed", type = "regular" } = run
    const [row] = yield* sql<{ id: string }>`
      INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on,
        record_id, error_message, caused_by_run_id, retry_of_run_id, root_run_id, wait_why, wait_since, completed_on)
      SELECT org_id, app_id, automation_id, revision_id, ${++event}, ${type}, ${status}, false, 1, '{}', ${createdOn},
        ${run.recordId ?? null}::bigint, ${run.error ?? null}, ${run.causedBy ?? null}::bigint, ${run.retryOf ?? null}::bigint,
        ${run.root ?? null}::bigint,
        ${run.waits ?? null}, ${run.waits === undefined ? null : createdOn}::timestamptz,
        ${status === "pending" || status === "running" ? null : createdOn}::timestamptz
      FROM automations WHERE automation_id = ${automationId} RETURNING run_id::text AS id`
    ids.push(row!.id)
  }
  return ids
})

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp()
  const other = yield* makeApp(seeded.token, seeded.workspaceId, [
    { field_type: "single_text", config: { label: "A" } }
  ])
  const createId = (appId: number) =>
    Effect.map(create(seeded.token, appId), ({ json }) => json.automation.id as number)
  const app = yield* App
  const list = Effect.fnUntraced(function* (body: object = {}, path = "", token = seeded.token) {
    const reply = yield* app.call("POST", `/v1/automation-run${path}`, { token, body })
    const ids = (reply.json.automation_runs ?? []).map(({ id }: any) => id) as ReadonlyArray<string>
    return { ...reply.json, status: reply.status, ids }
  })
  return {
    ...seeded,
    app,
    list,
    otherAppId: other.appId,
    first: yield* createId(seeded.appId),
    second: yield* createId(other.appId)
  }
})

layer(appLayer(), { excludeTestServices: true })("developer-api.md 7.11: listings of runs", (it) => {
  it.effect("newest first, with the documented members; by app, workspace and automation, simulations only there", () =>
    Effect.gen(function* () {
      const { app, appId, first, list, otherAppId, second, token, workspaceId } = yield* setting
      const [a, b, simulated] = yield* lay(first, [{}, { status: "failed" }, { type: "simulation" }])
      const [c] = yield* lay(second, [{ type: "manual" }])
      assert.deepStrictEqual((yield* list()).ids, [c, b, a])
      assert.deepStrictEqual((yield* list({}, `/app/${appId}`)).ids, [b, a])
      assert.deepStrictEqual((yield* list({}, `/app/${otherAppId}`)).ids, [c])
      assert.deepStrictEqual((yield* list({}, `/workspace/${workspaceId}`)).ids, [c, b, a])
      const ownRuns = yield* list({}, `/automation/${first}`)
      assert.deepStrictEqual(ownRuns.ids, [simulated, b, a])
      assert.deepStrictEqual(Object.keys(ownRuns.automation_runs[0]), [
        ...["id", "automation_id", "automation_name", "automation_revision_id", "app_id", "app_name", "workspace_id"],
        ...["status", "type", "created_at", "filtering_at", "started_at", "completed_at", "execution_duration_ms"],
        ...["waiting_duration_ms", "num_consumed_actions", "failure_reason", "error_message", "triggered_on_record_id"],
        ...["triggered_on_record_revision_id", "triggered_by_automation_id", "retry_of_run_id", "waiting"]
      ])
      assert.isString(ownRuns.automation_runs[0].automation_revision_id)
      assert.match(ownRuns.automation_runs[0].created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      // Runs of deleted automations vanish, from listings and alone.
      yield* app.call("DELETE", `/v1/automation/${second}`, { token })
      assert.deepStrictEqual((yield* list()).ids, [b, a])
      assert.strictEqual((yield* app.call("GET", `/v1/automation-run/${c}`, { token })).status, 404)
    })
  )

  it.effect("filters by app, automation, workspace, status and time, together; up to 100 ids each", () =>
    Effect.gen(function* () {
      const { appId, first, list, otherAppId, second, workspaceId } = yield* setting
      const dayDate = (day: number) => new Date(Date.UTC(2026, 0, day, 12))
      const [a, b] = yield* lay(first, [{ createdOn: dayDate(1) }, { createdOn: dayDate(2), status: "failed" }])
      const [c, d] = yield* lay(second, [
        { createdOn: dayDate(3), status: "failed" },
        { createdOn: dayDate(4), status: "running" }
      ])
      assert.deepStrictEqual((yield* list({ app_ids: [appId] })).ids, [b, a])
      assert.deepStrictEqual((yield* list({ app_ids: [appId, otherAppId], status: "failed" })).ids, [c, b])
      assert.deepStrictEqual((yield* list({ automation_ids: [second] })).ids, [d, c])
      assert.deepStrictEqual((yield* list({ automation_ids: [999_999_999] })).ids, [], "unknown ones match nothing")
      assert.deepStrictEqual((yield* list({ automation_ids: [] })).ids, [])
      assert.deepStrictEqual((yield* list({ workspace_ids: [workspaceId], status: "running" })).ids, [d])
      assert.deepStrictEqual((yield* list({ created_at_from: "2026-01-02 12:00", created_at_to: "2026-01-03" })).ids, [
        b
      ])
      assert.deepStrictEqual((yield* list({ created_at_from: "2026-01-03T13:00:00+01:00" })).ids, [d, c])
      // West of UTC the last day of the year 9999 ends in the year 10000.
      const end = "9999-12-31T23:00:00-05:00"
      assert.deepStrictEqual((yield* list({ created_at_from: "2026-01-04", created_at_to: end })).ids, [d])
      assert.deepStrictEqual((yield* list({ created_at_from: end })).ids, [])
      const many = Array.from({ length: 101 }, (_, n) => n + 1)
      for (const bad of [
        { automation_ids: many },
        { app_ids: many },
        { workspace_ids: many },
        { status: "broken" },
        { created_at_from: "yesterday" },
        { limit: 0 },
        { limit: 501 },
        { runs: ["1"] }
      ]) {
        const refusal = yield* list(bad)
        const code = "limit" in bad ? "validation" : refusal.error_code
        assert.deepStrictEqual([refusal.status, refusal.error_code], [400, code], JSON.stringify(bad).slice(0, 60))
      }
      assert.strictEqual((yield* list({ status: "failed" }, `/app/${appId}`)).status, 400, "`cursor`, `limit` only")
    })
  )

  it.effect("searches by record, cause, chain, error text and what they wait for, together with the rest (7.13)", () =>
    Effect.gen(function* () {
      const { app, first, list, second, token } = yield* setting
      const [a, b] = yield* lay(first, [
        { recordId: 71, status: "failed", error: "No app with ID 7." },
        { recordId: 72, status: "failed", error: "50% of ,weight_ was \\ used" }
      ])
      const [c, d] = yield* lay(second, [
        { recordId: 71, causedBy: a!, root: a!, status: "running", waits: "delay" },
        { recordId: 73, causedBy: b!, root: a!, status: "pending", waits: "credits" }
      ])
      const listIds = (body: object) => Effect.map(list(body), ({ ids }) => ids)
      assert.deepStrictEqual(yield* listIds({ record_ids: [71] }), [c, a])
      assert.deepStrictEqual(yield* listIds({ record_ids: [71, 73], status: "running" }), [c])
      assert.deepStrictEqual(yield* listIds({ run_ids: [d, a, "999999999"] }), [d, a])
      assert.deepStrictEqual(yield* listIds({ run_ids: [d, a], status: "failed" }), [a])
      assert.deepStrictEqual(yield* listIds({ run_ids: [] }), [])
      assert.deepStrictEqual(yield* listIds({ caused_by_run_ids: [a] }), [c])
      assert.deepStrictEqual(yield* listIds({ chain_run_ids: [a] }), [d, c, a])
      assert.deepStrictEqual(yield* listIds({ error_contains: "app with id" }), [a])
      assert.deepStrictEqual(yield* listIds({ error_contains: "50% of ,WEIGHT_ was \\" }), [b])
      assert.deepStrictEqual(yield* listIds({ error_contains: "%" }), [b], "no wildcards")
      assert.deepStrictEqual(yield* listIds({ waiting: ["credits"] }), [d])
      assert.deepStrictEqual(yield* listIds({ waiting: ["delay", "credits"], automation_ids: [second] }), [d, c])
      assert.deepStrictEqual(yield* listIds({ waiting: ["place"] }), [])
      const page = yield* list({ record_ids: [71], limit: 1 })
      assert.deepStrictEqual((yield* list({ cursor: page.cursor })).ids, [a])
      // Their place in the chain; absent where there is none.
      const [last, middle, , root] = (yield* list()).automation_runs
      assert.deepStrictEqual([root.caused_by_run_id, root.chain_run_id, root.child_run_ids], [undefined, a, [c]])
      assert.deepStrictEqual([middle.caused_by_run_id, middle.chain_run_id, middle.child_run_ids], [a, a, undefined])
      assert.deepStrictEqual([last.id, last.waiting.why, root.waiting], [d, "credits", null])
      for (const bad of [
        { record_ids: Array.from({ length: 101 }, (_, n) => n + 1) },
        { run_ids: ["x"] },
        { run_ids: Array.from({ length: 501 }, (_, n) => String(n + 1)) },
        { caused_by_run_ids: ["x"] },
        { chain_run_ids: ["9".repeat(19)] },
        { error_contains: "" },
        { error_contains: "x".repeat(100_000) },
        { waiting: ["sleep"] }
      ]) {
        const refusal = yield* app.call("POST", "/v1/automation-run", { token, body: bad })
        assert.strictEqual(refusal.status, 400, JSON.stringify(bad).slice(0, 60))
      }
    })
  )

  it.effect("the retries of a run are found by it; automations are summed up by their newest hundred runs", () =>
    Effect.gen(function* () {
      const { app, first, list, orgId, second, token } = yield* setting
      const [a] = yield* lay(first, [{ status: "failed", error: "Shut." }])
      const [b] = yield* lay(first, [{ retryOf: a!, type: "manual" }])
      assert.deepStrictEqual((yield* list({ retry_of_run_ids: [a] })).ids, [b])
      assert.strictEqual((yield* list({ retry_of_run_ids: ["x"] })).status, 400)
      const sum = (automation_ids: ReadonlyArray<number>, by = token) =>
        app.call("POST", "/v1/automation-run/summary", { token: by, body: { automation_ids } })
      yield* lay(first, [{ status: "running" }, { type: "simulation", status: "failed" }, { status: "cancelled" }])
      const [one, other] = (yield* sum([first, second, 999_999_999])).json.summaries
      const { last_run, ...counts } = one
      const expectedCounts = { automation_id: first, runs: 4, completed: 1, failed: 1, cancelled: 1, open: 1 }
      assert.deepStrictEqual(counts, expectedCounts)
      assert.deepStrictEqual([last_run.status, last_run.error_message], ["cancelled", null])
      const nothing = { automation_id: second, runs: 0, completed: 0, failed: 0, cancelled: 0, open: 0 }
      assert.deepStrictEqual(other, nothing)
      // The newest hundred: what came before is not looked at.
      yield* lay(
        first,
        Array.from({ length: 100 }, () => ({}))
      )
      const later = (yield* sum([first])).json.summaries[0]
      assert.deepStrictEqual([later.runs, later.completed, later.failed], [100, 100, 0])
      const member = yield* seedUser(orgId, "member")
      assert.deepStrictEqual((yield* sum([first], member.key)).json.summaries, [])
      assert.strictEqual((yield* sum(Array.from({ length: 101 }, (_, n) => n + 1))).status, 400)
    })
  )

  it.effect("cursors carry their filters, are bound to their listing and keep the total of the first page", () =>
    Effect.gen(function* () {
      const { app, appId, first, list, token } = yield* setting
      const laid = yield* lay(first, [{}, { status: "failed" }, {}, {}, {}])
      const [one, , three, four, five] = laid
      const page = yield* list({ status: "completed", limit: 2 })
      assert.deepStrictEqual([page.ids, page.total], [[five, four], 4])
      yield* lay(first, [{}])
      const next = yield* list({ cursor: page.cursor, limit: 2 })
      assert.deepStrictEqual([next.ids, next.total, next.cursor], [[three, one], 4, null])
      assert.strictEqual((yield* list({ cursor: page.cursor, status: "completed" })).status, 400)
      assert.strictEqual((yield* list({ cursor: page.cursor }, `/app/${appId}`)).status, 400)
      assert.strictEqual((yield* list({ cursor: `${page.cursor}x` })).error_code, "validation")
      for (const [bad, status] of [
        ["x", 400],
        ["1.5", 400],
        ["0", 404],
        ["9223372036854775808", 404],
        ["99999999999999", 404]
      ] as const) {
        assert.strictEqual((yield* app.call("GET", `/v1/automation-run/${bad}`, { token })).status, status, bad)
      }
    })
  )

  it.effect("unknown and foreign apps and workspaces in a filter are 404, in a path empty; others see nothing", () =>
    Effect.gen(function* () {
      const { app, appId, first, list, orgId, workspaceId } = yield* setting
      const foreign = yield* setting
      const [mine] = yield* lay(first, [{}])
      yield* lay(foreign.first, [{}])
      assert.deepStrictEqual((yield* list()).ids, [mine])
      for (const body of [
        { app_ids: [appId, foreign.appId] },
        { app_ids: [999_999_999] },
        { workspace_ids: [foreign.workspaceId] },
        { workspace_ids: [workspaceId, 999_999_999] }
      ]) {
        const refusal = yield* list(body)
        assert.deepStrictEqual([refusal.status, refusal.error_code], [404, "not_found"], JSON.stringify(body))
      }
      assert.deepStrictEqual((yield* list({ automation_ids: [first, foreign.first] })).ids, [mine])
      for (const path of [
        `/app/${foreign.appId}`,
        "/app/999999999",
        `/workspace/${foreign.workspaceId}`,
        `/automation/${foreign.first}`
      ]) {
        const empty = yield* list({}, path)
        assert.deepStrictEqual([empty.status, empty.total, empty.ids], [200, 0, []], path)
      }
      assert.strictEqual((yield* list({}, "/app/x")).status, 400)
      // Who is no workspace admin sees empty pages and no run.
      const member = yield* seedUser(orgId, "member")
      const memberRuns = yield* list({}, "", member.key)
      assert.deepStrictEqual([memberRuns.status, memberRuns.ids], [200, []])
      assert.strictEqual((yield* list({}, `/app/${appId}`, member.key)).ids.length, 0)
      assert.strictEqual((yield* app.call("GET", `/v1/automation-run/${mine}`, { token: member.key })).status, 404)
      // A token for other apps does not either.
      const { otherAppId, owner } = yield* Effect.succeed(foreign)
      const narrow = yield* seedToken(owner.userId, ["automations:read"], { appIds: [otherAppId] })
      assert.deepStrictEqual((yield* list({}, "", narrow)).ids, [])
      assert.strictEqual((yield* list({ app_ids: [foreign.appId] }, "", narrow)).status, 404)
      // Neither does a workspace that is named: it is there for whoever may read its name with this credential, and for nobody else.
      const make = (type: string) =>
        app.call("POST", "/v1/workspace", { token: foreign.token, body: { name: `A ${type} one`, type } })
      const workspaces = { private: yield* make("private"), closed: yield* make("closed") }
      const stranger = yield* seedUser(foreign.orgId, "member")
      for (const [type, token, status] of [
        ["private", foreign.token, 200],
        ["private", stranger.key, 404],
        ["closed", stranger.key, 200],
        ["closed", narrow, 404]
      ] as const) {
        const body = { workspace_ids: [workspaces[type].json.workspace_id] }
        assert.strictEqual((yield* list(body, "", token)).status, status, type)
      }
    })
  )

  it.effect("runs go 30 days after their end with everything of theirs; unfinished ones stay", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { first } = yield* setting
      const days = (n: number) => new Date(Date.now() - n * 86_400_000)
      const laid = yield* lay(first, [
        { createdOn: days(31) },
        { createdOn: days(31), status: "failed", type: "simulation" },
        { createdOn: days(29) },
        { createdOn: days(60), status: "running" }
      ])
      for (const id of laid) {
        yield* sql`INSERT INTO run_triggers (run_id, data) VALUES (${id}::bigint, '{}')`
        yield* sql`INSERT INTO run_variables (run_id, custom_type, label, seq) VALUES (${id}::bigint, 'any', 'A', 0)`
        yield* sql`INSERT INTO run_items (run_id, path, iteration, chunk, items) VALUES (${id}::bigint, '0', '', 0, '[]')`
        yield* sql`INSERT INTO run_outputs (run_id, type, app_id, seq, output) VALUES (${id}::bigint, 'previous', 0, 0, '{}')`
        yield* sql`INSERT INTO run_pages (run_id) VALUES (${id}::bigint)`
        yield* sql`INSERT INTO run_logs (run_id, seq, type, status, label, messages, logged_on)
          VALUES (${id}::bigint, 1, 'trigger', 'success', 'Manual run', '[]', now())`
        yield* sql`INSERT INTO run_ledger (run_id, path, iteration, action_id, state, started_on)
          VALUES (${id}::bigint, '0', '', 'a', 'done', now())`
        yield* sql`INSERT INTO file_holds (file_id, holder) VALUES (1, ${`run/${id}`})`
      }
      yield* pruneRuns
      const kept = laid.slice(2)
      const tables = [
        "runs",
        "run_triggers",
        "run_variables",
        "run_items",
        "run_outputs",
        "run_pages",
        "run_logs",
        "run_ledger"
      ]
      for (const table of tables) {
        const rows = yield* sql<{ id: string }>`SELECT run_id::text AS id FROM ${sql(table)}
          WHERE run_id = ANY(${laid}::text[]::bigint[]) ORDER BY run_id`
        assert.deepStrictEqual(
          rows.map(({ id }) => id),
          kept,
          table
        )
      }
      const holds = yield* sql<{ holder: string }>`SELECT holder FROM file_holds ORDER BY holder`
      assert.deepStrictEqual(
        holds.map(({ holder }) => holder),
        kept.map((id) => `run/${id}`)
      )
    })
  )
})

// A run's log by pages, its loops as an overview of their items, and its workflow in Temporal's UI (developer-api.md 7.11, our extension).
// The runs are rows, laid down by SQL as the engine leaves them; test/interfaces/console/tasks/failedItem.test.ts has the engine write them.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { workflowAddress } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { App, appLayer, seedToken, seedUser } from "../../../support/app.ts"
import { create, makeApp, seedApp } from "../support.ts"

const comment = (id: string) => ({ id, type: "current_record_comment_create", config: { comment_content: ["Hello"] } })
const loop = (id: string, ...action_rows: ReadonlyArray<object>) => ({ id, type: "for_loop", config: { action_rows } })
let event = 0

/** An automation with a step, a loop with a step and a loop inside, and a run of it that is at an item of the outer loop. */
const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const app = yield* App
  const seeded = yield* seedApp()
  const { automation } = (yield* create(seeded.token, seeded.appId, {
    trigger: { type: "record_created", config: {} },
    actions: [comment("before"), loop("outer", comment("inside"), loop("inner", comment("deep"))), comment("after")]
  })).json
  const records: Array<number> = []
  for (const reference of ["A", "B", "C", "D"]) {
    const fields = { reference, state: seeded.options["state"]![0] }
    const creation = yield* app.call("POST", `/v1/record/app/${seeded.appId}`, {
      token: seeded.token,
      body: { fields }
    })
    records.push(creation.json.record_id)
  }
  const run = Effect.fnUntraced(function* (status: string, cursor: object | null, itemsApp = seeded.appId) {
    const completedOn = status === "running" ? null : new Date()
    const [{ id } = { id: "" }] = yield* sql<{ id: string }>`
      INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on,
        completed_on, cursor, workflow_started_on)
      SELECT org_id, app_id, automation_id, revision_id, ${++event}, 'regular', ${status}, true, 1, '{}', now(),
        ${completedOn}::timestamptz, ${JSON.stringify(cursor)}::jsonb, now()
      FROM automations WHERE automation_id = ${automation.id} RETURNING run_id::text AS id`
    const ledger = (path: string, iteration: string, state: string, result: object | null = null) => sql`
      INSERT INTO run_ledger (run_id, path, iteration, action_id, state, result, started_on, done_on)
      VALUES (${id}::bigint, ${path}, ${iteration}, ${path}, ${state}, ${JSON.stringify(result)}::jsonb, now(), now())`
    let seq = 0
    const log = (action: string | null, iteration: string | null, status = "success", message = "Done") => sql`
      INSERT INTO run_logs (run_id, seq, type, status, label, messages, action_id, iteration, logged_on)
      VALUES (${id}::bigint, ${++seq}, ${action === null ? "trigger" : "action"}, ${status}, 'Step',
        ${JSON.stringify([{ message, level: status === "failure" ? "error" : "info" }])}::jsonb, ${action}, ${iteration}, now())`
    yield* log(null, null)
    yield* ledger("0", "", "done")
    yield* log("before", null)
    yield* ledger("1", "", "started", { type: "records", app_id: itemsApp, size: 4 })
    yield* sql`INSERT INTO run_items (run_id, path, iteration, chunk, items)
      VALUES (${id}::bigint, '1', '', 0, ${JSON.stringify(records)}::jsonb)`
    yield* ledger("1.body.0", "0", "done")
    yield* log("inside", "0")
    yield* ledger("1.body.1", "0", "done", { type: "values", size: 2 })
    yield* ledger("1.body.1.body.0", "0.0", "done")
    yield* log("deep", "0.0")
    yield* ledger("1.body.1.body.0", "0.1", "failed")
    yield* log("deep", "0.1", "failure", "The gate is shut.")
    yield* ledger("1.body.0", "2", "done")
    yield* log("inside", "2")
    return id
  })
  const get = Effect.fnUntraced(function* (path: string, token = seeded.token) {
    return yield* app.call("GET", `/v1/automation-run/${path}`, { token })
  })
  return { ...seeded, automation, records, run, get }
})

const position = { path: "1.body.1", iteration: [2] }
const noCounts = { failure: 0, in_progress: 0, cancelled: 0, success: 0, skipped: 0, pending: 0 }

layer(appLayer({ TEMPORAL_UI_URL: "https://temporal.example.com/ui/" }), { excludeTestServices: true })(
  "a run's log and loops",
  (it) => {
    it.effect("the log comes in pages: all, what happened outside of loops, that of one item", () =>
      Effect.gen(function* () {
        const { get, run } = yield* setting
        const id = yield* run("running", position)
        const entries = ({ json }: { json: any }) =>
          json.logs.map((log: any) => [log.action_id, log.iteration ?? null, log.status])
        const firstPage = yield* get(`${id}/log?limit=4`)
        assert.deepStrictEqual([firstPage.json.total, firstPage.json.logs.length], [6, 4])
        const secondPage = yield* get(`${id}/log?limit=4&cursor=${firstPage.json.cursor}`)
        assert.deepStrictEqual([secondPage.json.logs.length, secondPage.json.cursor], [2, null])
        assert.deepStrictEqual(entries(yield* get(`${id}/log?outside_loops=true`)), [
          [null, null, "success"],
          ["before", null, "success"]
        ])
        assert.deepStrictEqual(entries(yield* get(`${id}/log?loop=outer&iteration=0`)), [["inside", [0], "success"]])
        assert.deepStrictEqual(entries(yield* get(`${id}/log?loop=inner&iteration=0.1`)), [["deep", [0, 1], "failure"]])
        assert.deepStrictEqual(entries(yield* get(`${id}/log?status=failure`)), [["deep", [0, 1], "failure"]])
        // A run alone brings its log along, or as much of it as is asked for.
        assert.lengthOf((yield* get(id)).json.automation_run.logs, 6)
        assert.lengthOf((yield* get(`${id}?log_limit=2`)).json.automation_run.logs, 2)
        assert.deepStrictEqual((yield* get(`${id}?log_limit=0`)).json.automation_run.logs, [])
        for (const bad of [
          ...["?log_limit=-1", "?log_limit=x", "/log?limit=501", "/log?iteration=0", "/log?loop=outer&iteration=a"],
          ...[
            "/log?loop=outer&outside_loops=true",
            "/log?status=gone",
            `/log?status=failure&cursor=${firstPage.json.cursor}`
          ]
        ])
          assert.strictEqual((yield* get(`${id}${bad}`)).status, 400, bad)
        for (const missingPath of ["/log?loop=before", "/log?loop=nowhere"])
          assert.strictEqual((yield* get(`${id}${missingPath}`)).status, 404, missingPath)
      })
    )

    it.effect("items of a loop: those that failed first, then those under way; how many are left", () =>
      Effect.gen(function* () {
        const { get, records, run } = yield* setting
        const id = yield* run("running", position)
        const { loops } = (yield* get(`${id}/loop`)).json
        const items = { ...noCounts, failure: 1, in_progress: 1, skipped: 1, pending: 1 }
        assert.deepStrictEqual(loops, [{ action_id: "outer", label: "Loop", size: 4, items }])
        const shownItems = (yield* get(`${id}/loop/outer`)).json.shown
        assert.deepStrictEqual(
          shownItems.map((one: any) => [
            one.item,
            one.status,
            one.record_id,
            one.record_title,
            one.error_message ?? null
          ]),
          [
            [0, "failure", records[0], "A", "The gate is shut."],
            [2, "in_progress", records[2], "C", null],
            [1, "skipped", records[1], "B", null],
            [3, "pending", records[3], "D", null]
          ]
        )
        assert.lengthOf((yield* get(`${id}/loop/outer?limit=1`)).json.shown, 1)
        assert.deepStrictEqual(
          (yield* get(`${id}/loop/outer?status=pending`)).json.shown.map(({ item }: any) => item),
          [3]
        )
        // The loop inside, of one item of that around it.
        const inner = (yield* get(`${id}/loop?loop=outer&iteration=0`)).json.loops
        assert.deepStrictEqual(inner[0].items, { ...noCounts, failure: 1, success: 1 })
        const deep = (yield* get(`${id}/loop/inner?iteration=0`)).json.shown
        assert.deepStrictEqual(
          deep.map((one: any) => [one.item, one.status, one.error_message]),
          [
            [1, "failure", "The gate is shut."],
            [0, "success", undefined]
          ]
        )
        assert.deepStrictEqual((yield* get(`${id}/loop?loop=outer&iteration=3`)).json.loops, [], "not begun there")
        for (const missingPath of ["loop/nowhere", "loop/before", "loop/inner?iteration=3"])
          assert.strictEqual((yield* get(`${id}/${missingPath}`)).status, 404, missingPath)
        for (const bad of [
          "loop/outer?limit=0",
          "loop/outer?limit=1001",
          "loop/inner?iteration=1.b",
          "loop?iteration=1"
        ])
          assert.strictEqual((yield* get(`${id}/${bad}`)).status, 400, bad)
      })
    )

    it.effect(
      "of a run that was cancelled, the item that it was at is cancelled; what comes behind was not reached",
      () =>
        Effect.gen(function* () {
          const { get, run } = yield* setting
          const { loops } = (yield* get(`${yield* run("cancelled", position)}/loop`)).json
          assert.deepStrictEqual(loops[0].items, { ...noCounts, failure: 1, cancelled: 1, skipped: 1, pending: 1 })
        })
    )

    it.effect(
      "who does not administer the app finds no run; records of apps that they do not administer have no title",
      () =>
        Effect.gen(function* () {
          const { appId, get, orgId, owner, run, token, workspaceId } = yield* setting
          const id = yield* run("running", position)
          const member = yield* seedUser(orgId, "member")
          for (const path of [`${id}/log`, `${id}/loop`, `${id}/loop/outer`])
            assert.strictEqual((yield* get(path, member.key)).status, 404, path)
          const elsewhere = yield* makeApp(token, workspaceId, [{ field_type: "single_text", config: { label: "A" } }])
          // The items are said to be of that app, which a token for the other one does not reach.
          const narrow = yield* seedToken(owner.userId, ["automations:read"], { appIds: [appId] })
          const foreignRun = yield* run("running", position, elsewhere.appId)
          const [first] = (yield* get(`${foreignRun}/loop/outer`, narrow)).json.shown
          assert.deepStrictEqual([typeof first.record_id, first.record_title], ["number", undefined])
        })
    )

    it.effect("a run with a workflow of its own names its page in Temporal's UI", () =>
      Effect.gen(function* () {
        const { automation, get, run } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const id = yield* run("running", position)
        const { temporal_url } = (yield* get(`${id}?log_limit=0`)).json.automation_run
        const workflowPath = `automations%2F${automation.id}%2Fruns%2F${id}`
        assert.strictEqual(
          temporal_url,
          `https://temporal.example.com/ui/namespaces/millrace/workflows/${workflowPath}`
        )
        yield* sql`UPDATE runs SET durable = false WHERE run_id = ${id}::bigint`
        assert.isUndefined((yield* get(id)).json.automation_run.temporal_url)
      })
    )
  }
)

describe("the address of a workflow in Temporal's UI", () => {
  it("goes below the UI's own; a namespace that it names is kept", () => {
    const addressBelow = (base: string) => workflowAddress(new URL(base), "mill race", "a/1")
    assert.strictEqual(
      addressBelow("http://127.0.0.1:8233"),
      "http://127.0.0.1:8233/namespaces/mill%20race/workflows/a%2F1"
    )
    assert.strictEqual(addressBelow("https://a.example/namespaces/b"), "https://a.example/namespaces/b/workflows/a%2F1")
    assert.strictEqual(
      addressBelow("https://a.example/namespaces/b/workflows/"),
      "https://a.example/namespaces/b/workflows/a%2F1"
    )
  })
})

// What holds runs up or ends them: places, credits, execution time, order (developer-api.md 7.11 rules 5 to 7; decisions A17).

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationSlots } from "../../../../src/domain/automations/run/OrganizationSlots.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { assign, automate, createRecord, endDelays, runsOf, runsOver, setText, textOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const created = { type: "record_created", config: {} }
const delay = (delay_ms: number) => ({ type: "delay", config: { delay_ms } })

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  return { ...seeded, ref: seeded.fields["reference"]! }
})

/** Places taken by runs of nobody's, open so that reconciling leaves them theirs; answers how to give one back. */
const occupy = Effect.fnUntraced(function* (orgId: number, runIds: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const id of runIds) {
    yield* sql`
      INSERT INTO runs (run_id, org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on)
      OVERRIDING SYSTEM VALUE
      VALUES (${id}::bigint, ${orgId}, 0, 0, 0, ${id}::bigint, 'regular', 'running', false, 0, '{}', now())`
    yield* sql`INSERT INTO run_places (run_id, org_id, taken_on) VALUES (${id}::bigint, ${orgId}, now())`
  }
  const runSlots = yield* OrganizationSlots
  return (id: string) => runSlots.release(orgId, id)
})

const heldBy = (orgId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ run_id: string }>`SELECT run_id::text FROM run_places WHERE org_id = ${orgId}`
  )

/** The hour's budget is there again: what waits for it looks now. */
const goesOn = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    eventually(
      "it goes on",
      Effect.andThen(
        sql`UPDATE automation_inbox SET due_at = now() WHERE automation_id = ${id} AND due_at > now()`,
        runsOf(id)
      ),
      (rows) => rows[0]?.status === "completed"
    )
  )

const env = { RUNS_CONCURRENT: "2", RUN_ACTIONS_MAX: "3" }

layer(spineLayer(env), { excludeTestServices: true })("limits of runs", (it) => {
  it.effect(
    "runs beyond the organization's places wait in order, none is dropped; others are not held up (rule 7)",
    () =>
      Effect.gen(function* () {
        const { appId, orgId, ref, token } = yield* setting
        const release = yield* occupy(orgId, ["9000000000001", "9000000000002"])
        const plainId = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "plain")] })
        const records: Array<number> = []
        for (let i = 0; i < 5; i++) records.push(yield* createRecord(token, appId, {}))
        const pendingRuns = yield* eventually("five wait", runsOf(plainId), (rows) => rows.length === 5)
        assert.deepStrictEqual([...new Set(pendingRuns.map(({ status }) => status))], ["pending"])
        // A durable run waits in the same line, behind them.
        const durable = yield* automate(token, appId, {
          trigger: { type: "automation_called", config: {} },
          actions: [delay(1_000), setText(ref, "durable")]
        })
        const app = yield* App
        const call = yield* app.call("POST", `/v1/automation/${durable}/trigger`, {
          token,
          body: { trigger_on_record_id: records[0]! }
        })
        assert.strictEqual(call.status, 202, call.text)
        const sql = yield* SqlClient.SqlClient
        yield* eventually(
          "six in the line",
          sql<{
            n: number
          }>`SELECT count(*)::int AS n FROM runs WHERE org_id = ${orgId} AND place_wanted_on IS NOT NULL`,
          ([row]) => row!.n === 6
        )
        // A workflow comes with the place: those that wait cost a row each.
        const started = sql<{ started: boolean }>`
          SELECT workflow_started_on IS NOT NULL AS started FROM runs WHERE automation_id = ${durable}`
        assert.deepStrictEqual(yield* started, [{ started: false }])
        // The actor says why they wait, once its activation ends.
        const temporal = yield* Temporal
        const details = Effect.flatMap(temporal.client, (client) =>
          Effect.promise(() =>
            client.workflow.getHandle(`automations/app/${appId}`).query<string>("__temporal_workflow_metadata")
          )
        )
        yield* eventually("why they wait", Effect.map(details, JSON.stringify), (text) =>
          /runs without a concurrency slot \| 6 \|/.test(text)
        )
        // Another organization has places of its own.
        const other = yield* setting
        const elsewhere = yield* automate(other.token, other.appId, {
          trigger: created,
          actions: [setText(other.ref, "x")]
        })
        yield* createRecord(other.token, other.appId, {})
        assert.strictEqual((yield* runsOver(elsewhere))[0]!.status, "completed")
        assert.isTrue((yield* runsOf(plainId)).every(({ status }) => status === "pending"))
        // One place given back is enough for all of them, one after another.
        yield* release("9000000000001")
        const completedRuns = yield* runsOver(plainId, 5)
        assert.isTrue(completedRuns.every(({ status }) => status === "completed"))
        const order = yield* sql<{ run_id: string }>`
        SELECT run_id::text FROM runs WHERE automation_id = ${plainId} ORDER BY started_on, run_id`
        assert.deepStrictEqual(
          order.map(({ run_id }) => run_id),
          pendingRuns.map(({ run_id }) => run_id)
        )
        assert.strictEqual((yield* runsOver(durable))[0]!.status, "completed")
        assert.strictEqual(yield* textOf(records[0]!, ref), "durable")
        assert.deepStrictEqual(yield* started, [{ started: true }])
        yield* eventually("places are given back", heldBy(orgId), (rows) => rows.length === 1)
      })
  )

  it.effect("a run that waits in a delay gives its place back: more wait than there are places (rule 7)", () =>
    Effect.gen(function* () {
      const { appId, orgId, ref, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: created, actions: [delay(3_600_000), setText(ref, "late")] })
      for (let i = 0; i < 5; i++) yield* createRecord(token, appId, {})
      yield* eventually("all wait", runsOf(id), (rows) => rows.filter((run) => run.wait_until !== null).length === 5)
      yield* eventually("no place is held", heldBy(orgId), (rows) => rows.length === 0)
    })
  )

  it.effect("a run that is called and cancelled before it begins gives its place back (rule 7)", () =>
    Effect.gen(function* () {
      const { appId, orgId, ref, token } = yield* setting
      const release = yield* occupy(orgId, ["9000000000011", "9000000000012"])
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "plain")] })
      const firstRecord = yield* createRecord(token, appId, {})
      yield* createRecord(token, appId, {})
      const pendingRuns = yield* eventually("two wait", runsOf(id), (rows) => rows.length === 2)
      const sql = yield* SqlClient.SqlClient
      // As if it had been called, but not begun yet.
      yield* sql`UPDATE runs SET place_wanted_on = NULL WHERE run_id = ${pendingRuns[0]!.run_id}::bigint`
      yield* sql`UPDATE run_places SET run_id = ${pendingRuns[0]!.run_id}::bigint WHERE run_id = 9000000000011`
      const app = yield* App
      const cancelled = yield* app.call("POST", `/v1/automation-run/${pendingRuns[0]!.run_id}/cancel`, { token })
      assert.strictEqual(cancelled.status, 202, cancelled.text)
      const runs = yield* runsOver(id, 2)
      assert.deepStrictEqual(
        runs.map(({ status }) => status),
        ["cancelled", "completed"]
      )
      assert.strictEqual(yield* textOf(firstRecord, ref), null)
      yield* release("9000000000012")
      assert.strictEqual((yield* heldBy(orgId)).length, 0)
    })
  )

  it.effect("a run that has used up its actions ends with actions_resource_limit_exceeded (rule 5)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const steps = (n: number) => Array.from({ length: n }, (_, i) => setText(ref, String(i + 1)))
      const three = yield* automate(token, appId, { trigger: created, actions: steps(3) })
      const four = yield* automate(token, appId, {
        trigger: { type: "automation_called", config: {} },
        actions: steps(4)
      })
      const record = yield* createRecord(token, appId, {})
      const [ok] = yield* runsOver(three)
      assert.strictEqual(ok!.status, "completed")
      assert.strictEqual(ok!.credits, 3)
      const app = yield* App
      yield* app.call("POST", `/v1/automation/${four}/trigger`, { token, body: { trigger_on_record_id: record } })
      const [over] = yield* runsOver(four)
      // What decides but costs nothing may still follow the last action: the turn that ends a loop, an empty branch.
      const looped = yield* automate(token, appId, {
        trigger: { type: "automation_called", config: {} },
        actions: [
          {
            type: "custom_variable",
            config: { assignment_code: ["[1, 2]"], custom_variable_defs: [{ custom_type: "any", label: "list" }] }
          },
          {
            type: "for_loop",
            config: {
              iterable: { kind: "variable", source: "custom", custom_type: "any", label: "list" },
              action_rows: [setText(ref, "turn")]
            }
          },
          { type: "conditional", config: { condition: null, action_rows: [] } }
        ]
      })
      yield* app.call("POST", `/v1/automation/${looped}/trigger`, { token, body: { trigger_on_record_id: record } })
      const [exactly] = yield* runsOver(looped)
      assert.deepStrictEqual([exactly!.status, exactly!.credits], ["completed", 3], exactly!.error_message ?? "")
      assert.strictEqual(over!.status, "failed")
      assert.strictEqual(over!.failure_reason, "actions_resource_limit_exceeded")
      assert.strictEqual(over!.credits, 3)
      assert.deepStrictEqual([over!.logs.at(-1).type, over!.logs.at(-1).status], ["exception", "failure"])
    })
  )

  it.effect("a step over a collection costs one action per record and stops at the run's limit (rule 5)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const id = yield* automate(token, appId, {
        trigger: { type: "automation_called", config: {} },
        actions: [
          { type: "collect_app_records", config: { app_id: appId, match_condition: null } },
          {
            type: "collected_records_update",
            config: {
              record_collection: {
                kind: "variable",
                source: "action",
                action_type: "record_collection",
                app_id: appId
              },
              trigger_other_flows: false,
              field_assignments: [
                {
                  field_type: "single_text",
                  variable_def: {
                    kind: "variable",
                    source: "field",
                    field_id: ref,
                    field_type: "single_text",
                    collection: true
                  },
                  assignment_type: "set",
                  field_value: ["seen"]
                }
              ]
            }
          }
        ]
      })
      const records: Array<number> = []
      for (let i = 0; i < 4; i++) records.push(yield* createRecord(token, appId, {}))
      const app = yield* App
      yield* app.call("POST", `/v1/automation/${id}/trigger`, { token, body: { trigger_on_record_id: records[0]! } })
      const [over] = yield* runsOver(id)
      assert.strictEqual(over!.failure_reason, "actions_resource_limit_exceeded", over!.error_message ?? "")
      assert.strictEqual(over!.credits, 3)
      const texts = yield* Effect.forEach(records, (record) => textOf(record, ref))
      assert.strictEqual(texts.filter((text) => text === "seen").length, 2)
    })
  )

  it.effect("while the organization's hour is spent new runs stay pending; then they go on (rule 5)", () =>
    Effect.gen(function* () {
      const { appId, orgId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO run_credits (org_id, hour, used)
        SELECT ${orgId}, date_trunc('hour', now()) + i * interval '1 hour', 1000000 FROM generate_series(0, 1) AS i`
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "paid")] })
      const millisBefore = Date.now()
      const record = yield* createRecord(token, appId, {})
      yield* eventually("one is pending", runsOf(id), (rows) => rows[0]?.status === "pending")
      const [row] = yield* sql<{
        due_at: Date
      }>`SELECT due_at FROM automation_inbox WHERE automation_id = ${id} AND run_id IS NOT NULL`
      // Five minutes after it was looked at, which was after the record was asked for and before now.
      const due = row!.due_at.getTime()
      assert.isAbove(due, millisBefore + 240_000)
      // biome-ignore lint/plugin: it holds the longer, the later it is asked.
      assert.isBelow(due, Date.now() + 330_000)
      yield* sql`DELETE FROM run_credits WHERE org_id = ${orgId}`
      yield* goesOn(id)
      assert.strictEqual(yield* textOf(record, ref), "paid")
      yield* eventually(
        "the hour is charged",
        sql<{ used: number }>`SELECT sum(used)::int AS used FROM run_credits WHERE org_id = ${orgId}`,
        ([sum]) => sum!.used === 1
      )
    })
  )

  it.effect("an organization's own hourly budget wins over the installation's (rule 5, P2)", () =>
    Effect.gen(function* () {
      const { appId, orgId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const budget = (credits_per_hour: number) =>
        sql`UPDATE organizations SET limits = ${JSON.stringify({ credits_per_hour })}::jsonb WHERE org_id = ${orgId}`
      yield* budget(5)
      yield* sql`INSERT INTO run_credits (org_id, hour, used)
        SELECT ${orgId}, date_trunc('hour', now()) + i * interval '1 hour', 5 FROM generate_series(0, 1) AS i`
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "paid")] })
      const record = yield* createRecord(token, appId, {})
      yield* eventually("one is pending", runsOf(id), (rows) => rows[0]?.status === "pending")
      yield* budget(10)
      yield* goesOn(id)
      assert.strictEqual(yield* textOf(record, ref), "paid")
    })
  )

  it.effect("steps take 15 minutes in all, waiting in a delay does not count; a run lives 400 days (rule 6)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const id = yield* automate(token, appId, { trigger: created, actions: [delay(3_600_000), setText(ref, "late")] })
      const spent = yield* createRecord(token, appId, {})
      const sleeper = yield* automate(token, appId, {
        trigger: { type: "automation_called", config: {} },
        actions: [
          delay(3_600_000),
          { type: "custom_code", config: { code: ["for (let n = 0; n < 5; n++) await sleep(10000)"] } }
        ]
      })
      const app = yield* App
      yield* app.call("POST", `/v1/automation/${sleeper}/trigger`, { token, body: { trigger_on_record_id: spent } })
      const old = yield* createRecord(token, appId, {})
      const near = yield* createRecord(token, appId, {})
      yield* eventually("wait", runsOf(id), (rows) => rows.filter((run) => run.wait_until !== null).length === 3)
      yield* eventually("the script's run waits", runsOf(sleeper), (rows) => rows[0]?.wait_until != null)
      yield* sql`UPDATE runs SET executed_ms = 897500 WHERE automation_id = ${sleeper}`
      yield* sql`UPDATE runs SET executed_ms = 900001 WHERE automation_id = ${id} AND record_id = ${spent}`
      yield* sql`UPDATE runs SET created_on = created_on - interval '401 days' WHERE automation_id = ${id} AND record_id = ${old}`
      yield* sql`UPDATE runs SET created_on = created_on - interval '399 days' WHERE automation_id = ${id} AND record_id = ${near}`
      yield* Effect.forEach([id, sleeper], endDelays)
      const [long, aged, alive] = yield* runsOver(id, 3)
      assert.strictEqual(long!.failure_reason, "actions_timeout")
      assert.match(long!.error_message!, /15 minutes/)
      assert.strictEqual(aged!.failure_reason, "actions_timeout")
      assert.match(aged!.error_message!, /400 days/)
      // A script runs no longer than what is left of the 15 minutes (8.3).
      const [slept] = yield* runsOver(sleeper)
      assert.strictEqual(slept!.failure_reason, "actions_timeout", slept!.error_message ?? "")
      const { duration_ms } = slept!.logs.find(({ status }: any) => status === "failure").detail
      assert.isBelow(duration_ms, 45_000)
      // Nearly as old, but most of its life was waiting.
      assert.strictEqual(alive!.status, "completed")
      assert.deepStrictEqual(
        [yield* textOf(spent, ref), yield* textOf(old, ref), yield* textOf(near, ref)],
        [null, null, "late"]
      )
    })
  )

  it.effect("a run whose last step passes the 15 minutes ends with actions_timeout, the step done (rule 6)", () =>
    Effect.gen(function* () {
      const { appId, orgId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const app = yield* App
      const slow = ["(() => { const from = Date.now(); while (Date.now() - from < 30); return 'late' })()"]
      const slowStep = {
        type: "custom_variable",
        config: { assignment_code: slow, custom_variable_defs: [{ custom_type: "any", label: "value" }] }
      }
      const write = {
        type: "current_record_update",
        config: {
          trigger_other_flows: false,
          field_assignments: [{ ...assign("single_text", ref, []), assignment_type: "set_code", code: slow }]
        }
      }
      const onCall = { type: "automation_called", config: {} }
      const always = { type: "conditional", config: { condition: null, action_rows: [slowStep] } }
      const plainId = yield* automate(token, appId, { trigger: onCall, actions: [write] })
      const durable = yield* automate(token, appId, { trigger: onCall, actions: [delay(3_600_000), write] })
      const caught = yield* automate(token, appId, {
        trigger: onCall,
        actions: [
          delay(3_600_000),
          {
            type: "custom_variable",
            continue_on_error: true,
            config: { ...slowStep.config, assignment_code: [`${slow[0]}.nothing()`] }
          }
        ]
      })
      const withinId = yield* automate(token, appId, { trigger: onCall, actions: [delay(3_600_000), always, write] })
      const record = yield* createRecord(token, appId, {})
      // The plain one waits for a place, the others in their delays, with the whole time used up.
      const delayedIds = [durable, caught, withinId]
      const start = (id: number) =>
        app.call("POST", `/v1/automation/${id}/trigger`, { token, body: { trigger_on_record_id: record } })
      for (const id of delayedIds) yield* start(id)
      for (const id of delayedIds) yield* eventually("waits", runsOf(id), (rows) => rows[0]?.wait_until != null)
      const release = yield* occupy(orgId, ["9000000000021", "9000000000022"])
      yield* start(plainId)
      yield* eventually("waits for a place", runsOf(plainId), (rows) => rows[0]?.status === "pending")
      yield* sql`UPDATE runs SET executed_ms = 900000 WHERE automation_id = ANY(${[plainId, durable, caught].map(String)}::bigint[])`
      yield* sql`UPDATE runs SET executed_ms = 880000 WHERE automation_id = ${withinId}`
      yield* release("9000000000021")
      yield* release("9000000000022")
      yield* Effect.forEach(delayedIds, endDelays)
      for (const id of [plainId, durable, caught]) {
        const [run] = yield* runsOver(id)
        assert.deepStrictEqual(
          [run!.status, run!.failure_reason],
          ["failed", "actions_timeout"],
          run!.error_message ?? ""
        )
        assert.match(run!.error_message!, /15 minutes/)
        const [step, end] = run!.logs.slice(-2)
        assert.deepStrictEqual([step.type, step.status], ["action", id === caught ? "failure" : "success"])
        assert.deepStrictEqual([end.type, end.status], ["exception", "failure"])
      }
      assert.strictEqual(yield* textOf(record, ref), "late")
      assert.strictEqual((yield* runsOver(withinId))[0]!.status, "completed")
    })
  )

  it.effect("what conditions and turns of loops take counts, though they leave nothing of their own (rule 6)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const slow = (millis: number) => [
        `(() => { const from = Date.now(); while (Date.now() - from < ${millis}); return false })()`
      ]
      const never = (millis: number) => ({ operator: "and", rows: [{ code: slow(millis) }] })
      const onCall = { type: "automation_called", config: {} }
      const branch = { type: "conditional", config: { condition: never(100), action_rows: [setText(ref, "never")] } }
      const list = { kind: "variable", source: "custom", custom_type: "any", label: "list" }
      const listStep = {
        type: "custom_variable",
        config: { assignment_code: ["[1, 2, 3]"], custom_variable_defs: [{ custom_type: "any", label: "list" }] }
      }
      const loop = (config: object) => ({ type: "for_loop", config: { iterable: list, ...config } })
      const actions = {
        plain: [branch, branch, branch, setText(ref, "plain")],
        "in turns": [listStep, loop({ action_rows: [branch] })],
        "of a loop": [listStep, loop({ action_rows: [], continue_condition: never(50), break_condition: never(50) })]
      }
      const app = yield* App
      for (const [what, steps] of Object.entries(actions)) {
        const id = yield* automate(token, appId, { trigger: onCall, actions: steps })
        const record = yield* createRecord(token, appId, {})
        yield* app.call("POST", `/v1/automation/${id}/trigger`, { token, body: { trigger_on_record_id: record } })
        const [run] = yield* runsOver(id)
        assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
        const { json } = yield* app.call("GET", `/v1/automation-run/${run!.run_id}`, { token })
        const { execution_duration_ms: took, waiting_duration_ms: waited } = json.automation_run
        assert.isAtLeast(took, 300, what)
        assert.isAtLeast(waited, 0, what)
      }
    })
  )

  it.effect("plain runs of one record go one after another in event order, other records beside them (A17)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const id = yield* automate(token, appId, {
        trigger: { type: "record_updated", config: {} },
        actions: [setText(ref, "a"), setText(ref, "b")]
      })
      const records = [yield* createRecord(token, appId, {}), yield* createRecord(token, appId, {})]
      const versions = yield* Effect.forEach(
        [0, 1, 2, 3],
        (n) =>
          Effect.forEach(records, (record) =>
            app.call("PUT", `/v1/record/${record}`, { token, body: { fields: { reference: `v${n}` } } })
          ),
        { concurrency: 1 }
      )
      assert.isTrue(versions.flat().every(({ status }) => status === 200))
      yield* runsOver(id, 8)
      for (const record of records) {
        const runs = yield* sql<{ event_id: number; started_on: Date; completed_on: Date }>`
          SELECT event_id, started_on, completed_on FROM runs
          WHERE automation_id = ${id} AND record_id = ${record} ORDER BY run_id`
        assert.strictEqual(runs.length, 4)
        runs.slice(1).forEach((run, i) => {
          assert.isAbove(run.event_id, runs[i]!.event_id)
          assert.isAtLeast(run.started_on.getTime(), runs[i]!.completed_on.getTime())
        })
      }
    })
  )

  it.effect("a run that waits does not hold up the next of its record: they overlap (A17)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const app = yield* App
      const id = yield* automate(token, appId, {
        trigger: { type: "record_updated", config: {} },
        actions: [setText(ref, "begun"), delay(3_600_000)]
      })
      const record = yield* createRecord(token, appId, {})
      for (const text of ["one", "two", "three"]) {
        const update = yield* app.call("PUT", `/v1/record/${record}`, { token, body: { fields: { reference: text } } })
        assert.strictEqual(update.status, 200, update.text)
      }
      const runs = yield* eventually(
        "all three wait",
        runsOf(id),
        (rows) => rows.filter((r) => r.wait_until !== null).length === 3
      )
      assert.strictEqual(runs.length, 3)
    })
  )
})

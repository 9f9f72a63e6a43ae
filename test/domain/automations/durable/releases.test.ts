// What an earlier release left behind: definitions that this one reads anew or cannot read any more, and runs half-way, as rows,
// cursors and ledgers that this one finishes (service.md 2.7; decisions A1, A2; design: Postgres is the truth). The rows are written
// out here as they were stored, on purpose: a change that cannot go on from them fails.
import { assert, layer } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../../src/domain/automations/durable/Reconcile.ts"
import { App } from "../../../support/app.ts"
import { ddl } from "../../../support/database.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { assign, automate, createRecord, runsOf, runsOver, setText, settled, textOf } from "../runSupport.ts"
import { noticesOf, seedApp } from "../support.ts"

const created = { type: "record_created", config: {} }
const onCall = { type: "automation_called", config: {} }
const exit = { type: "exit", config: { exit_type: "success" } }

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  return { ...seeded, ref: seeded.fields["reference"]! }
})

/** What is stored becomes that of another release, in the automation and in its latest revision. */
const store = Effect.fnUntraced(function* (id: number, parts: Record<string, unknown>) {
  const sql = yield* SqlClient.SqlClient
  for (const [part, value] of Object.entries(parts)) {
    const json = JSON.stringify(value)
    yield* sql`UPDATE automations SET format = 0, ${sql(part)} = ${json}::jsonb WHERE automation_id = ${id}`
    yield* sql`UPDATE automation_revisions SET format = 0, ${sql(part)} = ${json}::jsonb
      WHERE revision_id = (SELECT revision_id FROM automations WHERE automation_id = ${id})`
  }
})

/** A step as an earlier release stored it: none of the members that came later. */
const bareSet = (id: string, ref: number, text: string) => ({
  id,
  type: "current_record_update",
  config: { field_assignments: [assign("single_text", ref, [text])], a_former_key: true }
})

interface HalfWay {
  readonly cursor: object
  readonly durable?: boolean
  readonly wait_until?: Date
  readonly ledger?: ReadonlyArray<readonly [path: string, iteration: string, state: string, result?: unknown]>
  readonly items?: readonly [path: string, items: ReadonlyArray<unknown>]
}
let event = 8_000_000_000_000

/** A run of the automation, half-way, that nobody executes. */
const leave = Effect.fnUntraced(function* (id: number, record: number, run: HalfWay) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ run_id: string; org_id: number; app_id: number }>`
    INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, cursor, fence, durable, wait_until,
      record_id, record_revision, depth, chain, log_seq, credits, created_on, filtering_on, started_on)
    SELECT org_id, app_id, automation_id, revision_id, ${++event}, 'regular', 'running', ${JSON.stringify(run.cursor)}::jsonb, 3,
      ${run.durable ?? true}, ${run.wait_until ?? null}, ${record}, 0, 1, '{}', 1, 0, now() - interval '1 minute', now(), now()
    FROM automations WHERE automation_id = ${id} RETURNING run_id::text, org_id, app_id`
  const { run_id } = row!
  const data = { type: "automation_called", record: null, previous: null, changed: null, arguments: {} }
  yield* sql`INSERT INTO run_triggers (run_id, data) VALUES (${run_id}::bigint, ${JSON.stringify(data)}::jsonb)`
  yield* sql`INSERT INTO run_logs (run_id, seq, type, status, label, messages, logged_on)
    VALUES (${run_id}::bigint, 1, 'trigger', 'success', 'Automation called', '[]', now())`
  for (const [path, iteration, state, result] of run.ledger ?? []) {
    yield* sql`INSERT INTO run_ledger (run_id, path, iteration, action_id, state, attempts, result, started_on, done_on)
      VALUES (${run_id}::bigint, ${path}, ${iteration}, ${`n${path}`}, ${state}, 1,
        ${result === undefined ? null : JSON.stringify(result)}::jsonb, now(), ${state === "done" ? new Date() : null})`
  }
  if (run.items !== undefined) {
    const [path, items] = run.items
    yield* sql`INSERT INTO run_items (run_id, path, iteration, chunk, items)
      VALUES (${run_id}::bigint, ${path}, '', 0, ${JSON.stringify(items)}::jsonb)`
  }
  return row!
})

/** The next release looks around. */
const reconciled = (full: boolean) => Effect.flatMap(Reconcile, (reconcile) => reconcile.run(full))

layer(spineLayer(), { excludeTestServices: true })("what an earlier release left", (it) => {
  it.effect("a definition is shown and executed with the defaults of today", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const app = yield* App
      const id = yield* automate(token, appId, { trigger: created, actions: [exit] })
      yield* store(id, {
        trigger: { type: "record_created", config: { app_id: appId } },
        filter: {
          operator: "and",
          rows: [
            {
              subject: { kind: "variable", source: "meta", meta_type: "app_record_id" },
              operator: "greater_than",
              value: { type: "number", number: "0" }
            }
          ]
        },
        actions: [bareSet("a", ref, "by today's")]
      })
      const { json } = yield* app.call("GET", `/v1/automation/${id}`, { token })
      assert.strictEqual(json.automation.status, "active")
      assert.deepStrictEqual(json.automation.trigger, { type: "record_created", config: {} })
      assert.deepStrictEqual(json.automation.filter.rows[0].value.number, ["0"])
      const [step] = json.automation.actions
      assert.deepInclude(step.config, { trigger_webhooks: true, trigger_other_flows: true, silent: false })
      assert.notProperty(step.config, "a_former_key")
      const {
        json: { revisions }
      } = yield* app.call("GET", `/v1/automation/${id}/revision`, { token })
      assert.deepStrictEqual(revisions[0].actions, json.automation.actions)
      const record = yield* createRecord(token, appId, {})
      assert.strictEqual((yield* runsOver(id))[0]!.status, "completed")
      assert.strictEqual(yield* textOf(record, ref), "by today's")
      // What is read is accepted on write.
      const { actions, filter, name, trigger } = json.automation
      const writeBack = yield* app.call("PUT", `/v1/automation/${id}`, {
        token,
        body: { actions, filter, name, trigger }
      })
      assert.strictEqual(writeBack.status, 200, writeBack.text)
    })
  )

  it.effect(
    "one that cannot be read makes the automation broken and its runs fail with the cause; sent anew it goes on",
    () =>
      Effect.gen(function* () {
        const { appId, orgId, ref, token } = yield* setting
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const id = yield* automate(token, appId, { trigger: created, actions: [exit] })
        const former = [{ id: "f", type: "a_former_action", config: { how: 1 } }]
        yield* store(id, { actions: former })
        const automationPath = `/v1/automation/${id}`
        const automationAnswer = yield* app.call("GET", automationPath, { token })
        assert.strictEqual(automationAnswer.status, 200, automationAnswer.text)
        assert.deepInclude(automationAnswer.json.automation, {
          status: "broken",
          broken: true,
          paused: false,
          actions: former
        })
        const [reason] = automationAnswer.json.automation.broken_reason.errors
        assert.deepInclude(reason, { code: "action_invalid", action_id: "f" })
        assert.match(reason.message, /can no longer be read.*actions\[0\]\.type: "a_former_action"/)
        const listing = yield* app.call("GET", `/v1/automation/app/${appId}`, { token })
        assert.deepStrictEqual(listing.json.automations, [automationAnswer.json.automation])
        const validity = yield* app.call("GET", `${automationPath}/validate`, { token })
        assert.deepStrictEqual(validity.json, { valid: false, errors: [reason] })
        for (const [method, path, body] of [
          ["POST", "/activate", undefined],
          ["POST", "/manual-run", { record_id: yield* createRecord(token, appId, {}, "?workflow=false") }],
          ["PUT", "", { name: "Renamed" }]
        ] as const) {
          const refusal = yield* app.call(method, automationPath + path, {
            token,
            ...(body === undefined ? {} : { body })
          })
          assert.strictEqual(refusal.status, 409, `${path} ${refusal.text}`)
        }
        assert.strictEqual((yield* app.call("POST", `${automationPath}/duplicate`, { token, body: {} })).status, 400)
        // An event that comes before anybody has looked.
        const record = yield* createRecord(token, appId, {})
        const [run] = yield* runsOver(id)
        assert.deepInclude(run, { status: "failed", failure_reason: "actions_setup_failed" })
        assert.match(run!.error_message!, /can no longer be read/)
        const runAnswer = yield* app.call("GET", `/v1/automation-run/${run!.run_id}`, { token })
        assert.match(JSON.stringify(runAnswer.json.automation_run.logs), /can no longer be read/)
        // A release looks at its start.
        assert.isAtLeast((yield* reconciled(true)).automations_broken, 1)
        const [row] = yield* sql<{ broken: boolean }>`
        SELECT broken FROM automations WHERE automation_id = ${id} AND org_id = ${orgId}`
        assert.isTrue(row!.broken)
        assert.strictEqual(yield* noticesOf(id, "broken"), 1)
        assert.strictEqual((yield* reconciled(true)).automations_broken, 0, "told once")
        const mended = yield* app.call("PUT", automationPath, { token, body: { actions: [setText(ref, "mended")] } })
        assert.strictEqual(mended.status, 200, mended.text)
        assert.strictEqual(
          (yield* app.call("POST", `${automationPath}/activate`, { token })).json.automation.status,
          "active"
        )
        const next = yield* createRecord(token, appId, {})
        assert.strictEqual((yield* runsOver(id, 2))[1]!.status, "completed")
        assert.strictEqual(yield* textOf(next, ref), "mended")
        assert.strictEqual(yield* textOf(record, ref), null)
      })
  )

  it.effect(
    "one that cannot be made broken keeps nothing else of the round from its turn, nor does a leak that stays",
    () =>
      Effect.gen(function* () {
        const { appId, ref, token } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const id = yield* automate(token, appId, { trigger: created, actions: [exit] })
        yield* store(id, { actions: [{ id: "f", type: "a_former_action", config: {} }] })
        const record = yield* createRecord(token, appId, {}, "?workflow=false")
        const other = yield* automate(token, appId, { trigger: onCall, actions: [setText(ref, "went on")] })
        yield* leave(other, record, { cursor: { path: "0", iteration: [] } })
        yield* sql`INSERT INTO automation_failing (automation_id, failing) VALUES (900000001, true)`
        yield* ddl(
          "CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused''; END'",
          `CREATE TRIGGER refused BEFORE UPDATE ON automations FOR EACH ROW WHEN (OLD.automation_id = ${id}) EXECUTE FUNCTION refused()`,
          "CREATE TRIGGER refused BEFORE DELETE ON run_waits FOR EACH STATEMENT EXECUTE FUNCTION refused()"
        )
        const cause = yield* Effect.flip(Effect.sandbox(reconciled(true))).pipe(
          Effect.ensuring(Effect.orDie(ddl("DROP FUNCTION refused CASCADE")))
        )
        assert.match(Cause.pretty(cause), /refused/)
        assert.strictEqual((yield* runsOver(other))[0]!.status, "completed")
        assert.strictEqual(yield* textOf(record, ref), "went on")
        assert.deepStrictEqual(yield* sql`SELECT 1 FROM automation_failing WHERE automation_id = 900000001`, [])
        assert.isAtLeast((yield* reconciled(true)).automations_broken, 1)
      })
  )

  it.effect(
    "a stored has-changed condition reads without operator, is valid and matches the change of its field (rule 7)",
    () =>
      Effect.gen(function* () {
        const { appId, fields, token } = yield* seedApp([
          { field_type: "single_text", config: { label: "Reference" } },
          { field_type: "number", config: { label: "Weight" } }
        ])
        const app = yield* App
        const id = yield* automate(token, appId, { trigger: { type: "record_updated", config: {} }, actions: [exit] })
        const subject = { kind: "variable", source: "field", field_id: fields["reference"], field_type: "single_text" }
        yield* store(id, { filter: { operator: "and", rows: [{ id: "h", subject }] } })
        const { json } = yield* app.call("GET", `/v1/automation/${id}`, { token })
        const [row] = json.automation.filter.rows
        assert.deepStrictEqual(Object.keys(row), ["id", "subject"])
        const validity = yield* app.call("GET", `/v1/automation/${id}/validate`, { token })
        assert.deepStrictEqual(validity.json, { valid: true, errors: [] })
        const secondWrite = yield* app.call("PUT", `/v1/automation/${id}`, {
          token,
          body: { filter: json.automation.filter }
        })
        assert.strictEqual(secondWrite.status, 400, secondWrite.text)
        const record = yield* createRecord(token, appId, { reference: "a" })
        for (const change of [{ weight: 1 }, { reference: "b" }, { weight: 2 }]) {
          yield* app.call("PUT", `/v1/record/${record}`, { token, body: { fields: change } })
        }
        yield* runsOver(id)
        yield* settled(appId)
        assert.deepStrictEqual(
          (yield* runsOf(id)).map(({ status }) => status),
          ["completed"]
        )
      })
  )

  it.effect("a schedule, a date and an inbound address whose config cannot be read are still, not faults", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const seeded = yield* seedApp([{ field_type: "single_date", config: { label: "Due" } }])
      const { appId, fields, token } = seeded
      const date_field_id = fields["due"]
      const periodic = yield* automate(token, appId, { trigger: { type: "periodic", config: {} }, actions: [exit] })
      const date = yield* automate(token, appId, {
        trigger: { type: "date_field_arrived", config: { date_field_id } },
        actions: [exit]
      })
      const older = yield* automate(token, appId, {
        trigger: { type: "date_field_arrived", config: { date_field_id } },
        actions: [exit]
      })
      const caught = yield* automate(token, appId, {
        trigger: { type: "webhook_received", config: {} },
        actions: [exit]
      })
      const { json } = yield* app.call("GET", `/v1/automation/${caught}`, { token })
      yield* store(periodic, { trigger: { type: "periodic", config: { schedule_type: "lunar" } } })
      yield* store(date, { trigger: { type: "date_field_arrived", config: { date_field_id: "due" } } })
      yield* store(older, { trigger: { type: "date_field_arrived", config: { date_field_id, a_former_key: 1 } } })
      yield* store(caught, { trigger: { type: "webhook_received", config: { response_status: "ok" } } })
      yield* createRecord(token, appId, { due: "2031-01-01" })
      const due = yield* sql<{ automation_id: number }>`SELECT automation_id FROM calendar_due WHERE app_id = ${appId}`
      assert.deepStrictEqual(due, [{ automation_id: older }])
      const url = new URL(json.automation.trigger.config.webhook_url)
      assert.strictEqual((yield* app.call("POST", url.pathname, { body: { a: 1 } })).status, 202)
      assert.isAtLeast((yield* reconciled(true)).automations_broken, 3)
      assert.strictEqual((yield* runsOf(caught)).length, 0)
    })
  )

  it.effect("a run half-way whose definition cannot be read fails with the cause", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: onCall, actions: [setText(ref, "never")] })
      yield* store(id, { actions: [{ id: "f", type: "a_former_action", config: {} }] })
      const record = yield* createRecord(token, appId, {})
      yield* leave(id, record, { cursor: { path: "0", iteration: [] } })
      yield* reconciled(false)
      const [run] = yield* runsOver(id)
      assert.deepInclude(run, { status: "failed", failure_reason: "actions_setup_failed" })
      assert.match(run!.error_message!, /can no longer be read/)
    })
  )

  it.effect("a run that stands where its definition has no step fails readably", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: onCall, actions: [setText(ref, "never")] })
      yield* leave(id, yield* createRecord(token, appId, {}), { cursor: { path: "7.then.1", iteration: [] } })
      yield* reconciled(false)
      const [run] = yield* runsOver(id)
      assert.deepInclude(run, { status: "failed", failure_reason: "actions_setup_failed" })
    })
  )

  it.effect(
    "a run in a delay waits for what is left of it, and one whose instant has passed goes on at once (A1)",
    () =>
      Effect.gen(function* () {
        const { appId, ref, token } = yield* setting
        const id = yield* automate(token, appId, { trigger: onCall, actions: [exit] })
        const delay = { id: "n1", type: "delay", group: "action", config: { delay_ms: 86_400_000 } }
        yield* store(id, { actions: [bareSet("n0", ref, "first"), delay, bareSet("n2", ref, "second")] })
        const wait = Effect.fnUntraced(function* (until: number) {
          const record = yield* createRecord(token, appId, {})
          const row = yield* leave(id, record, {
            cursor: { path: "1", iteration: [] },
            wait_until: new Date(until),
            ledger: [
              ["0", "", "done"],
              ["1", "", "started", { until }]
            ]
          })
          return { record, ...row }
        })
        const until = Date.now() + 4_000
        const pendingDelay = yield* wait(until)
        const past = yield* wait(Date.now() - 60_000)
        yield* reconciled(false)
        const runs = yield* runsOver(id, 2)
        for (const { record, run_id } of [pendingDelay, past]) {
          assert.strictEqual(yield* textOf(record, ref), "second")
          const run = runs.find((one) => one.run_id === run_id)!
          assert.strictEqual(run.status, "completed")
          // The first step is done already: only the delay and what comes after it are new.
          assert.deepStrictEqual(
            run.logs.filter(({ type }) => type === "action").map(({ action_id }) => action_id),
            ["n1", "n2"]
          )
        }
        const sql = yield* SqlClient.SqlClient
        const [over] = yield* sql<{
          on: Date
        }>`SELECT completed_on AS on FROM runs WHERE run_id = ${pendingDelay.run_id}::bigint`
        assert.isAtLeast(over!.on.getTime(), until)
      })
  )

  it.effect(
    "a run in the turn of a loop does what is left of the turn and the turns after it, and nothing twice (A1)",
    () =>
      Effect.gen(function* () {
        const { appId, ref, token } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const id = yield* automate(token, appId, { trigger: onCall, actions: [exit] })
        const make = (node: string, text: string) => ({
          id: node,
          type: "record_create",
          config: { app_id: appId, field_assignments: [assign("single_text", ref, [text])], trigger_other_flows: false }
        })
        const payload = { kind: "variable", source: "trigger", trigger_type: "webhook_payload" }
        const config = { iterable: payload, action_rows: [make("n0.body.0", "left"), make("n0.body.1", "right")] }
        yield* store(id, { actions: [{ id: "n0", type: "for_loop", config }] })
        const size = { type: "values", size: 4 }
        const body = (n: number, ...turns: ReadonlyArray<number>) =>
          turns.map((turn) => [`0.body.${n}`, String(turn), "done"] as const)
        const items = ["0", ["a", "b", "c", "d"]] as const
        const innerLoop = {
          cursor: { path: "0.body.1", iteration: [1] },
          items,
          ledger: [["0", "", "started", size], ...body(0, 0, 1), ...body(1, 0)] as const
        }
        const between = {
          cursor: { path: "0", iteration: [], turn: 3, ran: true },
          items,
          ledger: [["0", "", "started", size], ...body(0, 0, 1, 2), ...body(1, 0, 1, 2)] as const
        }
        const recordCounts = () =>
          Effect.map(
            sql<{
              text: string
              n: number
            }>`SELECT cells -> ${String(ref)} ->> 0 AS text, count(*)::int AS n FROM records
            WHERE app_id = ${appId} AND cells ? ${String(ref)} GROUP BY 1 ORDER BY 1`,
            (rows) => Object.fromEntries(rows.map(({ n, text }) => [text, n]))
          )
        const record = yield* createRecord(token, appId, {})
        yield* leave(id, record, innerLoop)
        yield* reconciled(false)
        const [first] = yield* runsOver(id)
        assert.strictEqual(first!.status, "completed", JSON.stringify(first))
        assert.deepStrictEqual(yield* recordCounts(), { left: 2, right: 3 })
        assert.strictEqual(first!.ledger.filter(({ state }) => state === "done").length, 9)
        yield* leave(id, record, between)
        yield* reconciled(false)
        assert.strictEqual((yield* runsOver(id, 2))[1]!.status, "completed")
        assert.deepStrictEqual(yield* recordCounts(), { left: 3, right: 4 })
      })
  )

  it.effect("a run in an outside step that was begun begins it once more, and the run goes on (A1)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: onCall, actions: [exit] })
      const def = { custom_type: "any", label: "Answer" }
      const code = {
        id: "n0",
        type: "custom_code",
        config: { code: ["return 'from the script'"], custom_variable_defs: [def] }
      }
      const answer = { kind: "variable", source: "custom", ...def }
      const set = {
        id: "n1",
        type: "current_record_update",
        config: { field_assignments: [{ ...assign("single_text", ref, []), field_value: [answer] }] }
      }
      yield* store(id, { actions: [code, set] })
      const record = yield* createRecord(token, appId, {})
      yield* leave(id, record, { cursor: { path: "0", iteration: [] }, ledger: [["0", "", "started"]] })
      yield* reconciled(false)
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
      assert.strictEqual(yield* textOf(record, ref), "from the script")
      assert.deepStrictEqual(
        run!.ledger.map(({ attempts, path, state }) => [path, state, attempts]),
        [
          ["0", "done", 2],
          ["1", "done", 1]
        ]
      )
    })
  )

  it.effect("a plain run in a step over a collection goes on behind the last record, from its mailbox row (A1)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const id = yield* automate(token, appId, { trigger: onCall, actions: [exit] })
      const collection = { kind: "variable", source: "action", action_type: "record_collection", app_id: appId }
      const update = {
        id: "n1",
        type: "collected_records_update",
        config: { record_collection: collection, field_assignments: [assign("single_text", ref, ["seen"])] }
      }
      yield* store(id, { actions: [{ id: "n0", type: "collect_app_records", config: { app_id: appId } }, update] })
      const records = yield* Effect.forEach([1, 2, 3], () => createRecord(token, appId, { reference: "new" }))
      const interruptedRun = yield* leave(id, records[0]!, {
        durable: false,
        cursor: { path: "1", iteration: [] },
        ledger: [
          ["0", "", "done"],
          ["1", "", "started", { size: 3, done: 1, failed: 0, messages: [] }]
        ],
        items: ["1", records]
      })
      const output = { type: "record_collection", app_id: appId, record_ids: records }
      yield* sql`INSERT INTO run_outputs (run_id, type, app_id, seq, output)
        VALUES (${interruptedRun.run_id}::bigint, 'record_collection', ${appId}, 1, ${JSON.stringify(output)}::jsonb)`
      yield* sql`INSERT INTO automation_events (event_id, type, org_id, app_id, record_id, depth, payload, created_on)
        VALUES (${event}, 'record.create', ${interruptedRun.org_id}, ${appId}, ${records[0]!}, 0, '{}', now())`
      yield* sql`INSERT INTO automation_inbox (app_id, org_id, automation_id, event_id, lane, run_id, due_at)
        VALUES (${appId}, ${interruptedRun.org_id}, ${id}, ${event}, ${records[0]!}, ${interruptedRun.run_id}::bigint, now() - interval '2 seconds')`
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
      const texts = yield* Effect.forEach(records, (record) => textOf(record, ref))
      assert.deepStrictEqual(texts, ["new", "seen", "seen"])
      const inbox = sql`SELECT 1 FROM automation_inbox WHERE automation_id = ${id}`
      yield* eventually("an empty mailbox", inbox, (rows) => rows.length === 0)
    })
  )
})

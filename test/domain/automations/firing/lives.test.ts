// What an edit, a pause or a deletion means to runs that exist (decisions A2), manual runs of what does not validate (A18).
import { assert, layer } from "@effect/vitest"
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { scheduleId } from "../../../../src/domain/automations/schedules/TemporalSchedules.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { RELAY_LOCK } from "../../../../src/platform/sql/advisoryLocks.ts"
import { App, seedUser } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOf, runsOver, setText, settled, textOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const created = { type: "record_created", config: {} }
const delay = (delay_ms: number) => ({ type: "delay", config: { delay_ms } })

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  return { ...seeded, ref: seeded.fields["reference"]! }
})

layer(spineLayer(), { excludeTestServices: true })("runs and their automation", (it) => {
  it.effect("editing and pausing while a run waits change nothing in it (A2)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const app = yield* App
      const id = yield* automate(token, appId, { trigger: created, actions: [delay(2_000), setText(ref, "old")] })
      const record = yield* createRecord(token, appId, {})
      const [waiting] = yield* eventually("waits", runsOf(id), (rows) => rows[0]?.wait_until != null)
      const edited = yield* app.call("PUT", `/v1/automation/${id}`, { token, body: { actions: [setText(ref, "new")] } })
      assert.strictEqual(edited.status, 200, edited.text)
      assert.strictEqual((yield* app.call("POST", `/v1/automation/${id}/pause`, { token })).status, 200)
      assert.isNotNull(waiting)
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed")
      assert.strictEqual(yield* textOf(record, ref), "old")
      const { json } = yield* app.call("GET", `/v1/automation/${id}/revision`, { token })
      const runAnswer = yield* app.call("GET", `/v1/automation-run/${run!.run_id}`, { token })
      assert.notStrictEqual(runAnswer.json.automation_run.automation_revision_id, String(json.revisions[0].id))
    })
  )

  it.effect("deleting cancels every unfinished run, waiting ones too, and their workflows end (A2, 7.2)", () =>
    Effect.gen(function* () {
      const { appId, orgId, ref, token } = yield* setting
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const temporal = yield* Temporal
      const id = yield* automate(token, appId, { trigger: created, actions: [delay(3_600_000), setText(ref, "never")] })
      yield* createRecord(token, appId, {})
      yield* createRecord(token, appId, {})
      yield* eventually(
        "both wait in their workflows",
        runsOf(id),
        (rows) => rows.filter((r) => r.wait_until !== null && r.workflow_started_on !== null).length === 2
      )
      // A third one has no place yet: the organization's are taken.
      yield* sql`INSERT INTO run_places (run_id, org_id, taken_on)
        SELECT 9000000000100 + i, ${orgId}, now() FROM generate_series(1, 50) AS i`
      yield* createRecord(token, appId, {})
      yield* eventually("a third", runsOf(id), (rows) => rows.length === 3 && rows[2]!.status === "pending")
      assert.strictEqual((yield* app.call("DELETE", `/v1/automation/${id}`, { token })).status, 200)
      const runs = yield* runsOver(id, 3)
      assert.deepStrictEqual([...new Set(runs.map(({ status }) => status))], ["cancelled"])
      for (const { run_id } of runs) {
        // Runs of deleted automations vanish (7.11).
        assert.strictEqual((yield* app.call("GET", `/v1/automation-run/${run_id}`, { token })).status, 404)
      }
      // Without a place it had no workflow.
      for (const { run_id } of runs.slice(0, 2)) {
        const handle = yield* Effect.map(temporal.client, (client) =>
          client.workflow.getHandle(runWorkflowId({ automation_id: id, run_id }))
        )
        yield* eventually(
          "the workflow is over",
          Effect.promise(() => handle.describe()),
          ({ status }) => status.name === "COMPLETED"
        )
      }
    })
  )

  it.effect("manual run and simulate of a definition that does not validate are 409 with errors (A18)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const app = yield* App
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "valid")] })
      const record = yield* createRecord(token, appId, {}, "?workflow=false")
      const edited = yield* app.call("PUT", `/v1/automation/${id}`, {
        token,
        body: { actions: [setText(999_999_999, "invalid")] }
      })
      assert.strictEqual(edited.status, 200, edited.text)
      assert.strictEqual(edited.json.automation.status, "active")
      for (const what of ["manual-run", "simulate"]) {
        const answer = yield* app.call("POST", `/v1/automation/${id}/${what}`, { token, body: { record_id: record } })
        assert.strictEqual(answer.status, 409, answer.text)
        assert.match(answer.text, /field_assignment_variable_missing/)
      }
      assert.strictEqual((yield* runsOf(id)).length, 0)
    })
  )

  it.effect(
    "deleting an app ends what its automations had begun: no run, event, schedule or workflow stays (3.1, 7.2)",
    () =>
      Effect.gen(function* () {
        const { appId, orgId, ref, token } = yield* setting
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const temporal = yield* Temporal
        const id = yield* automate(token, appId, {
          trigger: created,
          actions: [delay(3_600_000), setText(ref, "never")]
        })
        const periodic = yield* automate(token, appId, {
          trigger: { type: "periodic", config: {} },
          actions: [{ type: "exit", config: { exit_type: "success" } }]
        })
        const schedule = temporal.call((client) => client.schedule.getHandle(scheduleId(periodic)).describe())
        yield* eventually("a schedule", Effect.isSuccess(schedule), (there) => there)
        yield* createRecord(token, appId, {})
        const [run] = yield* eventually(
          "waits in its workflow",
          runsOf(id),
          ([one]) => one?.wait_until != null && one.workflow_started_on !== null
        )
        // One has no place, and an event has not become a run yet.
        yield* sql`INSERT INTO run_places (run_id, org_id, taken_on)
        SELECT 9000000000200 + i, ${orgId}, now() FROM generate_series(1, 50) AS i`
        yield* createRecord(token, appId, {})
        yield* eventually("a second", runsOf(id), (rows) => rows.length === 2)
        yield* sql`INSERT INTO automation_inbox (app_id, org_id, automation_id, event_id, due_at)
        VALUES (${appId}, ${orgId}, ${id}, 9000000000000, now() + interval '1 hour')`
        assert.strictEqual((yield* app.call("DELETE", `/v1/app/${appId}`, { token })).status, 200)
        const runs = yield* runsOver(id, 2)
        assert.deepStrictEqual([...new Set(runs.map(({ status }) => status))], ["cancelled"])
        const workflow = temporal.call((client) =>
          client.workflow.getHandle(runWorkflowId({ automation_id: id, run_id: run!.run_id })).describe()
        )
        yield* eventually("the workflow is over", workflow, ({ status }) => status.name === "COMPLETED")
        yield* eventually("no schedule", Effect.isSuccess(schedule), (there) => !there)
        const inboxRows = sql`SELECT row_id FROM automation_inbox WHERE app_id = ${appId}`
        yield* eventually("an empty mailbox", inboxRows, (rows) => rows.length === 0)
        const heldSlots = sql`SELECT 1 FROM run_places WHERE run_id = ANY(${runs.map((r) => r.run_id)}::text[]::bigint[])`
        yield* eventually("no place is held", heldSlots, (rows) => rows.length === 0)
      })
  )

  it.effect("a list restricts `record_updated` to those fields, null does not, `[]` never fires (trigger rule 4)", () =>
    Effect.gen(function* () {
      const { appId, fields, token } = yield* seedApp([
        { field_type: "single_text", config: { label: "Reference" } },
        { field_type: "number", config: { label: "Weight" } },
        { field_type: "last_modified_at", config: { label: "Changed" } }
      ])
      const app = yield* App
      const actions = [{ type: "exit", config: { exit_type: "success" } }]
      const on = (ids: ReadonlyArray<number> | null) => ({
        type: "record_updated",
        config: { trigger_on_changes_field_ids: ids }
      })
      const [reference, weight, changed] = [fields["reference"]!, fields["weight"]!, fields["changed"]!]
      const any = yield* automate(token, appId, { trigger: on(null), actions })
      const some = yield* automate(token, appId, { trigger: on([reference]), actions })
      const computed = yield* automate(token, appId, { trigger: on([changed]), actions })
      const never = yield* automate(token, appId, { trigger: on([weight]), actions })
      const emptied = yield* app.call("PUT", `/v1/automation/${never}/trigger`, { token, body: on([]) })
      assert.deepStrictEqual([emptied.status, emptied.json.automation.status], [200, "active"])
      const { json } = yield* app.call("GET", `/v1/automation/${never}/validate`, { token })
      assert.deepStrictEqual([json.valid, json.errors[0].code], [false, "trigger_updated_fields_empty"])
      const record = yield* createRecord(token, appId, { reference: "a", weight: 1 })
      const sql = yield* SqlClient.SqlClient
      const putRecord = (fields: object) =>
        app
          .call("PUT", `/v1/record/${record}`, { token, body: { fields } })
          .pipe(Effect.tap(({ status, text }) => Effect.sync(() => assert.strictEqual(status, 200, text))))
      for (const change of [{ weight: 2 }, { reference: "b" }, { reference: "c", weight: 3 }]) {
        yield* putRecord(change)
        // Times have seconds: a change within the same one leaves `last_modified_at` as it is.
        yield* sql`UPDATE records SET last_modified_on = last_modified_on - interval '1 minute' WHERE record_id = ${record}`
      }
      yield* runsOver(any, 3)
      yield* runsOver(computed, 3)
      yield* runsOver(some, 2)
      yield* settled(appId)
      const counts = yield* Effect.forEach([any, some, computed, never], (id) =>
        Effect.map(runsOf(id), (r) => r.length)
      )
      assert.deepStrictEqual(counts, [3, 2, 3, 0])
    })
  )

  it.effect("the filter, previous and the changed fields judge what happened, steps read what is (A7)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const subject = { kind: "variable", source: "field", field_id: ref, field_type: "single_text" }
      const filter = (row: object) => ({ operator: "and", rows: [row] })
      const was = (text: string, more: object = {}) =>
        filter({ subject: { ...subject, ...more }, operator: "is", value: { type: "text", text: [text] } })
      const variableStep = (label: string, ...assignment_code: ReadonlyArray<unknown>) => ({
        type: "custom_variable",
        config: { assignment_code, custom_variable_defs: [{ custom_type: "any", label }] }
      })
      const updated = { type: "record_updated", config: { trigger_on_changes_field_ids: [ref] } }
      const actions = [
        variableStep("now", subject),
        variableStep("before", { ...subject, previous: true }),
        variableStep("state", "[current_record.fields.reference, previous_record.fields.reference]")
      ]
      const ids = yield* Effect.forEach(
        [was("one"), was("two"), was("three"), was("one", { previous: true })],
        (condition) => automate(token, appId, { trigger: updated, filter: condition, actions })
      )
      const record = yield* createRecord(token, appId, { reference: "zero" })
      // The relay stands still: both changes are made before anything judges the first.
      const putReference = (reference: string) =>
        app.call("PUT", `/v1/record/${record}`, { token, body: { fields: { reference } } })
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT pg_advisory_xact_lock(${RELAY_LOCK})`
          for (const text of ["one", "two"]) {
            const { status } = yield* putReference(text)
            assert.strictEqual(status, 200)
          }
        })
      )
      for (const index of [0, 1, 3]) yield* runsOver(ids[index]!)
      // What judges and makes no run is over, too.
      yield* settled(appId)
      const results = yield* Effect.forEach(ids, (id) =>
        Effect.gen(function* () {
          const runs = yield* runsOf(id)
          assert.isTrue(runs.every((row) => row.status === "completed"))
          const rows = yield* sql<{ label: string; value: unknown }>`
            SELECT label, value FROM run_variables WHERE run_id = ANY(${runs.map((r) => r.run_id)}::text[]::bigint[])`
          return Object.fromEntries(rows.map(({ label, value }) => [label, value]))
        })
      )
      const [one, two, three, afterOne] = results
      assert.deepStrictEqual(one, { now: "two", before: "zero", state: ["two", "zero"] }, "judged as it was")
      assert.deepStrictEqual(two, { now: "two", before: "one", state: ["two", "one"] })
      assert.deepStrictEqual(three, {})
      assert.deepStrictEqual(afterOne, { now: "two", before: "one", state: ["two", "one"] })
    })
  )

  it.effect("previous has the title and the last modification of before, too (7.4, 8.2, A7)", () =>
    Effect.gen(function* () {
      const { appId, orgId, owner, ref, token } = yield* setting
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const other = yield* seedUser(orgId, "admin")
      const modifier = { kind: "variable", source: "meta", meta_type: "last_modified_by", previous: true }
      const trigger = { type: "record_updated", config: { trigger_on_changes_field_ids: [ref] } }
      const custom_variable_defs = [{ custom_type: "any", label: "seen" }]
      const assignment_code = ["[previous_record.title, ", modifier, "]"]
      const actions = [{ type: "custom_variable", config: { assignment_code, custom_variable_defs } }]
      const filter = (user: number) => ({
        operator: "and",
        rows: [{ subject: modifier, operator: "is_any_of", value: { type: "ids", ids: [user] } }]
      })
      const any = yield* automate(token, appId, { trigger, actions })
      const byOwner = yield* automate(token, appId, { trigger, filter: filter(owner.userId), actions })
      const byOther = yield* automate(token, appId, { trigger, filter: filter(other.userId), actions })
      const record = yield* createRecord(token, appId, { reference: "A" })
      // The relay stands still: all changes are made before anything judges the first.
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT pg_advisory_xact_lock(${RELAY_LOCK})`
          for (const [reference, key] of [
            ["B", owner.key],
            ["C", other.key],
            ["D", owner.key]
          ] as const) {
            const update = yield* app.call("PUT", `/v1/record/${record}`, {
              token: key,
              body: { fields: { reference } }
            })
            assert.strictEqual(update.status, 200, update.text)
          }
        })
      )
      yield* runsOver(any, 3)
      yield* settled(appId)
      const seenValues = Effect.fnUntraced(function* (id: number) {
        const runs = yield* runsOver(id, 1)
        const rows = yield* sql<{ value: ReadonlyArray<unknown> }>`
          SELECT value FROM run_variables WHERE run_id = ANY(${runs.map((r) => r.run_id)}::text[]::bigint[]) ORDER BY run_id`
        return rows.map(({ value }) => value[0])
      })
      assert.deepStrictEqual(yield* seenValues(any), ["A", "B", "C"])
      assert.deepStrictEqual(yield* seenValues(byOwner), ["B"])
      assert.deepStrictEqual(yield* seenValues(byOther), ["C"])
    })
  )

  it.effect("what had happened when it was activated does not fire it, however late that is handed over (7.2)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const reactivatedId = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "again")] })
      const change = (to: string) => app.call("POST", `/v1/automation/${reactivatedId}/${to}`, { token })
      const [first] = yield* sql.withTransaction(
        Effect.gen(function* () {
          // The relay stands still.
          yield* sql`SELECT pg_advisory_xact_lock(${RELAY_LOCK})`
          yield* change("pause")
          yield* createRecord(token, appId, {})
          yield* change("activate")
          const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "done")] })
          return [id, yield* createRecord(token, appId, {})]
        })
      )
      for (const id of [first!, reactivatedId]) yield* runsOver(id)
      yield* settled(appId)
      for (const id of [first!, reactivatedId]) assert.lengthOf(yield* runsOf(id), 1)
    })
  )

  it.effect("big values live in Postgres: a run's history and its actor's hold ids, counts and decisions (A3)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const app = yield* App
      const temporal = yield* Temporal
      const marker = "quite-unmistakable"
      const text = { kind: "variable", source: "trigger", trigger_type: "webhook_payload_property", key_path: ["text"] }
      const lines = { ...text, key_path: ["lines"] }
      const id = yield* automate(token, appId, {
        trigger: { type: "webhook_received", config: {} },
        actions: [
          {
            type: "custom_variable",
            config: { assignment_code: [text], custom_variable_defs: [{ custom_type: "any", label: "big" }] }
          },
          { type: "collect_app_records", config: { app_id: appId } },
          {
            type: "for_loop",
            config: {
              iterable: lines,
              action_rows: [
                {
                  type: "custom_code",
                  config: { code: ["return loop_item"], custom_variable_defs: [{ custom_type: "any", label: "out" }] }
                }
              ]
            }
          },
          {
            type: "conditional",
            config: {
              condition: null,
              action_rows: [
                {
                  type: "custom_code",
                  config: {
                    code: ["return 'behind a branch'"],
                    custom_variable_defs: [{ custom_type: "any", label: "branch" }]
                  }
                }
              ]
            }
          },
          delay(1_000),
          {
            type: "record_create",
            config: {
              app_id: appId,
              trigger_other_flows: false,
              field_assignments: [
                {
                  field_type: "single_text",
                  variable_def: { kind: "variable", source: "field", field_id: ref, field_type: "single_text" },
                  assignment_type: "set_code",
                  code: ["var_big.length + ' ' + var_out.slice(0, 18) + ' ' + var_branch"]
                }
              ]
            }
          }
        ]
      })
      const webhook_payload = { text: marker.repeat(12_000), lines: [1, 2].map((n) => `${marker}${n}`.repeat(20_000)) }
      const runRequest = yield* app.call("POST", `/v1/automation/${id}/manual-run`, {
        token,
        body: { webhook_payload }
      })
      assert.strictEqual(runRequest.status, 202, runRequest.text)
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
      const sql = yield* SqlClient.SqlClient
      const [made] = yield* sql<{ text: string }>`
        SELECT cells -> ${String(ref)} ->> 0 AS text FROM records WHERE app_id = ${appId}`
      assert.strictEqual(made!.text, `${marker.length * 12_000} ${marker} behind a branch`)
      for (const workflowId of [
        runWorkflowId({ automation_id: id, run_id: run!.run_id }),
        `automations/app/${appId}`
      ]) {
        const history = yield* temporal.call(async (client) =>
          JSON.stringify(historyToJSON(await client.workflow.getHandle(workflowId).fetchHistory()))
        )
        assert.notInclude(history, marker, workflowId)
        assert.notInclude(history, Buffer.from(marker).toString("base64").slice(0, 20), workflowId)
        assert.isBelow(history.length, 100_000, workflowId)
      }
    })
  )
})

// developer-api.md 7.13: an open run says why it waits, since when, until when and at which step; what has caused it, and what it causes.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationSlots } from "../../../../src/domain/automations/run/OrganizationSlots.ts"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, endDelays, runsOf, runsOver, setText, textOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const created = { type: "record_created", config: {} }
const delay = { type: "delay", custom_name: "Sleep on it", config: { delay_ms: 3_600_000 } }
const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const app = yield* App
  const get = (runId: string) =>
    Effect.map(
      app.call("GET", `/v1/automation-run/${runId}`, { token: seeded.token }),
      ({ json }) => json.automation_run
    )
  const list = (body: object) =>
    Effect.map(
      app.call("POST", "/v1/automation-run", { token: seeded.token, body }),
      ({ json }) => json.automation_runs as ReadonlyArray<any>
    )
  return { ...seeded, app, get, list, ref: seeded.fields["reference"]! }
})

/** Places taken by a run of nobody's; answers how to give it back. */
const occupy = Effect.fnUntraced(function* (orgId: number, id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO runs (run_id, org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on)
    OVERRIDING SYSTEM VALUE VALUES (${id}::bigint, ${orgId}, 0, 0, 0, ${id}::bigint, 'regular', 'running', false, 0, '{}', now())`
  yield* sql`INSERT INTO run_places (run_id, org_id, taken_on) VALUES (${id}::bigint, ${orgId}, now())`
  return OrganizationSlots.use((places) => places.release(orgId, id))
})

layer(spineLayer({ RUNS_CONCURRENT: "1" }), { excludeTestServices: true })("why a run waits (7.13)", (it) => {
  it.effect("in a delay, with the step and its label; then it does not", () =>
    Effect.gen(function* () {
      const { appId, get, list, ref, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: created, actions: [delay, setText(ref, "rested")] })
      const record = yield* createRecord(token, appId, {})
      const [run] = yield* eventually("it waits", runsOf(id), (rows) => rows[0]?.wait_until != null)
      const waitingRun = yield* get(run!.run_id)
      const { since, until, ...rest } = waitingRun.waiting
      assert.deepStrictEqual(rest, {
        why: "delay",
        action_id: waitingRun.present_step.action_id,
        label: "Sleep on it",
        iteration: []
      })
      assert.match(since, time)
      // It begins to wait when that is committed, a moment after the step; both are told in whole seconds.
      assert.include([3_599_000, 3_600_000], Date.parse(`${until}Z`) - Date.parse(`${since}Z`))
      assert.strictEqual(waitingRun.present_step.attempts, 1)
      assert.deepStrictEqual(
        (yield* list({ waiting: ["delay"], record_ids: [record] })).map((one) => [one.id, one.waiting.label]),
        [[run!.run_id, "Sleep on it"]]
      )
      yield* endDelays(id)
      yield* runsOver(id)
      const finishedRun = yield* get(run!.run_id)
      assert.deepStrictEqual(
        [finishedRun.status, finishedRun.waiting, finishedRun.present_step],
        ["completed", null, undefined]
      )
      assert.strictEqual(yield* textOf(record, ref), "rested")
    })
  )

  it.effect("in a loop it names the item, 0-based", () =>
    Effect.gen(function* () {
      const { app, appId, get, token } = yield* setting
      const iterable = {
        kind: "variable",
        source: "trigger",
        trigger_type: "webhook_payload_property",
        key_path: ["names"]
      }
      const id = yield* automate(token, appId, {
        trigger: { type: "webhook_received", config: {} },
        actions: [{ type: "for_loop", config: { iterable, action_rows: [delay] } }]
      })
      const body = { webhook_payload: { names: ["a", "b"] } }
      yield* app.call("POST", `/v1/automation/${id}/manual-run`, { token, body })
      const iteration = eventually("it waits", runsOf(id), (rows) => rows[0]?.wait_until != null).pipe(
        Effect.flatMap(([run]) => get(run!.run_id)),
        Effect.map(({ waiting }) => waiting?.iteration)
      )
      assert.deepStrictEqual(yield* iteration, [0])
      yield* endDelays(id)
      yield* eventually("the next item", iteration, (at) => at?.[0] === 1)
      yield* endDelays(id)
      yield* runsOver(id)
    })
  )

  it.effect("for a place, and for credits", () =>
    Effect.gen(function* () {
      const { appId, get, list, orgId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const release = yield* occupy(orgId, "9000000000101")
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "in")] })
      yield* createRecord(token, appId, {})
      const [placeless] = yield* eventually("one waits", runsOf(id), (rows) => rows[0]?.status === "pending")
      const inLine = yield* get(placeless!.run_id)
      assert.deepStrictEqual(
        [inLine.waiting.why, inLine.waiting.until, inLine.waiting.action_id],
        ["place", null, inLine.present_step.action_id]
      )
      yield* release
      yield* runsOver(id)
      assert.isNull((yield* get(placeless!.run_id)).waiting)
      yield* sql`INSERT INTO run_credits (org_id, hour, used)
        SELECT ${orgId}, date_trunc('hour', now()) + i * interval '1 hour', 1000000 FROM generate_series(0, 1) AS i
        ON CONFLICT (org_id, hour) DO UPDATE SET used = excluded.used`
      const poor = list({ automation_ids: [id], waiting: ["credits"] })
      const [run] = yield* eventually(
        "the hour is known to be spent",
        Effect.andThen(createRecord(token, appId, {}), poor),
        (rows) => rows.length > 0
      )
      const { since, until, why } = run.waiting
      assert.strictEqual(why, "credits")
      assert.strictEqual(Date.parse(`${until}Z`) - Date.parse(`${since}Z`), 300_000)
    })
  )

  it.effect("a run names the run that caused it and the chain; that one names what it has caused", () =>
    Effect.gen(function* () {
      const { app, appId, get, list, ref, token } = yield* setting
      const follower = yield* automate(token, appId, {
        trigger: { type: "record_updated", config: {} },
        actions: [{ ...delay, config: { delay_ms: 1_000 } }]
      })
      const leader = yield* automate(token, appId, {
        trigger: created,
        actions: [
          {
            ...setText(ref, "go"),
            config: { ...setText(ref, "go").config, trigger_other_flows: true }
          }
        ]
      })
      yield* createRecord(token, appId, {})
      const [first] = yield* runsOver(leader)
      const [second] = yield* runsOver(follower)
      const child = yield* get(second!.run_id)
      assert.deepStrictEqual([child.caused_by_run_id, child.chain_run_id], [first!.run_id, first!.run_id])
      assert.deepStrictEqual((yield* get(first!.run_id)).child_run_ids, [second!.run_id])
      assert.deepStrictEqual(
        (yield* list({ chain_run_ids: [first!.run_id] })).map((run) => run.id),
        [second!.run_id, first!.run_id]
      )
      const followerRun = yield* app.call("POST", `/v1/automation/${follower}/simulate`, {
        token,
        body: { record_id: child.triggered_on_record_id }
      })
      assert.strictEqual(followerRun.status, 202, followerRun.text)
      const [, simulated] = yield* runsOver(follower, 2)
      const { caused_by_run_id, chain_run_id, child_run_ids } = yield* get(simulated!.run_id)
      assert.deepStrictEqual([caused_by_run_id, chain_run_id, child_run_ids], [undefined, undefined, undefined])
    })
  )
})

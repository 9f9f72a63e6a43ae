// developer-api.md 7.13: `concurrency` bounds the runs of an automation that are under way at once, whatever starts them, and says what
// becomes of the next: it waits in order, is skipped, or replaces the oldest.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, endDelays, runsOf, runsOver, setText, settled, textOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const created = { type: "record_created", config: {} }
const called = { type: "automation_called", config: {} }
const delay = { type: "delay", config: { delay_ms: 3_600_000 } }

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const app = yield* App
  const { token } = seeded
  const get = (runId: string) =>
    Effect.map(app.call("GET", `/v1/automation-run/${runId}`, { token }), ({ json }) => json.automation_run)
  const call = Effect.fnUntraced(function* (id: number, record: number, more: object = {}) {
    const body = { trigger_on_record_id: record, ...more }
    const reply = yield* app.call("POST", `/v1/automation/${id}/trigger`, { token, body })
    assert.strictEqual(reply.status, 202, reply.text)
  })
  const change = Effect.fnUntraced(function* (id: number, body: object) {
    const reply = yield* app.call("PUT", `/v1/automation/${id}`, { token, body })
    assert.strictEqual(reply.status, 200, reply.text)
  })
  return { ...seeded, app, call, change, get, ref: seeded.fields["reference"]! }
})

type Setting = Effect.Success<typeof setting>
/** What each of the automation's runs waits for; its status where it is over, `on` where it goes on. */
const statesOf = (id: number, { get }: Setting) =>
  Effect.flatMap(runsOf(id), (runs) =>
    Effect.forEach(runs, ({ run_id }) =>
      Effect.map(get(run_id), ({ status, waiting }) =>
        status === "pending" || status === "running" ? ((waiting?.why ?? "on") as string) : (status as string)
      )
    )
  )
const awaitStates = (id: number, place: Setting, expected: ReadonlyArray<string>) =>
  eventually(expected.join(", "), statesOf(id, place), (found) => found.join() === expected.join())

layer(spineLayer(), { excludeTestServices: true })("concurrency of an automation (7.13)", (it) => {
  it.effect("wait: the next stand in line in order, whatever starts them, and are called one by one", () =>
    Effect.gen(function* () {
      const setup = yield* setting
      const { appId, call, get, token, ref } = setup
      const concurrency = { at_most: 1 }
      const id = yield* automate(token, appId, { trigger: called, concurrency, actions: [delay, setText(ref, "done")] })
      const records = [yield* createRecord(token, appId, {}), yield* createRecord(token, appId, {})]
      yield* call(id, records[0]!)
      yield* awaitStates(id, setup, ["delay"])
      yield* call(id, records[1]!)
      yield* awaitStates(id, setup, ["delay", "concurrency"])
      const body = { record_id: records[0]! }
      yield* setup.app.call("POST", `/v1/automation/${id}/manual-run`, { token, body })
      yield* awaitStates(id, setup, ["delay", "concurrency", "concurrency"])
      // A simulation is nobody's business.
      yield* setup.app.call("POST", `/v1/automation/${id}/simulate`, { token, body })
      yield* awaitStates(id, setup, ["delay", "concurrency", "concurrency", "completed"])
      const [, second] = yield* runsOf(id)
      const { until, label } = (yield* get(second!.run_id)).waiting
      assert.deepStrictEqual([until, label], [null, "Delay"])
      yield* endDelays(id)
      yield* awaitStates(id, setup, ["completed", "delay", "concurrency", "completed"])
      yield* endDelays(id)
      yield* awaitStates(id, setup, ["completed", "completed", "delay", "completed"])
      yield* endDelays(id)
      yield* awaitStates(id, setup, ["completed", "completed", "completed", "completed"])
      yield* settled(appId)
    })
  )

  it.effect("per_record: other records go beside", () =>
    Effect.gen(function* () {
      const setup = yield* setting
      const { appId, call, token } = setup
      const concurrency = { at_most: 1, per_record: true }
      const id = yield* automate(token, appId, { trigger: called, concurrency, actions: [delay] })
      const [a, b] = [yield* createRecord(token, appId, {}), yield* createRecord(token, appId, {})]
      yield* call(id, a)
      yield* call(id, a)
      yield* awaitStates(id, setup, ["delay", "concurrency"])
      yield* call(id, b)
      yield* awaitStates(id, setup, ["delay", "concurrency", "delay"])
      yield* endDelays(id)
      yield* awaitStates(id, setup, ["completed", "delay", "completed"])
    })
  )

  it.effect("skip: the next ends as cancelled and says why; once there is room runs begin again", () =>
    Effect.gen(function* () {
      const setup = yield* setting
      const { appId, call, get, token } = setup
      const concurrency = { at_most: 1, when_full: "skip" }
      const id = yield* automate(token, appId, { trigger: called, concurrency, actions: [delay] })
      const record = yield* createRecord(token, appId, {})
      yield* call(id, record)
      yield* awaitStates(id, setup, ["delay"])
      yield* call(id, record)
      yield* awaitStates(id, setup, ["delay", "cancelled"])
      const [, skipped] = yield* runsOf(id)
      const skippedRun = yield* get(skipped!.run_id)
      assert.strictEqual(skippedRun.error_message, "Skipped: at most 1 of the automation's runs is under way at once.")
      assert.deepStrictEqual([skippedRun.waiting, skippedRun.logs.at(-1).status], [null, "skipped"])
      yield* endDelays(id)
      yield* runsOver(id)
      yield* call(id, record)
      yield* awaitStates(id, setup, ["completed", "cancelled", "delay"])
      yield* settledBut(id)
    })
  )

  it.effect("replace: the oldest is cancelled and says by whom; one that executes ends before the next begins", () =>
    Effect.gen(function* () {
      const setup = yield* setting
      const { appId, call, get, ref, token } = setup
      const concurrency = { at_most: 1, when_full: "replace" }
      const id = yield* automate(token, appId, { trigger: called, concurrency, actions: [delay] })
      const record = yield* createRecord(token, appId, {})
      yield* call(id, record)
      yield* awaitStates(id, setup, ["delay"])
      yield* call(id, record)
      yield* awaitStates(id, setup, ["cancelled", "delay"])
      const [first, second] = yield* runsOf(id)
      const replacedRun = yield* get(first!.run_id)
      const why = `Replaced by run ${second!.run_id}: at most 1 of the automation's runs is under way at once.`
      assert.deepStrictEqual([replacedRun.error_message, replacedRun.logs.at(-1).messages[0].message], [why, why])
      // In the middle of a step.
      const code = { type: "custom_code", config: { code: ["await sleep(8000)"] } }
      const busy = yield* automate(token, appId, {
        trigger: called,
        concurrency,
        actions: [code, setText(ref, "behind"), delay]
      })
      yield* call(busy, record)
      yield* eventually("it executes", runsOf(busy), ([run]) => run?.ledger[0]?.state === "started")
      yield* call(busy, record)
      yield* awaitStates(busy, setup, ["on", "concurrency"])
      assert.isNull(yield* textOf(record, ref))
      // The one in line is replaced as well.
      yield* call(busy, record)
      yield* awaitStates(busy, setup, ["cancelled", "cancelled", "delay"])
      const [stopped, inLine, last] = yield* runsOf(busy)
      assert.deepStrictEqual(
        [stopped, inLine].map((run) => run!.error_message?.split(":")[0]),
        [`Replaced by run ${inLine!.run_id}`, `Replaced by run ${last!.run_id}`]
      )
      assert.isTrue(
        stopped!.completed_on!.getTime() <= (last as unknown as { started_on: Date }).started_on.getTime(),
        "only then it began"
      )
    })
  )

  it.effect("of many that come at once never more than at_most are under way, and all come to their turn", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const id = yield* automate(token, appId, {
        trigger: created,
        concurrency: { at_most: 3 },
        actions: [{ type: "delay", config: { delay_ms: 1_000 } }, setText(ref, "done")]
      })
      yield* Effect.forEach(Array.from({ length: 12 }), () => createRecord(token, appId, {}), { concurrency: 6 })
      yield* runsOver(id, 12)
      const rows = yield* sql<{ under_way: number; ahead: number }>`
        SELECT (SELECT count(*)::int FROM runs o WHERE o.automation_id = ${id}
            AND o.started_on <= r.started_on AND o.completed_on > r.started_on) AS under_way,
          abs(row_number() OVER (ORDER BY started_on) - row_number() OVER (ORDER BY run_id))::int AS ahead
        FROM runs r WHERE automation_id = ${id}`
      assert.strictEqual(Math.max(...rows.map(({ under_way }) => under_way)), 3)
      assert.isBelow(
        Math.max(...rows.map(({ ahead }) => ahead)),
        3,
        "called in order; those called together begin together"
      )
    })
  )

  it.effect("new settings count for those in line; one that is cancelled leaves it; deletion ends all of them", () =>
    Effect.gen(function* () {
      const setup = yield* setting
      const { app, appId, call, change, token } = setup
      const id = yield* automate(token, appId, { trigger: called, concurrency: { at_most: 1 }, actions: [delay] })
      const record = yield* createRecord(token, appId, {})
      for (let i = 0; i < 5; i++) yield* call(id, record)
      yield* awaitStates(id, setup, ["delay", ...Array.from({ length: 4 }, () => "concurrency")])
      const [, second] = yield* runsOf(id)
      const cancelled = yield* app.call("POST", `/v1/automation-run/${second!.run_id}/cancel`, { token })
      assert.strictEqual(cancelled.json.automation_run.status, "cancelled", cancelled.text)
      yield* change(id, { concurrency: { at_most: 2 } })
      yield* awaitStates(id, setup, ["delay", "cancelled", "delay", "concurrency", "concurrency"])
      yield* app.call("DELETE", `/v1/automation/${id}`, { token })
      yield* runsOver(id, 5)
      yield* settled(appId)
      const other = yield* automate(token, appId, { trigger: called, concurrency: { at_most: 1 }, actions: [delay] })
      for (let i = 0; i < 3; i++) yield* call(other, record)
      yield* awaitStates(other, setup, ["delay", "concurrency", "concurrency"])
      yield* change(other, { concurrency: null })
      yield* awaitStates(other, setup, ["delay", "delay", "delay"])
    })
  )
})

/** Nothing of the automation waits in the mailbox. */
const settledBut = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    eventually(
      "no mailbox rows",
      sql`SELECT 1 FROM automation_inbox WHERE automation_id = ${id}`,
      (rows) => rows.length === 0
    )
  )

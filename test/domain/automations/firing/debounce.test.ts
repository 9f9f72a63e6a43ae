// developer-api.md 7.13: with `debounce_ms` the changes of a record fire once, so long after the last, with the state after it;
// `previous` is that before the first, and the filter is judged on all of them together (decisions A7).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOf, runsOver, setText, settled, textOf } from "../runSupport.ts"
import { field, seedApp } from "../support.ts"

const HOUR = 3_600_000
const updated = (ids: ReadonlyArray<number> | null = null) => ({
  type: "record_updated",
  config: { trigger_on_changes_field_ids: ids }
})
const created = { type: "record_created", config: {} }

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([
    { field_type: "single_text", config: { label: "Reference" } },
    { field_type: "single_text", config: { label: "Note" } },
    { field_type: "single_text", config: { label: "Seen" } }
  ])
  const app = yield* App
  const { token } = seeded
  const [ref, note, shown] = [seeded.fields["reference"]!, seeded.fields["note"]!, seeded.fields["seen"]!]
  const ok = Effect.fnUntraced(function* (method: string, path: string, body?: object) {
    const reply = yield* app.call(method as "PUT", path, body === undefined ? { token } : { token, body })
    assert.isBelow(reply.status, 300, reply.text)
    return reply.json
  })
  const write = (record: number, fields: object) => ok("PUT", `/v1/record/${record}`, { fields })
  const get = (runId: string) =>
    Effect.map(app.call("GET", `/v1/automation-run/${runId}`, { token }), ({ json }) => json.automation_run)
  return { ...seeded, app, get, note, ok, ref, shown, write }
})

const dataOf = (runId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ data: any }>`SELECT data FROM run_triggers WHERE run_id = ${runId}::bigint`, ([row]) => row!.data)
  )
/** The one run of the automation that gathers. */
const gathers = (id: number) =>
  Effect.map(
    eventually("it gathers", runsOf(id), (rows) => rows.some((run) => run.status === "pending")),
    (rows) => rows.find((run) => run.status === "pending")!
  )
/** Every change is taken in: only the run itself is left in the mailbox. */
const settledBut = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    eventually(
      "all is taken in",
      sql`SELECT event_id FROM outbox UNION ALL SELECT row_id FROM automation_inbox WHERE automation_id = ${id} AND NOT parked`,
      (rows) => rows.length === 0
    )
  )
const none = (id: number) => eventually("no run is left", runsOf(id), (rows) => rows.length === 0)
const tracks = (ref: number, operator: string, text: string) => ({
  operator: "and",
  rows: [{ subject: field(ref, "single_text"), operator, value: { type: "text", text: [text] } }]
})

layer(spineLayer(), { excludeTestServices: true })("debounce (7.13)", (it) => {
  it.effect("many changes fire once, with the last state, the previous before the first and what differs", () =>
    Effect.gen(function* () {
      const { appId, get, note, ok, ref, shown, token, write } = yield* setting
      const id = yield* automate(token, appId, {
        trigger: updated([ref, note]),
        debounce_ms: HOUR,
        actions: [setText(shown, "once")]
      })
      const record = yield* createRecord(token, appId, { [ref]: "a", [note]: "n" })
      yield* write(record, { [ref]: "b" })
      const { run_id } = yield* gathers(id)
      const runBefore = (yield* runsOf(id))[0] as unknown as { debounced_until: Date }
      const { since, until, why } = (yield* get(run_id)).waiting
      assert.strictEqual(why, "debounce")
      assert.isAbove(Date.parse(`${until}Z`), Date.parse(`${since}Z`) + HOUR / 2)
      yield* write(record, { [note]: "m" })
      yield* write(record, { [ref]: "c" })
      yield* write(record, { [note]: "n" })
      yield* settledBut(id)
      const runAfter = (yield* runsOf(id))[0] as unknown as { debounced_until: Date }
      assert.isAbove(runAfter.debounced_until.getTime(), runBefore.debounced_until.getTime())
      assert.strictEqual((yield* get(run_id)).waiting.since, since)
      // Its time has come.
      yield* ok("PUT", `/v1/automation/${id}`, { debounce_ms: null })
      const [run, ...others] = yield* runsOver(id)
      assert.deepStrictEqual([others, run!.status, run!.run_id], [[], "completed", run_id])
      const { changed, previous, record: state } = yield* dataOf(run_id)
      const texts = (cells: any) => [ref, note].map((of) => cells[String(of)])
      assert.deepStrictEqual(
        [texts(previous.cells), texts(state.cells), changed],
        [[["a"], ["n"]], [["c"], ["n"]], [ref]]
      )
      assert.strictEqual(yield* textOf(record, shown), "once")
      yield* settled(appId)
    })
  )

  it.effect("what comes back to what it was fires nothing, nor does what the filter lets go in the end", () =>
    Effect.gen(function* () {
      const { appId, note, ref, shown, token, write } = yield* setting
      const quietId = yield* automate(token, appId, {
        trigger: updated([ref]),
        debounce_ms: 1_500,
        actions: [setText(shown, "x")]
      })
      const filter = tracks(note, "is", "go")
      const passing = yield* automate(token, appId, {
        trigger: updated([note]),
        filter,
        debounce_ms: 1_500,
        actions: [setText(shown, "x")]
      })
      const record = yield* createRecord(token, appId, { [ref]: "a", [note]: "stay" })
      yield* write(record, { [ref]: "b" })
      yield* write(record, { [note]: "go" })
      yield* gathers(quietId)
      yield* gathers(passing)
      yield* write(record, { [ref]: "a" })
      yield* write(record, { [note]: "stay" })
      yield* none(quietId)
      yield* none(passing)
      assert.isNull(yield* textOf(record, shown))
      yield* settled(appId)
      yield* write(record, { [note]: "go" })
      const [run] = yield* runsOver(passing)
      assert.deepStrictEqual(run!.logs.map(({ type, status }) => [type, status]).slice(0, 2), [
        ["trigger", "success"],
        ["filter", "success"]
      ])
    })
  )

  it.effect("a creation waits for the changes that follow it; each record for its own, with a turn of their line", () =>
    Effect.gen(function* () {
      const { appId, ref, shown, token, write } = yield* setting
      const id = yield* automate(token, appId, {
        trigger: created,
        filter: tracks(ref, "is", "filled in"),
        debounce_ms: 5_000,
        concurrency: { at_most: 1 },
        actions: [{ type: "delay", config: { delay_ms: 1_000 } }, setText(shown, "welcome")]
      })
      const [a, b, c] = [
        yield* createRecord(token, appId, {}),
        yield* createRecord(token, appId, { [ref]: "filled in" }),
        yield* createRecord(token, appId, {})
      ]
      yield* eventually("three gather", runsOf(id), (rows) => rows.length === 3)
      yield* write(a, { [ref]: "filled in" })
      yield* eventually(
        "two are done",
        runsOf(id),
        (rows) => rows.length === 2 && rows.every((run) => run.status === "completed")
      )
      assert.deepStrictEqual(yield* Effect.forEach([a, b, c], (record) => textOf(record, shown)), [
        "welcome",
        "welcome",
        null
      ])
      // Its creation has fired.
      yield* write(a, { [ref]: "later" })
      yield* settled(appId)
      assert.strictEqual((yield* runsOf(id)).length, 2)
    })
  )

  it.effect(
    "a record that is deleted before ends it; a run by hand waits for nothing; a pause touches no run (A2)",
    () =>
      Effect.gen(function* () {
        const { appId, get, ok, ref, shown, token, write } = yield* setting
        const id = yield* automate(token, appId, {
          trigger: updated([ref]),
          debounce_ms: 1_500,
          actions: [setText(shown, "x")]
        })
        const [gone, kept] = [yield* createRecord(token, appId, {}), yield* createRecord(token, appId, {})]
        yield* write(gone, { [ref]: "b" })
        const { run_id } = yield* gathers(id)
        yield* ok("DELETE", `/v1/record/${gone}`)
        yield* runsOver(id)
        const { error_message, status } = yield* get(run_id)
        assert.deepStrictEqual(
          [status, error_message],
          ["cancelled", "The record was deleted before the automation fired."]
        )
        yield* ok("POST", `/v1/automation/${id}/manual-run`, { record_id: kept })
        const [, byHand] = yield* runsOver(id, 2)
        assert.deepStrictEqual([byHand!.type, byHand!.status], ["manual", "completed"])
        yield* write(kept, { [ref]: "c" })
        yield* gathers(id)
        yield* ok("POST", `/v1/automation/${id}/pause`)
        yield* write(kept, { [ref]: "d" })
        const [, , fired] = yield* runsOver(id, 3)
        assert.strictEqual(fired!.status, "completed")
        assert.deepStrictEqual(
          (yield* dataOf(fired!.run_id)).record.cells[String(ref)],
          ["c"],
          "while paused nothing counts"
        )
        yield* settled(appId)
      })
  )

  it.effect("it is cancelled like any run; without debounce_ms what is gathered fires at once; deletion ends it", () =>
    Effect.gen(function* () {
      const { appId, ok, ref, shown, token, write } = yield* setting
      const id = yield* automate(token, appId, {
        trigger: updated([ref]),
        debounce_ms: HOUR,
        actions: [setText(shown, "x")]
      })
      const record = yield* createRecord(token, appId, {})
      yield* write(record, { [ref]: "a" })
      const gatheringRun = yield* gathers(id)
      const cancelled = yield* ok("POST", `/v1/automation-run/${gatheringRun.run_id}/cancel`)
      assert.strictEqual(cancelled.automation_run.status, "cancelled")
      yield* settled(appId)
      yield* write(record, { [ref]: "b" })
      yield* gathers(id)
      yield* ok("PUT", `/v1/automation/${id}`, { debounce_ms: null })
      const [, fired] = yield* runsOver(id, 2)
      assert.strictEqual(fired!.status, "completed")
      yield* ok("PUT", `/v1/automation/${id}`, { debounce_ms: HOUR })
      yield* write(record, { [ref]: "c" })
      yield* gathers(id)
      yield* ok("DELETE", `/v1/automation/${id}`)
      const [, , last] = yield* runsOver(id, 3)
      assert.strictEqual(last!.status, "cancelled")
      yield* settled(appId)
    })
  )
})

// What waits for a turn of its automation, or for the end of a record's changes, and its worker's death (developer-api.md 7.13;
// decisions A1): nothing is lost, doubled or out of turn.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer } from "../../../support/app.ts"
import { eventually } from "../../../support/eventually.ts"
import { freshName } from "../../../support/temporal.ts"
import { assign, automate, createRecord, runsOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"
import { kill, makePauses, startWorker } from "./killSupport.ts"

const RUNS = 3
const HOUR = 3_600_000

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
  const app = yield* App
  const sql = yield* SqlClient.SqlClient
  const name = seeded.fields["name"]!
  const create = (text: string) => ({
    type: "record_create",
    config: {
      app_id: seeded.appId,
      field_assignments: [assign("single_text", name, [text])],
      trigger_other_flows: false
    }
  })
  /** In the order in which they were made. */
  const createdNames = Effect.map(
    sql<{ name: string }>`
      SELECT cells -> ${String(name)} ->> 0 AS name FROM records
      WHERE app_id = ${seeded.appId} AND cells -> ${String(name)} ->> 0 LIKE 'made%' ORDER BY record_id`,
    (rows) => rows.map((row) => row.name)
  )
  return { ...seeded, app, create, made: createdNames, name }
})

layer(appLayer(), { excludeTestServices: true })("what waits and its worker's death", (it) => {
  it.effect("every run of a line comes to its turn, one at a time", () =>
    Effect.gen(function* () {
      const { app, appId, create, made, token } = yield* setting
      const namespace = freshName("kill")
      const id = yield* automate(token, appId, {
        trigger: { type: "automation_called", config: {} },
        concurrency: { at_most: 1 },
        actions: [create("made first"), { type: "delay", config: { delay_ms: 1_000 } }, create("made second")]
      })
      const record = yield* createRecord(token, appId, {})
      for (let i = 0; i < RUNS; i++) {
        const body = { trigger_on_record_id: record }
        assert.strictEqual((yield* app.call("POST", `/v1/automation/${id}/trigger`, { token, body })).status, 202)
      }
      const killedAt = yield* makePauses(appId)
      // In the first step of the second run, which has just come to its turn.
      yield* killedAt(namespace, 3)
      yield* startWorker(namespace)
      const areCompleted = (rows: ReadonlyArray<{ readonly status: string }>) =>
        rows.length === RUNS && rows.every(({ status }) => status === "completed")
      yield* eventually("the end", runsOf(id), areCompleted)
      assert.deepStrictEqual(
        yield* made,
        Array.from({ length: RUNS }, () => ["made first", "made second"]).flat(),
        "each once, none beside another"
      )
    })
  )

  it.effect("what was gathered fires once, with the last state", () =>
    Effect.gen(function* () {
      const { app, appId, create, made, name, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const namespace = freshName("kill")
      const id = yield* automate(token, appId, {
        trigger: { type: "record_updated", config: {} },
        // It is over by the test's word: a busy machine takes as long as it likes to come to the kill.
        debounce_ms: HOUR,
        actions: [create("made once")]
      })
      const record = yield* createRecord(token, appId, { [name]: "a" })
      const write = (text: string) =>
        app.call("PUT", `/v1/record/${record}`, { token, body: { fields: { [name]: text } } })
      const firstWorker = yield* startWorker(namespace)
      yield* write("b")
      yield* eventually("it gathers", runsOf(id), (rows) => rows[0]?.status === "pending")
      yield* write("c")
      yield* kill(firstWorker)
      yield* write("d")
      const [{ n }] = (yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM records WHERE app_id = ${appId}`) as [
        { n: number }
      ]
      const killedAt = yield* makePauses(appId)
      const lastGathered = sql`
        SELECT 1 FROM run_triggers t JOIN runs r USING (run_id)
        WHERE r.automation_id = ${id} AND t.data -> 'record' -> 'cells' -> ${String(name)} ->> 0 = 'd'`
      const end = Effect.andThen(
        eventually("the last state is gathered", lastGathered, (rows) => rows.length === 1),
        sql.withTransaction(
          Effect.andThen(
            sql`UPDATE runs SET debounced_until = date_trunc('milliseconds', now()) WHERE automation_id = ${id}`,
            sql`UPDATE automation_inbox SET due_at = now() WHERE automation_id = ${id}`
          )
        )
      )
      const ending = yield* Effect.forkChild(end)
      // In the step of the run that has fired.
      yield* killedAt(namespace, n)
      yield* Fiber.join(ending)
      yield* startWorker(namespace)
      const [run, ...others] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.completed_on != null)
      assert.deepStrictEqual([run!.status, others], ["completed", []], run!.error_message ?? "")
      assert.deepStrictEqual(yield* made, ["made once"])
      const [fired] = yield* sql<{ before: string; after: string }>`
        SELECT data -> 'previous' -> 'cells' -> ${String(name)} ->> 0 AS before,
          data -> 'record' -> 'cells' -> ${String(name)} ->> 0 AS after
        FROM run_triggers WHERE run_id = ${run!.run_id}::bigint`
      assert.deepStrictEqual(fired, { before: "a", after: "d" })
    })
  )
})

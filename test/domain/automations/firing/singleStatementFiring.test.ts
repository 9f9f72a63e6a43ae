// Runs that are over as they begin (docs/architecture.md) are runs like any other: the same rows, log, credits, limits and failures.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { waitingForMe } from "../../../support/locks.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { assign, automate, createRecord, runsOf, runsOver, setText, settled, textOf } from "../runSupport.ts"
import { makeApp, seedApp } from "../support.ts"

const created = { type: "record_created", config: {} }

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([
    { field_type: "single_text", config: { label: "Name" } },
    { field_type: "single_text", config: { label: "Reference" } },
    { field_type: "single_date", config: { label: "Due" } }
  ])
  return { ...seeded, ref: seeded.fields["reference"]!, due: seeded.fields["due"]! }
})

/** Which of the automation's runs were made, executed and ended by one statement, in their order. */
const areSingleStatement = (automationId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ whole: boolean }>`
        SELECT (SELECT count(DISTINCT l.xmin::text) = 1 FROM run_logs l WHERE l.run_id = r.run_id) AS whole
        FROM runs r WHERE automation_id = ${automationId} ORDER BY run_id`,
      (rows) => rows.map((row) => row.whole)
    )
  )

/** A first event, whose run is over. */
const completeFirst = Effect.fnUntraced(function* (token: string, appId: number, id: number) {
  yield* createRecord(token, appId, {})
  yield* runsOver(id)
})

layer(spineLayer(), { excludeTestServices: true })("runs that are over as they begin", (it) => {
  it.effect("leave what any run leaves", () =>
    Effect.gen(function* () {
      const { appId, orgId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const app = yield* App
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "done")] })
      const record = yield* createRecord(token, appId, {})
      yield* runsOver(id)
      // A step that changes nothing has its revision take the ordinary way for a minute.
      yield* createRecord(token, appId, { reference: "done" })
      yield* runsOver(id, 2)
      yield* createRecord(token, appId, {})
      yield* runsOver(id, 3)
      yield* settled(appId)
      assert.deepStrictEqual(yield* areSingleStatement(id), [true, false, false])
      assert.strictEqual(yield* textOf(record, ref), "done")
      const runViews = yield* Effect.forEach(yield* runsOf(id), ({ run_id }) =>
        Effect.map(app.call("GET", `/v1/automation-run/${run_id}`, { token }), ({ json }) => json.automation_run)
      )
      /** Without what each has of its own. */
      const alike = (one: unknown) =>
        JSON.parse(
          JSON.stringify(one, (key, value) =>
            /^(id|run_id|(triggered_on_)?record_id)$|_ms$|_on$|_at$/.test(key) ? undefined : value
          )
        )
      assert.deepStrictEqual(alike(runViews[0]), alike(runViews[2]))
      const rows = yield* sql<Record<string, unknown>>`
        SELECT status, fence, durable, cursor, log_seq, credits, depth, chain, started_on IS NULL AS unstarted, filtering_on IS NULL AS unfiltered,
          completed_on >= created_on AS ended, place_wanted_on, workflow_started_on, failure_reason, most_recent_error
        FROM runs WHERE automation_id = ${id} ORDER BY run_id`
      assert.deepStrictEqual(rows[0], rows[2])
      const events = yield* sql<{
        n: number
      }>`SELECT (SELECT count(*) FROM automation_events WHERE app_id = ${appId})::int
        + (SELECT count(*) FROM run_places WHERE org_id = ${orgId})::int AS n`
      assert.strictEqual(events[0]!.n, 0)
      const revisions = yield* sql<{ revision: number; by: object }>`
        SELECT revision, created_by AS by FROM revisions WHERE record_id = ${record} AND revision > 0`
      assert.deepStrictEqual(revisions, [{ revision: 1, by: { type: "automation", automation_id: id } }])
    })
  )

  it.effect("are prepared while others are committed, so that statements have as many as may execute at once", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const app = yield* App
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "done")] })
      yield* completeFirst(token, appId, id)
      const inputs = Array.from({ length: 50 }, () => ({ fields: {} }))
      const createBatch = app.call("POST", `/v1/record/app/batch/${appId}`, { token, body: { inputs } })
      const replies = yield* Effect.all([createBatch, createBatch, createBatch, createBatch], {
        concurrency: "unbounded"
      })
      for (const reply of replies) assert.strictEqual(reply.status, 200, reply.text)
      yield* runsOver(id, 201)
      const statements = yield* sql<{ runs: number }>`
        SELECT count(*)::int AS runs FROM runs WHERE automation_id = ${id} GROUP BY xmin::text ORDER BY runs DESC`
      assert.isAbove(statements[0]!.runs, 40)
    })
  )

  it.effect("two automations of one event change the record one after the other, each once", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const ids = [
        yield* automate(token, appId, { trigger: created, actions: [setText(ref, "one")] }),
        yield* automate(token, appId, { trigger: created, actions: [setText(ref, "two")] })
      ]
      yield* completeFirst(token, appId, ids[0]!)
      yield* runsOver(ids[1]!)
      const record = yield* createRecord(token, appId, {})
      for (const id of ids) yield* runsOver(id, 2)
      const revisions = yield* sql<{ revision: number }>`
        SELECT revision FROM revisions WHERE record_id = ${record} ORDER BY revision`
      assert.deepStrictEqual(
        revisions.map(({ revision }) => revision),
        [0, 1, 2]
      )
      for (const id of ids) {
        assert.deepStrictEqual(
          (yield* runsOf(id)).map(({ status, credits }) => [status, credits]),
          [
            ["completed", 1],
            ["completed", 1]
          ]
        )
      }
    })
  )

  it.effect("while all places are taken the run waits for one, and is executed once with it (7.11 rule 7)", () =>
    Effect.gen(function* () {
      const { appId, orgId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "done")] })
      yield* completeFirst(token, appId, id)
      const firstHolder = 9_000_000_000_000 + orgId * 1_000
      yield* sql`INSERT INTO run_places (run_id, org_id, slot, taken_on)
        SELECT ${firstHolder}::bigint + i, ${orgId}, i, now() FROM generate_series(1, 50) AS i`
      const record = yield* createRecord(token, appId, {})
      yield* eventually("it waits", runsOf(id), (runs) => runs[1]?.status === "pending")
      assert.isNull(yield* textOf(record, ref))
      yield* sql`DELETE FROM run_places WHERE run_id = ${firstHolder}::bigint + 7`
      // Who enters the line looks who is first in it.
      yield* createRecord(token, appId, {})
      const runs = yield* runsOver(id, 3)
      assert.deepStrictEqual(
        runs.map(({ credits, status }) => [status, credits]),
        [1, 2, 3].map(() => ["completed", 1])
      )
      assert.strictEqual(yield* textOf(record, ref), "done")
      yield* settled(appId)
    })
  )

  it.effect("a step that fails fails its run, said as ever, and leaves no change (7.11 run semantics 3)", () =>
    Effect.gen(function* () {
      const { appId, due, token } = yield* setting
      const id = yield* automate(token, appId, {
        trigger: created,
        actions: [
          {
            type: "current_record_update",
            config: {
              field_assignments: [{ ...assign("single_date", due, []), field_value: { start: ["no date"] } }],
              trigger_other_flows: false
            }
          }
        ]
      })
      yield* completeFirst(token, appId, id)
      const record = yield* createRecord(token, appId, {})
      const runs = yield* runsOver(id, 2)
      assert.deepStrictEqual(
        runs.map(({ failure_reason, status }) => [status, failure_reason]),
        [
          ["failed", "actions_failed"],
          ["failed", "actions_failed"]
        ]
      )
      assert.strictEqual(runs[1]!.error_message, runs[0]!.error_message)
      assert.deepStrictEqual(
        runs[1]!.logs.map(({ status, type }) => [type, status]),
        runs[0]!.logs.map(({ status, type }) => [type, status])
      )
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ revision: number }>`SELECT revision FROM records WHERE record_id = ${record}`
      assert.strictEqual(row!.revision, 0)
    })
  )

  it.effect("in the order of their record's changes, and what they read is the record as it is (A17)", () =>
    Effect.gen(function* () {
      const { appId, fields, ref, token } = yield* setting
      const app = yield* App
      const ownReference = { kind: "variable", source: "field", field_id: ref, field_type: "single_text" }
      const id = yield* automate(token, appId, {
        trigger: { type: "record_updated", config: { trigger_on_changes_field_ids: [fields["due"]!] } },
        actions: [
          {
            type: "current_record_update",
            config: {
              field_assignments: [{ ...assign("single_text", ref, []), field_value: [ownReference, "+"] }],
              trigger_other_flows: false
            }
          }
        ]
      })
      const record = yield* createRecord(token, appId, { reference: "0" })
      for (let day = 1; day <= 6; day++) {
        const reply = yield* app.call("PUT", `/v1/record/${record}`, {
          token,
          body: { fields: { due: { start: `2026-01-0${day}` } } }
        })
        assert.strictEqual(reply.status, 200, reply.text)
      }
      yield* runsOver(id, 6)
      assert.strictEqual(yield* textOf(record, ref), "0++++++")
    })
  )
})

layer(spineLayer({ ACTOR_TUNING: JSON.stringify({ lingerMillis: 1 }) }), { excludeTestServices: true })(
  "runs of an actor that sleeps between its events",
  (it) => {
    it.effect("are over as they begin from the first on", () =>
      Effect.gen(function* () {
        const { appId, ref, token } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "done")] })
        const asleep = sql`SELECT 1 FROM actors WHERE actor_key = ${`automations/app/${appId}`} AND state = 'asleep'`
        for (let n = 1; n <= 3; n++) {
          yield* createRecord(token, appId, {})
          yield* runsOver(id, n)
          yield* eventually("asleep", asleep, ({ length }) => length === 1)
        }
        assert.deepStrictEqual(yield* areSingleStatement(id), [true, true, true])
      })
    )
  }
)

layer(spineLayer(), { excludeTestServices: true })("runs of an organization whose actions are few", (it) => {
  it.effect("are as many as it has actions, however many begin at once (7.11 rule 5)", () =>
    Effect.gen(function* () {
      const { appId, orgId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const app = yield* App
      yield* sql`UPDATE organizations SET limits = '{"credits_per_hour": 5}' WHERE org_id = ${orgId}`
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "done")] })
      yield* completeFirst(token, appId, id)
      const inputs = Array.from({ length: 30 }, () => ({ fields: {} }))
      yield* app.call("POST", `/v1/record/app/batch/${appId}`, { token, body: { inputs } })
      const runs = yield* eventually("all are there", runsOf(id), ({ length }) => length === 31)
      assert.lengthOf(
        runs.filter(({ status }) => status !== "pending"),
        5
      )
    })
  )
})

layer(spineLayer({ RUNS_CONCURRENT: "1" }), { excludeTestServices: true })(
  "runs that are created in one statement",
  (it) => {
    it.effect("and lose their slot to another transaction at that moment are not executed before they have one", () =>
      Effect.gen(function* () {
        const { appId, orgId, ref, token } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const id = yield* automate(token, appId, {
          trigger: created,
          actions: [setText(ref, "one"), setText(ref, "two")]
        })
        const otherRun = 9_000_000_000_000 + orgId
        const isTaken = yield* Deferred.make<void>()
        const taking = sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO run_places (run_id, org_id, slot, taken_on) VALUES (${otherRun}::bigint, ${orgId}, 1, now())`
            yield* Deferred.succeed(isTaken, undefined)
            yield* eventually("the creation waits for it", waitingForMe, ({ length }) => length === 1)
          })
        )
        const taker = yield* Effect.forkChild(taking)
        yield* Deferred.await(isTaken)
        const record = yield* createRecord(token, appId, {})
        yield* Fiber.join(taker)
        const queuedRuns = sql`SELECT 1 FROM runs WHERE automation_id = ${id} AND place_wanted_on IS NOT NULL`
        yield* eventually("it waits for a slot", queuedRuns, ({ length }) => length === 1)
        assert.isNull(yield* textOf(record, ref))
        yield* sql`DELETE FROM run_places WHERE run_id = ${otherRun}::bigint`
        yield* createRecord(token, appId, {})
        yield* runsOver(id, 2)
        assert.strictEqual(yield* textOf(record, ref), "two")
      })
    )
  }
)

layer(spineLayer({ RUNS_CONCURRENT: "3" }), { excludeTestServices: true })(
  "runs of several apps of an organization with few places",
  (it) => {
    it.effect("are over as they begin, and nobody has to stand in line (7.11 rule 7)", () =>
      Effect.gen(function* () {
        const { token, workspaceId } = yield* seedApp()
        // The first is the title.
        const texts = ["Name", "Reference"].map((label) => ({ field_type: "single_text", config: { label } }))
        const apps = yield* Effect.forEach([1, 2, 3], () => makeApp(token, workspaceId, texts))
        const ids = yield* Effect.forEach(apps, ({ appId, fields }) =>
          automate(token, appId, { trigger: created, actions: [setText(fields["reference"]!, "done")] })
        )
        yield* Effect.forEach(
          apps.flatMap(({ appId }) => Array.from({ length: 15 }, () => createRecord(token, appId, {}))),
          (create) => create,
          { concurrency: "unbounded" }
        )
        for (const id of ids) {
          yield* runsOver(id, 15)
          assert.deepStrictEqual(
            yield* areSingleStatement(id),
            Array.from({ length: 15 }, () => true)
          )
        }
      })
    )
  }
)

// Runs that are over as they begin (docs/architecture.md): one statement makes, executes and ends them, or leaves no trace of them.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import {
  makeSingleStatementRuns,
  type SingleStatementRun
} from "../../../../src/domain/automations/commit/singleStatementRuns.ts"
import type { NewRun } from "../../../../src/domain/automations/run/NewRun.ts"
import { OrganizationSlots } from "../../../../src/domain/automations/run/OrganizationSlots.ts"
import type { RunRow } from "../../../../src/domain/automations/run/RunRow.ts"
import { withinFence } from "../../../../src/engine/actors/fence.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { RelayWake } from "../../../../src/engine/outbox/RelayWake.ts"
import { Sql } from "../../../../src/platform/sql/Sql.ts"
import { App, appLayer } from "../../../support/app.ts"
import { createRecord } from "../runSupport.ts"
import { create, seedApp } from "../support.ts"

const FENCE = 5
const PLACES = 50

const services = OrganizationSlots.layer.pipe(
  Layer.provideMerge(Outbox.layer),
  Layer.provideMerge(RelayWake.layer),
  Layer.provideMerge(appLayer())
)

/** An app whose actor is awake, an automation of it, and a record with its event in the mailbox. */
const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const { appId, orgId, token } = seeded
  const field = seeded.fields["reference"]!
  const creation = yield* create(token, appId, { trigger: { type: "record_created", config: {} } })
  const id = creation.json.automation.id as number
  const activation = { key: `automations/app/${appId}`, fence: FENCE }
  yield* sql`INSERT INTO actors (actor_key, kind, id, org_id, state, fence)
    VALUES (${activation.key}, 'automations/app', ${String(appId)}, ${orgId}, 'awake', ${FENCE})`
  const typed = yield* Sql
  const commit = yield* makeSingleStatementRuns((holder) => withinFence(typed, holder))
  const holderAt = (fence: number) => ({
    app_id: appId,
    org_id: orgId,
    fence,
    key: activation.key
  })

  const makeRun = Effect.fnUntraced(function* (more: { readonly record?: number; readonly version?: number } = {}) {
    const record = more.record ?? (yield* createRecord(token, appId, {}))
    const [ids] = yield* sql<{ event_id: number; run_id: string; version: number; revision: number }>`
      SELECT nextval('outbox_event_id_seq') AS event_id, nextval('runs_run_id_seq')::text AS run_id,
        (SELECT version FROM apps WHERE app_id = ${appId}) AS version, revision FROM records WHERE record_id = ${record}`
    const { event_id, revision, run_id, version } = ids!
    yield* sql`INSERT INTO automation_events (event_id, type, org_id, app_id, record_id, depth, payload, created_on)
      VALUES (${event_id}, 'record.create', ${orgId}, ${appId}, ${record}, 0, '{}', now())`
    const [row] = yield* sql<{ row_id: number }>`
      INSERT INTO automation_inbox (app_id, org_id, automation_id, event_id, lane, due_at, fence, claims)
      VALUES (${appId}, ${orgId}, ${id}, ${event_id}, ${record}, now(), ${FENCE}, 1) RETURNING row_id`
    const nowDate = new Date()
    const log = (type: "trigger" | "action") =>
      ({ type, status: "success", label: type, messages: [], action_id: null, record_id: null, detail: null }) as const
    const fired = {
      ...{
        event_id,
        org_id: orgId,
        app_id: appId,
        automation_id: id,
        revision_id: "1",
        type: "regular",
        record_id: record
      },
      ...{
        record_revision: revision,
        depth: 1,
        chain: [],
        trigger: { type: "record_created" },
        logs: [log("trigger")]
      },
      ...{ filtering_on: nowDate.toISOString(), traceparent: null, root_run_id: null, caused_by_run_id: null },
      ...{ triggered_by_automation_id: null, durable: false, failure: null, debounced_until: null }
    } as unknown as NewRun
    const write = { author: { type: "automation", automation_id: id }, cause: null, depth: 1, traceparent: null }
    const preparedRun: SingleStatementRun = {
      run: { run_id, created_on: nowDate } as RunRow,
      fired,
      inboxRow: { row_id: row!.row_id, event_id },
      commit: {
        ...{
          cursor: null,
          variables: [],
          outputs: [],
          credits: 1,
          executedMs: 3,
          mostRecentError: null,
          answer: null,
          waits: null
        },
        ledger: [{ path: "0", iteration: "", action_id: "0", state: "done", attempts: 1, result: null }],
        logs: [log("action")],
        ending: { status: "completed", failure_reason: null, error_message: null },
        lazy: { apps: [] }
      },
      change: {
        ...{ record_id: record, revision: revision + 1, cells: { [field]: ["done"] }, previous: {}, title: null },
        former: { last_modified_on: null, last_modified_by: null },
        ...{ shown: "Delivery #1", delta: { [field]: { from: [], to: ["done"] } }, changed: [field] },
        ...{ links: { added: [], removed: [] }, files: { added: [], removed: [] } },
        ...{ line: null, has_line: false },
        write: { ...write, caller: {}, switches: { hook: true, workflow: false, silent: false } } as never
      },
      version: more.version ?? version
    }
    return preparedRun
  })

  /** What there is of a run and of what it does. */
  const traces = ({ change, fired, inboxRow, run }: SingleStatementRun) =>
    Effect.map(
      sql<{ n: ReadonlyArray<number> }>`SELECT ARRAY[
        (SELECT count(*) FROM runs WHERE run_id = ${run.run_id}::bigint AND status = 'completed' AND completed_on IS NOT NULL),
        (SELECT count(*) FROM run_logs WHERE run_id = ${run.run_id}::bigint),
        (SELECT count(*) FROM run_ledger WHERE run_id = ${run.run_id}::bigint),
        (SELECT count(*) FROM revisions WHERE record_id = ${change.record_id} AND revision > 0),
        (SELECT count(*) FROM outbox WHERE record_id = ${change.record_id} AND type = 'record.update'),
        (SELECT count(*) FROM automation_inbox WHERE row_id = ${inboxRow.row_id}),
        (SELECT count(*) FROM automation_events WHERE event_id = ${fired.event_id})]::int[] AS n`,
      ([row]) => row!.n
    )
  const commitAt = (all: ReadonlyArray<SingleStatementRun>, fence = FENCE) =>
    Effect.map(commit(all, holderAt(fence)), (made) => (made === null ? null : [...made.runs]))
  return { ...seeded, id, sql, whole: makeRun, traces, commit: commitAt }
})

const ALL = [1, 2, 1, 1, 1, 0, 0]
const NOTHING = [0, 0, 0, 0, 0, 1, 1]

layer(services, { excludeTestServices: true })("runs that are over as they begin", (it) => {
  it.effect("all of it goes in, and the event goes; the same again makes nothing", () =>
    Effect.gen(function* () {
      const { commit, traces, whole } = yield* setting
      const run = yield* whole()
      assert.deepStrictEqual(yield* commit([run]), [run.run.run_id])
      assert.deepStrictEqual(yield* traces(run), ALL)
      // As if the answer had been lost.
      assert.deepStrictEqual(yield* commit([run]), [])
      assert.deepStrictEqual(yield* traces(run), ALL)
    })
  )

  it.effect("many at once; who cannot is left out and holds up nobody", () =>
    Effect.gen(function* () {
      const { commit, sql, token, traces, whole } = yield* setting
      const good = yield* whole()
      const outdatedRun = yield* whole({ version: 0 })
      const changed = yield* whole()
      const app = yield* App
      yield* app.call("PUT", `/v1/record/${changed.change.record_id}`, {
        token,
        body: { fields: { reference: "meanwhile" } }
      })
      const trashed = yield* whole()
      yield* app.call("DELETE", `/v1/record/${trashed.change.record_id}`, { token })
      const claimedRun = yield* whole()
      yield* sql`UPDATE automation_inbox SET fence = ${FENCE + 1} WHERE row_id = ${claimedRun.inboxRow.row_id}`
      const lastRun = yield* whole()
      const allRuns = [outdatedRun, good, changed, trashed, claimedRun, lastRun]
      assert.deepStrictEqual(yield* commit(allRuns), [good.run.run_id, lastRun.run.run_id])
      assert.deepStrictEqual(yield* traces(good), ALL)
      assert.deepStrictEqual(yield* traces(outdatedRun), NOTHING)
      assert.deepStrictEqual((yield* traces(trashed)).slice(0, 3), [0, 0, 0])
      assert.deepStrictEqual((yield* traces(changed)).slice(0, 3), [0, 0, 0])
      assert.deepStrictEqual(yield* traces(claimedRun), NOTHING)
    })
  )

  it.effect(
    "a record whose title or values have followed others meanwhile, without a revision, is left out (4.1)",
    () =>
      Effect.gen(function* () {
        const { commit, sql, traces, whole } = yield* setting
        const [renamed, emptied, good] = [yield* whole(), yield* whole(), yield* whole()]
        yield* sql`UPDATE records SET title = 'Uno' WHERE record_id = ${renamed.change.record_id}`
        yield* sql`UPDATE records SET cells = '{"1": [2]}' WHERE record_id = ${emptied.change.record_id}`
        assert.deepStrictEqual(yield* commit([renamed, emptied, good]), [good.run.run_id])
        for (const out of [renamed, emptied]) assert.deepStrictEqual((yield* traces(out)).slice(0, 3), [0, 0, 0])
      })
  )

  it.effect("a record that somebody holds is not waited for", () =>
    Effect.gen(function* () {
      const { commit, sql, traces, whole } = yield* setting
      const run = yield* whole()
      const holds = yield* Deferred.make<void>()
      const lockReleased = yield* Deferred.make<void>()
      const other = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM records WHERE record_id = ${run.change.record_id} FOR UPDATE`
            yield* Deferred.succeed(holds, undefined)
            yield* Deferred.await(lockReleased)
          })
        )
      )
      yield* Deferred.await(holds)
      assert.deepStrictEqual(yield* commit([run]), [])
      assert.deepStrictEqual(yield* traces(run), NOTHING)
      yield* Deferred.succeed(lockReleased, undefined)
      yield* Fiber.join(other)
      assert.deepStrictEqual(yield* commit([run]), [run.run.run_id])
    })
  )

  it.effect("an activation that has lost its fence makes none", () =>
    Effect.gen(function* () {
      const { commit, traces, whole } = yield* setting
      const run = yield* whole()
      assert.isNull(yield* commit([run], FENCE - 1))
      assert.deepStrictEqual(yield* traces(run), NOTHING)
    })
  )

  it.effect("an automation whose runs take turns, or that is deleted, makes none so (7.13, 7.2)", () =>
    Effect.gen(function* () {
      const { commit, id, sql, traces, whole } = yield* setting
      const run = yield* whole()
      yield* sql`UPDATE automations SET concurrency = '{"at_most":1,"when_full":"wait"}' WHERE automation_id = ${id}`
      assert.deepStrictEqual(yield* commit([run]), [])
      yield* sql`UPDATE automations SET concurrency = NULL, deleted_on = now() WHERE automation_id = ${id}`
      assert.deepStrictEqual(yield* commit([run]), [])
      assert.deepStrictEqual(yield* traces(run), NOTHING)
    })
  )

  it.effect("no more than there are free places, and none past those who wait for one (7.11 rule 7)", () =>
    Effect.gen(function* () {
      const { appId, commit, id, orgId, sql, traces, whole } = yield* setting
      const [first, second, third] = [yield* whole(), yield* whole(), yield* whole()]
      yield* sql`INSERT INTO run_places (run_id, org_id, slot, taken_on)
        SELECT 9000000000000 + ${orgId} * 1000 + i, ${orgId}, i, now() FROM generate_series(1, ${PLACES - 1}) AS i`
      assert.deepStrictEqual(yield* commit([first, second]), [first.run.run_id])
      assert.deepStrictEqual(yield* traces(second), NOTHING)
      // Its place is free again with the statement.
      assert.deepStrictEqual(yield* commit([second]), [second.run.run_id])
      const [place] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM run_places WHERE org_id = ${orgId}`
      assert.strictEqual(place!.n, PLACES - 1)
      yield* sql`
        INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on, place_wanted_on)
        VALUES (${orgId}, ${appId}, ${id}, 1, 1, 'regular', 'pending', false, 1, '{}', now(), now())`
      assert.deepStrictEqual(yield* commit([third]), [])
      assert.deepStrictEqual(yield* traces(third), NOTHING)
    })
  )
})

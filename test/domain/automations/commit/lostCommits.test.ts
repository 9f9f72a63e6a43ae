// What is committed without waiting for the disk may be lost with the server's last moments (docs/architecture.md): it is then done
// again, whoever still believes that it is done.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeClaimInRecordOrder } from "../../../../src/domain/automations/firing/claimInRecordOrder.ts"
import type { Commit, RunRow } from "../../../../src/domain/automations/run/RunRow.ts"
import { RunStore } from "../../../../src/domain/automations/run/RunStore.ts"
import { waitName } from "../../../../src/domain/automations/run/waitingRequests.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { RelayWake } from "../../../../src/engine/outbox/RelayWake.ts"
import { AuditLog } from "../../../../src/platform/audit/AuditLog.ts"
import { make, Secrets } from "../../../../src/platform/sealing/Secrets.ts"
import { Wakes } from "../../../../src/platform/sql/Wakes.ts"
import { layerDatabase } from "../../../support/database.ts"

const stepAt = (path: string, next: string): Commit => ({
  cursor: { path: next, iteration: [] },
  ledger: [{ path, iteration: "", action_id: path, state: "done", attempts: 1, result: null }],
  logs: [],
  variables: [],
  outputs: [],
  credits: 1,
  executedMs: 0,
  mostRecentError: null,
  answer: null,
  waits: null,
  ending: null,
  lazy: { apps: [] }
})

const services = RunStore.layer.pipe(
  Layer.provide(Outbox.layer),
  Layer.provide(RelayWake.layer),
  Layer.provideMerge(Wakes.layer),
  Layer.provide(AuditLog.layer),
  Layer.provide(Layer.succeed(Secrets, make(Buffer.alloc(32, 7)))),
  Layer.provideMerge(layerDatabase)
)

layer(services, { excludeTestServices: true })("commits of runs", (it) => {
  it.effect("a run that the server has thrown back is not gone on with behind the lost steps (A1)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* RunStore
      const begin = { path: "0", iteration: [] }
      const [made] = yield* sql<{ run_id: string }>`
        INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, cursor, fence, durable, depth,
          chain, created_on)
        VALUES (1, 1, 1, 1, 1, 'regular', 'running', ${JSON.stringify(begin)}::jsonb, 1, true, 1, '{}', now())
        RETURNING run_id::text`
      const run = {
        run_id: made!.run_id,
        automation_id: 1,
        type: "regular",
        fence: 1,
        cursor: begin,
        log_seq: 0,
        credits: 0
      } as unknown as RunRow
      const commit = (at: RunRow, step: Commit) => store.commit([{ run: at, commit: step, inboxRow: null }])
      const paths = Effect.map(
        sql<{ path: string }>`SELECT path FROM run_ledger WHERE run_id = ${run.run_id}::bigint ORDER BY path`,
        (rows) => rows.map(({ path }) => path)
      )
      assert.strictEqual((yield* commit(run, stepAt("0", "1"))).get(run.run_id), false)
      const second = { ...run, cursor: { path: "1", iteration: [] }, credits: 1 }
      assert.strictEqual((yield* commit(second, stepAt("1", "2"))).size, 1)
      assert.deepStrictEqual(yield* paths, ["0", "1"])
      // As the server finds it after a crash: the second step never was.
      yield* sql`WITH lost AS (DELETE FROM run_ledger WHERE run_id = ${run.run_id}::bigint AND path = '1')
        UPDATE runs SET cursor = ${JSON.stringify(second.cursor)}::jsonb, credits = 1 WHERE run_id = ${run.run_id}::bigint`
      const third = { ...run, cursor: { path: "2", iteration: [] }, credits: 2 }
      assert.strictEqual((yield* commit(third, stepAt("2", "3"))).size, 0)
      assert.deepStrictEqual(yield* paths, ["0"])
      assert.strictEqual((yield* commit(second, stepAt("1", "2"))).size, 1)
      // The same step cannot go in twice either: an answer to its commit may have been lost.
      assert.strictEqual((yield* commit(second, stepAt("1", "2"))).size, 0)
    })
  )

  it.effect("the request that waits for a run is woken by its answer and by its end, not by its steps (7.9)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* RunStore
      const wakes = yield* Wakes
      const [made] = yield* sql<{ run_id: string }>`
        INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, fence, durable, depth, chain, created_on)
        VALUES (1, 1, 1, 1, 3, 'regular', 'running', 1, true, 1, '{}', now()) RETURNING run_id::text`
      const run_id = made!.run_id
      yield* sql`INSERT INTO run_waits (wait_key, run_id, created_on) VALUES ('waits', ${run_id}::bigint, now()), ('other', 99, now())`
      let wakeUps = 0
      yield* wakes.register(waitName("waits"), () => wakeUps++)
      yield* wakes.register(waitName("other"), () => assert.fail("that run goes on"))
      const run = { run_id, automation_id: 1, fence: 1, cursor: null, log_seq: 0, credits: 0 } as unknown as RunRow
      yield* store.commit([{ run, commit: { ...stepAt("0", "1"), lazy: null }, inboxRow: null }])
      assert.strictEqual(wakeUps, 0)
      const answer = { status: 200, headers: {}, body: "first", file_id: null }
      const second = { ...run, cursor: { path: "1", iteration: [] }, credits: 1 } as unknown as RunRow
      yield* store.commit([{ run: second, commit: { ...stepAt("1", "2"), lazy: null, answer }, inboxRow: null }])
      assert.strictEqual(wakeUps, 1)
      assert.isTrue(yield* store.isAnswered(run_id))
      const third = { ...second, cursor: { path: "2", iteration: [] }, credits: 2 } as unknown as RunRow
      yield* store.commit([{ run: third, commit: { ...stepAt("2", "3"), lazy: null, answer }, inboxRow: null }])
      assert.strictEqual(wakeUps, 1, "a second answer is none")
      const ending = { status: "completed", failure_reason: null, error_message: null } as unknown as Commit["ending"]
      const lastRun = { ...run, cursor: { path: "3", iteration: [] }, credits: 3 } as unknown as RunRow
      yield* store.commit([{ run: lastRun, commit: { ...stepAt("3", "4"), lazy: null, ending }, inboxRow: null }])
      assert.strictEqual(wakeUps, 2)
    }).pipe(Effect.scoped)
  )

  it.effect("outputs that are committed together keep their order, whatever their apps are (7.6)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* RunStore
      const [made] = yield* sql<{ run_id: string }>`
        INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, fence, durable, depth, chain, created_on)
        VALUES (1, 1, 1, 1, 2, 'regular', 'running', 1, true, 1, '{}', now()) RETURNING run_id::text`
      const run = {
        run_id: made!.run_id,
        automation_id: 1,
        fence: 1,
        cursor: null,
        log_seq: 0,
        credits: 0
      } as unknown as RunRow
      const output = (app_id: number) =>
        ({ type: "record_collection", app_id, output: [] }) as Commit["outputs"][number]
      yield* store.commit([{ run, commit: { ...stepAt("0", "1"), outputs: [7, 9, 4].map(output) }, inboxRow: null }])
      const rows = yield* sql<{ app_id: number; seq: number }>`
        SELECT app_id::int, seq FROM run_outputs WHERE run_id = ${run.run_id}::bigint ORDER BY seq`
      assert.deepStrictEqual(
        [rows.map(({ app_id }) => app_id), new Set(rows.map(({ seq }) => seq)).size],
        [[7, 9, 4], 3]
      )
    })
  )

  it.effect(
    "a mailbox row that comes back with the fence of the running activation is claimed again (design: actors)",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { claim } = yield* makeClaimInRecordOrder
        const nowDate = new Date()
        yield* sql`INSERT INTO automation_events (event_id, type, org_id, app_id, depth, payload, created_on)
        VALUES (7, 'command.run.wake', 1, 9, 0, '{}', ${nowDate})`
        const [row] = yield* sql<{ row_id: number }>`
        INSERT INTO automation_inbox (app_id, org_id, automation_id, event_id, due_at) VALUES (9, 1, 0, 7, ${nowDate})
        RETURNING row_id`
        yield* sql`INSERT INTO actors (actor_key, kind, id, state, fence) VALUES ('automations/app/9', 'automations/app', '9', 'awake', 5)`
        const request = { limit: 10, now: nowDate, minClaims: 0, maxClaims: 5 }
        const ids = (held: ReadonlyArray<number>, fence = 5) =>
          Effect.map(
            claim(9, { key: "automations/app/9", fence }, { held: new Set(held), ordinary: new Set() }, request),
            (rows) => rows?.map(({ row_id }) => row_id) ?? "another holds the fence"
          )
        assert.deepStrictEqual(yield* ids([]), [row!.row_id])
        assert.deepStrictEqual(yield* ids([row!.row_id]), [], "in the air")
        assert.deepStrictEqual(yield* ids([]), [row!.row_id], "nobody works on it")
        assert.deepStrictEqual(yield* ids([], 4), "another holds the fence")
      })
  )
})

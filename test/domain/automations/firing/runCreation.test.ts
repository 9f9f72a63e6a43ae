// Runs that begin at once are created with their slots in one statement (docs/engine.md, "Event to step"): only as many as may begin, and only
// under the fence. All others are left to the transaction that queues, skips and tells.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeRunCreation } from "../../../../src/domain/automations/firing/runCreation.ts"
import { ConcurrencyLimits } from "../../../../src/domain/automations/run/ConcurrencyLimits.ts"
import { Credits } from "../../../../src/domain/automations/run/Credits.ts"
import type { NewRun } from "../../../../src/domain/automations/run/NewRun.ts"
import { RunSlots } from "../../../../src/domain/automations/run/RunSlots.ts"
import { type Activation, Fenced } from "../../../../src/engine/actors/ActorKind.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { RelayWake } from "../../../../src/engine/outbox/RelayWake.ts"
import { appLayer } from "../../../support/app.ts"
import { automate, setText } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const SLOTS = 3

const services = Layer.mergeAll(RunSlots.layer, Credits.layer, ConcurrencyLimits.layer).pipe(
  Layer.provideMerge(Outbox.layer),
  Layer.provideMerge(RelayWake.layer),
  Layer.provideMerge(appLayer({ RUNS_CONCURRENT: String(SLOTS) }))
)

const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { createPrompt } = yield* makeRunCreation
  const { appId, fields, orgId, token } = yield* seedApp([
    { field_type: "single_text", config: { label: "Reference" } }
  ])
  const automationId = yield* automate(token, appId, {
    trigger: { type: "record_created", config: {} },
    actions: [setText(fields["reference"]!, "one"), setText(fields["reference"]!, "two")]
  })
  const key = `automations/app/${appId}`
  yield* sql`INSERT INTO actors (actor_key, kind, id, state, fence) VALUES (${key}, 'automations/app', ${String(appId)}, 'awake', 1)
    ON CONFLICT (actor_key) DO UPDATE SET state = 'awake', fence = 1`
  let event = appId * 1_000_000
  const newRun = Effect.fnUntraced(function* (rest: Partial<NewRun> = {}) {
    const event_id = event++
    const [row] = yield* sql<{ row_id: number }>`
      INSERT INTO automation_inbox (app_id, org_id, automation_id, event_id, due_at, fence, claims)
      VALUES (${appId}, ${orgId}, ${automationId}, ${event_id}, now(), 1, 1) RETURNING row_id`
    const run: NewRun = {
      ...{ row_id: row!.row_id, event_id, org_id: orgId, app_id: appId, automation_id: automationId, revision_id: "1" },
      ...{
        type: "regular",
        durable: false,
        cursor: { path: "0", iteration: [] },
        record_id: null,
        record_revision: null
      },
      ...{ triggered_by_automation_id: null, retry_of_run_id: null, root_run_id: null, caused_by_run_id: null },
      ...{ depth: 1, chain: [], trigger: { type: "record_created", record: null, previous: null, changed: null } },
      ...{ logs: [], failure: null, wait_key: null, awaited: null, takes_over: false, values_of: null, handed: null },
      ...{ filtering_on: new Date().toISOString(), traceparent: null, debounced_until: null },
      ...rest
    }
    return run
  })
  let statements = 0
  const create = (runs: ReadonlyArray<NewRun>, fence = 1) => {
    const statement: Activation["statement"] = (effect, held) =>
      Effect.flatMap(effect, (rows) => {
        statements++
        return held(rows) ? Effect.succeed(rows) : Effect.fail(new Fenced({ actorKey: key }))
      })
    return createPrompt(runs, { key, fence, statement } as Activation)
  }
  const slots = Effect.map(
    sql<{ run_id: string }>`SELECT run_id::text FROM run_places WHERE org_id = ${orgId} ORDER BY slot`,
    (rows) => rows.map(({ run_id }) => run_id)
  )
  const runRows = sql`SELECT 1 FROM runs WHERE automation_id = ${automationId}`
  return { automationId, create, newRun, orgId, runRows, slots, sql, statements: () => statements }
})

layer(services, { excludeTestServices: true })("runs that begin at once", (it) => {
  it.effect("come with their slots, the first of them if there are too few, and once for an event", () =>
    Effect.gen(function* () {
      const { create, newRun, orgId, runRows, slots, sql, statements } = yield* setting
      yield* sql`INSERT INTO run_places (run_id, org_id, slot, taken_on) VALUES (${orgId * 1_000_000}, ${orgId}, 2, now())`
      const runs = [yield* newRun(), yield* newRun(), yield* newRun()]
      const createdRuns = yield* create(runs)
      assert.deepStrictEqual(
        createdRuns.map(({ over, placed, row_id }) => ({ over, placed, row_id })),
        runs.slice(0, SLOTS - 1).map(({ row_id }) => ({ over: false, placed: true, row_id }))
      )
      const [first, , last] = yield* slots
      assert.deepStrictEqual(
        [first, last],
        createdRuns.map(({ run_id }) => run_id)
      )
      const mailbox = yield* sql<{ run_id: string }>`
        SELECT run_id::text FROM automation_inbox WHERE org_id = ${orgId} AND run_id IS NOT NULL ORDER BY row_id`
      assert.deepStrictEqual(
        mailbox.map(({ run_id }) => run_id),
        createdRuns.map(({ run_id }) => run_id)
      )
      yield* sql`DELETE FROM run_places WHERE org_id = ${orgId}`
      assert.deepStrictEqual(yield* create(runs.slice(0, 1)), [])
      assert.strictEqual((yield* runRows).length, 2)
      assert.strictEqual(statements(), 2)
    })
  )

  it.effect("are left to the transaction while others wait for a slot, or for an automation with a limit", () =>
    Effect.gen(function* () {
      const { automationId, create, newRun, orgId, runRows, sql } = yield* setting
      const run = yield* newRun()
      yield* sql`UPDATE automations SET concurrency = '{"at_most": 1, "per_record": false, "when_full": "skip"}'
        WHERE automation_id = ${automationId}`
      assert.deepStrictEqual(yield* create([run]), [])
      yield* sql`UPDATE automations SET concurrency = NULL WHERE automation_id = ${automationId}`
      yield* sql`INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on,
          place_wanted_on)
        VALUES (${orgId}, 1, 1, 1, ${orgId}, 'regular', 'pending', true, 1, '{}', now(), now())`
      assert.deepStrictEqual(yield* create([run]), [])
      assert.strictEqual((yield* runRows).length, 0)
    })
  )

  it.effect("are nobody's whose fence is another one", () =>
    Effect.gen(function* () {
      const { create, newRun, runRows, slots } = yield* setting
      const error = yield* Effect.flip(create([yield* newRun()], 2))
      assert.instanceOf(error, Fenced)
      assert.strictEqual((yield* runRows).length + (yield* slots).length, 0)
    })
  )

  it.effect("are not those that have ended, wait, or are known to another run", () =>
    Effect.gen(function* () {
      const { create, newRun, statements } = yield* setting
      const failure = { reason: "actions_setup_failed", message: "It cannot be read." } as const
      const awaited = { run_id: "1", org_id: 1, app_id: 1, automation_id: 1, path: "0", iteration: "", record_id: 5 }
      const others: ReadonlyArray<Partial<NewRun>> = [
        { durable: true },
        { failure },
        { awaited },
        { values_of: "1" },
        { takes_over: true },
        { debounced_until: new Date().toISOString() }
      ]
      for (const other of others) {
        assert.deepStrictEqual(yield* create([yield* newRun(), yield* newRun(other)]), [])
      }
      assert.strictEqual(statements(), 0)
    })
  )
})

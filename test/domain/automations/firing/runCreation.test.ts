// Runs that begin at once are created with their slots in one statement (docs/engine.md, "Event to step"): only as many as may begin, and only
// under the fence. All others are left to the transaction that queues, skips and tells.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { makeRunCreation } from "../../../../src/domain/automations/firing/runCreation.ts"
import type { NewRun } from "../../../../src/domain/automations/run/NewRun.ts"
import { OrganizationSlots } from "../../../../src/domain/automations/run/OrganizationSlots.ts"
import { instantValues } from "../../../../src/domain/automations/run/slotStatements.ts"
import { type Activation, Fenced } from "../../../../src/engine/actors/ActorKind.ts"
import { appLayer } from "../../../support/app.ts"
import { eventually } from "../../../support/eventually.ts"
import { waitingForMe } from "../../../support/locks.ts"
import { layerCreation, mailboxRuns } from "../mailboxRuns.ts"

const SLOTS = 3

const services = Layer.provideMerge(layerCreation, appLayer({ RUNS_CONCURRENT: String(SLOTS) }))

const setting = Effect.gen(function* () {
  const { createPrompt, createRuns } = yield* makeRunCreation
  const runs = yield* mailboxRuns
  const { key } = runs
  let statements = 0
  const create = (newRuns: ReadonlyArray<NewRun>, fence = 1) => {
    const statement: Activation["statement"] = (effect, held) =>
      Effect.filterOrFail(effect, held, () => new Fenced({ actorKey: key }))
    const countedStatement: Activation["statement"] = (effect, held) =>
      statement(
        Effect.tap(effect, () => Effect.sync(() => statements++)),
        held
      )
    return createPrompt(newRuns, { key, fence, statement, once: { statement: countedStatement } } as Activation)
  }
  const createInTransaction = (newRuns: ReadonlyArray<NewRun>) => runs.sql.withTransaction(createRuns(newRuns))
  return { ...runs, create, createInTransaction, statements: () => statements }
})

layer(services, { excludeTestServices: true })("runs that begin at once", (it) => {
  it.effect("come with their slots, the first of them if there are too few, and once for an event", () =>
    Effect.gen(function* () {
      const { create, mailbox, newRun, orgId, runIds, slots, sql, statements } = yield* setting
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
      assert.deepStrictEqual(
        (yield* mailbox).flatMap(({ run_id }) => run_id ?? []),
        createdRuns.map(({ run_id }) => run_id)
      )
      yield* sql`DELETE FROM run_places WHERE org_id = ${orgId}`
      assert.deepStrictEqual(yield* create(runs.slice(0, 1)), [])
      assert.strictEqual((yield* runIds).length, 2)
      assert.strictEqual(statements(), 2)
    })
  )

  it.effect("are left to the transaction while others wait for a slot, or for an automation with a limit", () =>
    Effect.gen(function* () {
      const { automationId, create, newRun, orgId, runIds, sql } = yield* setting
      const run = yield* newRun()
      yield* sql`UPDATE automations SET concurrency = '{"at_most": 1, "per_record": false, "when_full": "skip"}'
        WHERE automation_id = ${automationId}`
      assert.deepStrictEqual(yield* create([run]), [])
      yield* sql`UPDATE automations SET concurrency = NULL WHERE automation_id = ${automationId}`
      yield* sql`INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on,
          place_wanted_on)
        VALUES (${orgId}, 1, 1, 1, ${orgId}, 'regular', 'pending', true, 1, '{}', now(), now())`
      assert.deepStrictEqual(yield* create([run]), [])
      assert.strictEqual((yield* runIds).length, 0)
    })
  )

  it.effect("wait for the slots that single-statement runs of their process hold for an instant", () =>
    Effect.gen(function* () {
      const { appId, create, newRun, orgId, sql } = yield* setting
      const runs = [yield* newRun(), yield* newRun()]
      const lockTaken = yield* Deferred.make<void>()
      const slots = yield* OrganizationSlots
      const { hold } = yield* slots.instants(orgId)
      // Stands for a statement that takes long.
      const instant = sql.withTransaction(
        sql`WITH ${slots.forAnInstant(instantValues(orgId, SLOTS))} SELECT count(*)::int AS n FROM open`.pipe(
          Effect.andThen(Deferred.succeed(lockTaken, undefined)),
          Effect.andThen(Effect.sleep("500 millis"))
        )
      )
      const holder = yield* Effect.forkChild(hold(appId, SLOTS)(instant))
      yield* Deferred.await(lockTaken)
      const createdRuns = yield* create(runs)
      assert.deepStrictEqual(
        createdRuns.map(({ placed }) => placed),
        [true, true]
      )
      yield* Fiber.join(holder)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "begin before or behind a limit that is being set for their automation: whoever decides by it counts them",
    () =>
      Effect.gen(function* () {
        const { automationId, create, createInTransaction, newRun, runIds, sql } = yield* setting
        const [first, second] = [yield* newRun(), yield* newRun()]
        yield* createInTransaction([yield* newRun()])
        const isSet = yield* Deferred.make<void>()
        const isTried = yield* Deferred.make<void>()
        const limiting = sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`UPDATE automations SET concurrency = '{"at_most": 1, "per_record": false, "when_full": "wait"}'
            WHERE automation_id = ${automationId}`
            yield* Deferred.succeed(isSet, undefined)
            yield* Deferred.await(isTried)
            yield* eventually("the transaction waits for the limit", waitingForMe, (rows) => rows.length === 1)
          })
        )
        const limiter = yield* Effect.forkChild(limiting)
        yield* Deferred.await(isSet)
        assert.deepStrictEqual(yield* create([first]), [])
        yield* Deferred.succeed(isTried, undefined)
        const [created] = yield* createInTransaction([second])
        yield* Fiber.join(limiter)
        assert.isFalse(created!.placed)
        const [queueCount] = yield* sql<{ n: number }>`
        SELECT count(*)::int AS n FROM runs WHERE automation_id = ${automationId} AND turn_wanted_on IS NOT NULL`
        assert.deepStrictEqual([queueCount!.n, (yield* runIds).length], [1, 2])
      })
  )

  it.effect("have no slot that another transaction has taken at the last moment", () =>
    Effect.gen(function* () {
      const { create, newRun, orgId, slots, sql } = yield* setting
      const otherRun = String(orgId * 1_000_000)
      const isTaken = yield* Deferred.make<void>()
      const taking = sql.withTransaction(
        Effect.gen(function* () {
          // As the release before did, without the slot's lock.
          yield* sql`INSERT INTO run_places (run_id, org_id, slot, taken_on) VALUES (${otherRun}::bigint, ${orgId}, 1, now())`
          yield* Deferred.succeed(isTaken, undefined)
          yield* eventually("the creation waits for it", waitingForMe, (rows) => rows.length === 1)
        })
      )
      const taker = yield* Effect.forkChild(taking)
      yield* Deferred.await(isTaken)
      const createdRuns = yield* create([yield* newRun(), yield* newRun()])
      yield* Fiber.join(taker)
      assert.deepStrictEqual(
        createdRuns.map(({ placed }) => placed),
        [false, true]
      )
      assert.deepStrictEqual(yield* slots, [otherRun, createdRuns[1]!.run_id])
    })
  )

  it.effect("are told to requests that wait for them, and hold the files that they are handed", () =>
    Effect.gen(function* () {
      const { create, newRun, sql } = yield* setting
      yield* sql`INSERT INTO run_waits (wait_key, created_on) VALUES ('of the second', now()), ('of another', now())`
      yield* sql`INSERT INTO file_holds (file_id, holder) VALUES (71, 'run/1'), (72, 'run/1'), (73, 'run/2')`
      const runs = yield* create([
        yield* newRun({ handed: { by: "1", files: [71, 73] } }),
        yield* newRun({ wait_key: "of the second" })
      ])
      const [callerId, waitedId] = runs.map(({ run_id }) => run_id)
      const waits = yield* sql<{ run_id: string | null }>`
        SELECT run_id::text FROM run_waits WHERE wait_key IN ('of the second', 'of another') ORDER BY wait_key DESC`
      assert.deepStrictEqual(
        waits.map(({ run_id }) => run_id),
        [waitedId, null]
      )
      const holds = yield* sql<{ file_id: number; holder: string }>`
        SELECT file_id::int, holder FROM file_holds WHERE holder NOT IN ('run/1', 'run/2')`
      assert.deepStrictEqual(holds, [{ file_id: 71, holder: `run/${callerId}` }])
    })
  )

  it.effect("are as many in one statement as are given, and share what slots there are", () =>
    Effect.gen(function* () {
      const { create, newRun, statements } = yield* setting
      const runs = yield* Effect.forEach(Array.from({ length: 50 }), () => newRun())
      assert.lengthOf(yield* create(runs), SLOTS)
      assert.strictEqual(statements(), 1)
    })
  )

  it.effect("are nobody's whose fence is another one", () =>
    Effect.gen(function* () {
      const { create, newRun, runIds, slots } = yield* setting
      const error = yield* Effect.flip(create([yield* newRun()], 2))
      assert.instanceOf(error, Fenced)
      assert.strictEqual((yield* runIds).length + (yield* slots).length, 0)
    })
  )

  it.effect("are not those that have ended, wait, or are known to another run", () =>
    Effect.gen(function* () {
      const { create, newRun, statements } = yield* setting
      const failure = { reason: "actions_setup_failed", message: "It cannot be read." } as const
      const awaited = { run_id: "1", org_id: 1, app_id: 1, automation_id: 1, path: "0", iteration: "", record_id: 5 }
      const others: ReadonlyArray<Partial<NewRun>> = [
        { durable: true },
        { has_limit: true },
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

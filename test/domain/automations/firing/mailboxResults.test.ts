// Results of mailbox rows. One that is set aside (docs/architecture/actors.md, "Poison"): who waits for the run that it should have become is
// told. One that becomes a run: whether its commit waits for the disk (docs/architecture/runs.md).
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { InboxEvent } from "../../../../src/domain/automations/firing/inboxRows.ts"
import { type FiringResult, makeResults, mustFlush } from "../../../../src/domain/automations/firing/mailboxResults.ts"
import { AUTOMATION_FIRE } from "../../../../src/domain/automations/model/fireCommand.ts"
import { ConcurrencyLimits } from "../../../../src/domain/automations/run/ConcurrencyLimits.ts"
import { Credits } from "../../../../src/domain/automations/run/Credits.ts"
import type { NewRun } from "../../../../src/domain/automations/run/NewRun.ts"
import { OrganizationSlots } from "../../../../src/domain/automations/run/OrganizationSlots.ts"
import { waitName } from "../../../../src/domain/automations/run/waitingRequests.ts"
import type { Activation } from "../../../../src/engine/actors/ActorKind.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { RelayWake } from "../../../../src/engine/outbox/RelayWake.ts"
import { Wakes } from "../../../../src/platform/sql/Wakes.ts"
import { appLayer } from "../../../support/app.ts"
import { crossing } from "../../../support/locks.ts"
import { layerCreation, mailboxRuns } from "../mailboxRuns.ts"

const services = Layer.mergeAll(OrganizationSlots.layer, Credits.layer, ConcurrencyLimits.layer).pipe(
  Layer.provideMerge(Outbox.layer),
  Layer.provideMerge(RelayWake.layer),
  Layer.provideMerge(appLayer())
)

layer(services, { excludeTestServices: true })("a row that is set aside before it has a run", (it) => {
  it.effect("is a call without a run: its caller is woken and told, and so is who waits under a key (7.13)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { aside } = yield* makeResults
      const [caller] = yield* sql<{ run_id: string }>`
        INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on)
        VALUES (1, 1, 1, 1, 1, 'regular', 'running', true, 1, '{}', now()) RETURNING run_id::text`
      const awaited = {
        run_id: caller!.run_id,
        org_id: 1,
        app_id: 1,
        automation_id: 1,
        path: "0",
        iteration: "",
        record_id: 5
      }
      yield* sql`INSERT INTO run_calls (run_id, path, iteration, record_id) VALUES (${awaited.run_id}::bigint, '0', '', 5)`
      yield* sql`INSERT INTO run_waits (wait_key, created_on) VALUES ('a key', now())`
      const event = { type: AUTOMATION_FIRE, payload: { awaited, wait_key: "a key" } }
      const row = { row_id: 1, event_id: 1, run_id: null, event } as unknown as InboxEvent
      let wakeUps = 0
      yield* (yield* Wakes).register(waitName("a key"), () => wakeUps++)
      yield* sql.withTransaction(aside(row, "It ended the process."))
      assert.strictEqual(wakeUps, 1)
      const [call] = yield* sql<{
        refused: string
      }>`SELECT refused FROM run_calls WHERE run_id = ${awaited.run_id}::bigint`
      const [wait] = yield* sql<{ refused: string }>`SELECT refused FROM run_waits WHERE wait_key = 'a key'`
      assert.deepStrictEqual([call!.refused, wait!.refused], ["set_aside", "set_aside"])
      const woken = yield* sql`SELECT 1 FROM outbox WHERE type = 'command.run.wake'`
      assert.strictEqual(woken.length, 1)
    }).pipe(Effect.scoped)
  )
})

layer(Layer.provideMerge(layerCreation, appLayer()), { excludeTestServices: true })(
  "results that become runs wait for runs before they lock automations, as whoever ends a run does",
  (it) => {
    const setting = Effect.gen(function* () {
      const { automationId, newRun, sql } = yield* mailboxRuns
      const activation = { once: { commit: (effect) => sql.withTransaction(effect) } } as Activation
      const { settle: settleOf } = yield* makeResults
      const settle = (results: ReadonlyArray<FiringResult>) => settleOf(results, activation)
      const resultOf = Effect.fnUntraced(function* (rest: Partial<NewRun> = {}) {
        const run = yield* newRun(rest)
        return { row: run, decision: { type: "run", run }, created: null } as unknown as FiringResult
      })
      const openResult = yield* resultOf()
      const runOutside = Effect.runPromiseWith(yield* Effect.context<never>())
      /** True if a run that ends beside the results gets the lock of its automation. */
      const settleBeside = Effect.fnUntraced(function* (
        holdLock: Effect.Effect<unknown, SqlError>,
        results: ReadonlyArray<FiringResult>
      ) {
        let isLocked = false
        const automationLock = sql`SELECT 1 FROM automations WHERE automation_id = ${automationId} FOR NO KEY UPDATE`
        const lockAutomation = Effect.map(automationLock, () => {
          isLocked = true
        })
        // Runs outside of the transaction that `crossing` has open.
        const settleOutside = Effect.promise(() => runOutside(settle([...results, openResult])))
        yield* crossing(holdLock, settleOutside, lockAutomation)
        return isLocked && openResult.created?.over === false
      })
      return { automationId, settleBeside, resultOf, settle, sql }
    })

    it.effect("a warning in the log of the run that caused too deep a chain", () =>
      Effect.gen(function* () {
        const { automationId, settleBeside, resultOf, settle, sql } = yield* setting
        const endingResult = yield* resultOf({ durable: true })
        yield* settle([endingResult])
        const run_id = endingResult.created!.run_id
        const tooDeep = yield* resultOf()
        const decision = { type: "none", why: "too_deep", wait_key: null, awaited: null }
        const row = { ...tooDeep.row, automation_id: automationId, event: { cause: { run_id, chain: [] } } }
        const result = { row, decision, created: null } as unknown as FiringResult
        const end = sql`UPDATE runs SET log_seq = log_seq WHERE run_id = ${run_id}::bigint`
        assert.isTrue(yield* settleBeside(end, [result]))
      })
    )

    it.effect("a run that fails as it is created", () =>
      Effect.gen(function* () {
        const { automationId, settleBeside, resultOf, sql } = yield* setting
        const failure = { reason: "filters_failed", message: "It has no value." } as const
        const mark = sql`INSERT INTO automation_failing (automation_id, failing) VALUES (${automationId}, true)`
        assert.isTrue(yield* settleBeside(mark, [yield* resultOf({ failure })]))
      })
    )
  }
)

describe("a row that becomes a run", () => {
  it("waits for the disk if its run is durable or refused, not if a request waits for a plain one", () => {
    const flushes = (decision: object) => mustFlush([{ decision } as unknown as FiringResult])
    const runOf = (run: Partial<NewRun>) => ({ type: "run", run: { durable: false, failure: null, ...run } })
    assert.isFalse(flushes(runOf({})))
    assert.isFalse(flushes(runOf({ wait_key: "a request" })))
    assert.isTrue(flushes(runOf({ durable: true })))
    const failure = { reason: "actions_setup_failed", message: "It cannot be read." } as const
    assert.isTrue(flushes(runOf({ failure })))
    const refusal = { type: "none", why: "mismatch", awaited: null }
    assert.isFalse(flushes({ ...refusal, wait_key: null }))
    assert.isTrue(flushes({ ...refusal, wait_key: "another request" }))
  })
})

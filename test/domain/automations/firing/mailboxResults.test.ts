// Results of mailbox rows. One that is set aside (docs/architecture/actors.md, "Poison"): who waits for the run that it should have become is
// told. One that becomes a run: whether its commit waits for the disk (docs/architecture/runs.md).
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { InboxEvent } from "../../../../src/domain/automations/firing/inboxRows.ts"
import { type FiringResult, makeResults, mustFlush } from "../../../../src/domain/automations/firing/mailboxResults.ts"
import { AUTOMATION_FIRE } from "../../../../src/domain/automations/model/fireCommand.ts"
import { ConcurrencyLimits } from "../../../../src/domain/automations/run/ConcurrencyLimits.ts"
import { Credits } from "../../../../src/domain/automations/run/Credits.ts"
import type { NewRun } from "../../../../src/domain/automations/run/NewRun.ts"
import { RunSlots } from "../../../../src/domain/automations/run/RunSlots.ts"
import { waitName } from "../../../../src/domain/automations/run/waitingRequests.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { RelayWake } from "../../../../src/engine/outbox/RelayWake.ts"
import { Wakes } from "../../../../src/platform/sql/Wakes.ts"
import { appLayer } from "../../../support/app.ts"

const services = Layer.mergeAll(RunSlots.layer, Credits.layer, ConcurrencyLimits.layer).pipe(
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

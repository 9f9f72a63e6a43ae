// A run that has begun its delay and has no workflow yet: a cancel, its process's death and an absent Temporal in that gap lose nothing
// and double nothing (docs/architecture/runs.md, "How runs come to their places"; developer-api.md 7.6, 7.11).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeProxy } from "../../../engine/actors/support/proxy.ts"
import { App, appLayer } from "../../../support/app.ts"
import { eventually } from "../../../support/eventually.ts"
import { freshName, temporalAddress } from "../../../support/temporal.ts"
import { automate, createRecord, runsOf, setText, settled, textOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"
import { kill, startWorker, stopsBetween } from "./killSupport.ts"

const HOUR = 3_600_000

const setting = Effect.fnUntraced(function* (delay_ms: number) {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const field = seeded.fields["reference"]!
  const id = yield* automate(seeded.token, seeded.appId, {
    trigger: { type: "record_created", config: {} },
    actions: [{ type: "delay", config: { delay_ms } }, setText(field, "late")]
  })
  const sql = yield* SqlClient.SqlClient
  const heldSlots = sql`SELECT 1 FROM run_places WHERE org_id = ${seeded.orgId}`
  return { ...seeded, field, id, places: heldSlots }
})

/** When its delay ends, as its ledger has it. */
const untilOf = (run: { readonly ledger: ReadonlyArray<any> }) => run.ledger[0].result.until as number

layer(appLayer(), { excludeTestServices: true })("a begun delay without its workflow", (it) => {
  it.effect("cancelled there it is over at once, and neither a workflow nor a place is left (7.11)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, id, places, token } = yield* setting(HOUR)
      const between = yield* stopsBetween
      const namespace = freshName("unstarted")
      yield* createRecord(token, appId, {})
      yield* between.held(
        Effect.gen(function* () {
          yield* startWorker(namespace)
          yield* between.reached
          const [run] = yield* runsOf(id)
          assert.deepStrictEqual([run!.workflow_started_on, run!.wait_until !== null], [null, true])
          const answer = yield* app.call("POST", `/v1/automation-run/${run!.run_id}/cancel`, { token })
          assert.strictEqual(answer.json.automation_run.status, "cancelled", answer.text)
        })
      )
      yield* settled(appId)
      const [run] = yield* runsOf(id)
      assert.strictEqual(run!.status, "cancelled")
      assert.deepStrictEqual(yield* places, [])
      yield* between.workflowEnds(namespace, run!)
    })
  )

  it.effect(
    "its process dies there: the next one goes on, and the delay ends once, at its first instant (7.6, A1)",
    () =>
      Effect.gen(function* () {
        const { appId, field, id, places, token } = yield* setting(8_000)
        const between = yield* stopsBetween
        const namespace = freshName("unstarted")
        const record = yield* createRecord(token, appId, {})
        const firstDelayEnd = yield* between.held(
          Effect.gen(function* () {
            const worker = yield* startWorker(namespace)
            yield* between.reached
            const [run] = yield* runsOf(id)
            yield* kill(worker)
            return untilOf(run!)
          })
        )
        yield* startWorker(namespace)
        const [run, ...more] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.completed_on != null)
        assert.deepStrictEqual([run!.status, more.length, untilOf(run!)], ["completed", 0, firstDelayEnd])
        assert.isAtLeast(run!.completed_on!.getTime(), firstDelayEnd)
        assert.deepStrictEqual(
          run!.ledger.map(({ attempts, state }) => [state, attempts]),
          [
            ["done", 1],
            ["done", 1]
          ]
        )
        assert.strictEqual(yield* textOf(record, field), "late")
        yield* settled(appId)
        yield* eventually("no place is held", places, (rows) => rows.length === 0)
      })
  )

  it.effect("Temporal goes away there: the workflow comes later, the delay ends at its first instant (7.6)", () =>
    Effect.gen(function* () {
      const { appId, id, places, token } = yield* setting(20_000)
      const between = yield* stopsBetween
      const proxy = yield* makeProxy(temporalAddress())
      yield* proxy.up
      yield* createRecord(token, appId, {})
      const firstDelayEnd = yield* between.held(
        Effect.gen(function* () {
          yield* startWorker(freshName("unstarted"), { TEMPORAL_ADDRESS: proxy.address })
          yield* between.reached
          yield* proxy.down
          const [run] = yield* runsOf(id)
          return untilOf(run!)
        })
      )
      yield* Effect.sleep("3 seconds")
      const [waits] = yield* runsOf(id)
      assert.deepStrictEqual([waits!.workflow_started_on, waits!.wait_until?.getTime()], [null, firstDelayEnd])
      yield* proxy.up
      const [run] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.completed_on != null)
      assert.deepStrictEqual([run!.status, untilOf(run!)], ["completed", firstDelayEnd])
      assert.isAtLeast(run!.completed_on!.getTime(), firstDelayEnd)
      yield* eventually("no place is held", places, (rows) => rows.length === 0)
    })
  )
})

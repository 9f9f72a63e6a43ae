// developer-api.md 7.11 rule 7: places are handed on in order to whoever waits. A run back from a delay stands in line inside of its
// activity: no timer, signal or further activity until it is called or cancelled.

import { assert, describe, layer, it as plain } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationSlots } from "../../../../src/domain/automations/run/OrganizationSlots.ts"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { makeSlotQueue } from "../../../../src/domain/automations/run/slotQueue.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, endDelays, runsOf, runsOver, setText } from "../runSupport.ts"
import { seedApp } from "../support.ts"

/** Runs that are nobody's take every place of the organization. */
const occupy = Effect.fnUntraced(function* (orgId: number, ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const id of ids) {
    yield* sql`
      INSERT INTO runs (run_id, org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on)
      OVERRIDING SYSTEM VALUE
      VALUES (${id}::bigint, ${orgId}, 0, 0, 0, ${id}::bigint, 'regular', 'running', false, 0, '{}', now())`
    yield* sql`INSERT INTO run_places (run_id, org_id, taken_on) VALUES (${id}::bigint, ${orgId}, now())`
  }
})

/** What Temporal was asked for, counted. */
const askedOf = Effect.fnUntraced(function* (automationId: number, runId: string) {
  const temporal = yield* Temporal
  const workflowId = runWorkflowId({ automation_id: automationId, run_id: runId })
  const { events } = yield* temporal.call((client) => client.workflow.getHandle(workflowId).fetchHistory())
  const allEvents = events ?? []
  return {
    over: allEvents.some((event) => event.workflowExecutionCompletedEventAttributes != null),
    activities: allEvents.filter((event) => event.activityTaskScheduledEventAttributes != null).length,
    timers: allEvents.filter((event) => event.timerStartedEventAttributes != null).length,
    signals: allEvents.filter((event) => event.workflowExecutionSignaledEventAttributes != null).length
  }
})

/** Runs whose delay is over while all places are taken: they stand in line, the oldest first. */
const inLine = Effect.fnUntraced(function* (n: number, held: ReadonlyArray<string>) {
  const { appId, fields, orgId, token } = yield* seedApp([
    { field_type: "single_text", config: { label: "Reference" } }
  ])
  const sql = yield* SqlClient.SqlClient
  const id = yield* automate(token, appId, {
    trigger: { type: "record_created", config: {} },
    actions: [{ type: "delay", config: { delay_ms: 3_600_000 } }, setText(fields["reference"]!, "late")]
  })
  for (let i = 0; i < n; i++) yield* createRecord(token, appId, {})
  yield* eventually(
    "all wait",
    runsOf(id),
    (rows) => rows.filter((run) => run.wait_until !== null && run.workflow_started_on !== null).length === n
  )
  for (const { run_id } of yield* runsOf(id))
    yield* eventually("its timer runs", askedOf(id, run_id), ({ timers }) => timers === 1)
  yield* eventually(
    "no place is held",
    sql`SELECT 1 FROM run_places WHERE org_id = ${orgId}`,
    (rows) => rows.length === 0
  )
  yield* occupy(orgId, held)
  yield* endDelays(id)
  const queuedRuns = sql<{ run_id: string }>`
    SELECT run_id::text FROM runs WHERE org_id = ${orgId} AND place_wanted_on IS NOT NULL ORDER BY run_id`
  const waitingRuns = yield* eventually("in line", queuedRuns, (rows) => rows.length === n)
  return { id, orgId, sql, token, order: waitingRuns.map(({ run_id }) => run_id) }
})

layer(spineLayer({ RUNS_CONCURRENT: "1" }), { excludeTestServices: true })("7.11 rule 7: the line for places", (it) => {
  it.effect("one place serves all that wait, the oldest first, and Temporal is asked for nothing meanwhile", () =>
    Effect.gen(function* () {
      const { id, order, orgId, sql } = yield* inLine(4, ["9100000000001"])
      const runSlots = yield* OrganizationSlots
      yield* runSlots.release(orgId, "9100000000001")
      const runs = yield* runsOver(id, 4)
      assert.isTrue(runs.every(({ status }) => status === "completed"))
      const endedRuns = yield* sql<{ run_id: string }>`
        SELECT run_id::text FROM runs WHERE automation_id = ${id} ORDER BY completed_on, run_id`
      assert.deepStrictEqual(
        endedRuns.map(({ run_id }) => run_id),
        order
      )
      for (const runId of order) {
        const { activities, ...asked } = yield* eventually("its workflow ends", askedOf(id, runId), ({ over }) => over)
        // From the delay's end to the run's: in line it was one activity; one in eight has asked for its delay. The signal ended that.
        assert.include([1, 2], activities)
        assert.deepStrictEqual(asked, { over: true, timers: 1, signals: 1 })
      }
    })
  )

  it.effect("a run that is cancelled in line ends while the places stay taken", () =>
    Effect.gen(function* () {
      const { id, order, token } = yield* inLine(2, ["9100000000011"])
      const app = yield* App
      const cancelRequest = yield* app.call("POST", `/v1/automation-run/${order[0]}/cancel`, { token })
      assert.strictEqual(cancelRequest.status, 202, cancelRequest.text)
      const runs = yield* eventually("one is over", runsOf(id), (rows) =>
        rows.some(({ status }) => status === "cancelled")
      )
      assert.deepStrictEqual(
        runs.filter(({ status }) => status === "cancelled").map(({ run_id }) => run_id),
        [order[0]]
      )
      // The other one stands where it stood.
      assert.strictEqual(runs.filter(({ completed_on }) => completed_on === null).length, 1)
    })
  )

  it.effect("a run that another process calls to its place goes on", () =>
    Effect.gen(function* () {
      const { id, order, orgId, sql } = yield* inLine(1, ["9100000000021"])
      yield* sql.withTransaction(
        Effect.andThen(
          sql`UPDATE run_places SET run_id = ${order[0]!}::bigint WHERE org_id = ${orgId}`,
          sql`UPDATE runs SET place_wanted_on = NULL WHERE run_id = ${order[0]!}::bigint`
        )
      )
      assert.strictEqual((yield* runsOver(id))[0]!.status, "completed")
    })
  )
})

describe("the line of a process", () => {
  const slotQueue = makeSlotQueue(() => Effect.succeed([]))

  plain("who is called before it waits is not missed; who leaves is no longer there", () =>
    Effect.gen(function* () {
      const { call, stand, standing: those } = yield* slotQueue
      yield* Effect.scoped(
        Effect.gen(function* () {
          const position = yield* stand(1, "7")
          assert.deepStrictEqual(those(1), ["7"])
          yield* call(["7", "8"])
          assert.strictEqual(yield* position!, "called")
        })
      )
      assert.deepStrictEqual(those(1), [])
    }).pipe(Effect.scoped, Effect.runPromise)
  )

  plain("one organization fills half of the room, all of them fill all of it", () =>
    Effect.gen(function* () {
      const { stand } = yield* slotQueue
      const enqueueMany = (orgId: number, from: number) =>
        Effect.forEach(Array.from({ length: 250 }), (_, i) => stand(orgId, String(from + i)))
      const countAccepted = (all: ReadonlyArray<unknown>) => all.filter((one) => one !== null).length
      assert.strictEqual(countAccepted(yield* enqueueMany(1, 0)), 200)
      assert.strictEqual(countAccepted(yield* enqueueMany(2, 1_000)), 200)
      assert.strictEqual(countAccepted(yield* enqueueMany(3, 2_000)), 0)
    }).pipe(Effect.scoped, Effect.runPromise)
  )

  plain("a later attempt of the same run takes the place of the earlier, which ends", () =>
    Effect.gen(function* () {
      const { stand, standing } = yield* slotQueue
      const firstCall = yield* Effect.forkChild(Effect.scoped(Effect.flatMap(stand(1, "7"), (one) => one!)), {
        startImmediately: true
      })
      yield* stand(1, "7")
      assert.strictEqual(yield* Fiber.join(firstCall), "called")
      assert.deepStrictEqual(standing(1), ["7"])
    }).pipe(Effect.scoped, Effect.runPromise)
  )
})

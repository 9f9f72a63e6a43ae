// Applies changes of an automation's state (developer-api.md 7.2): updates its schedule and due dates, and cancels its open runs when it is
// deleted. Commands may arrive late or twice, so the automation's row decides, not the command.
import { isDeepStrictEqual } from "node:util"
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import type { TemporalFailed } from "../../../engine/temporal/TemporalFailed.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { RunDriver } from "../durable/RunDriver.ts"
import { RunWorkflows } from "../durable/RunWorkflows.ts"
import type { AutomationChanged } from "../model/automationChanged.ts"
import { ConcurrencyLimits } from "../run/ConcurrencyLimits.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import { makeEndOrphanedRuns } from "../run/orphanedRuns.ts"
import { calendarWake, makeDueDates } from "../schedules/dueDates.ts"
import { PeriodicTicks } from "../schedules/PeriodicTicks.ts"
import { TemporalSchedules } from "../schedules/TemporalSchedules.ts"

const OpenRun = Schema.Struct({ run_id: Schema.String, durable: Schema.Boolean })

export const makeStateChanges = Effect.gen(function* () {
  const sql = yield* Sql
  const outbox = yield* Outbox
  const driver = yield* RunDriver
  const runSlots = yield* OrganizationSlots
  const concurrencyLimits = yield* ConcurrencyLimits
  const workflows = yield* RunWorkflows
  const schedules = yield* TemporalSchedules
  const ticks = yield* PeriodicTicks
  const dueDates = yield* makeDueDates

  const endOrphanedRuns = makeEndOrphanedRuns(sql)

  /** Ends the runs of an automation that was deleted together with its app: no executor is left for them. */
  const endOrphans = Effect.fnUntraced(function* (automationId: number) {
    for (const run of yield* endOrphanedRuns(automationId)) {
      yield* runSlots.release(run.org_id, run.run_id)
      if (run.durable) yield* workflows.wake(run)
    }
  })

  const cancelAll = Effect.fnUntraced(function* (automationId: number) {
    const openRuns = yield* rowsOf(OpenRun)(sql`
      SELECT run_id::text, durable FROM runs WHERE automation_id = ${automationId} AND completed_on IS NULL`)
    for (const run of openRuns) {
      yield* driver.cancel(run.run_id)
      if (run.durable) yield* workflows.wake({ run_id: run.run_id, automation_id: automationId })
    }
  })

  /** Applies the present settings to queued runs, and releases the parked mailbox rows of runs that have ended. */
  const callParked = Effect.fnUntraced(function* (automationId: number) {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    yield* sql`
      UPDATE automation_inbox i SET parked = false, due_at = ${nowDate} FROM runs r
      WHERE i.run_id = r.run_id AND i.parked AND r.completed_on IS NOT NULL AND r.automation_id = ${automationId}`
    // Fires debounced runs now if the automation no longer debounces.
    yield* sql`
      WITH fires AS (
        UPDATE runs r SET debounced_until = ${nowDate} FROM automations a
        WHERE r.automation_id = ${automationId} AND a.automation_id = r.automation_id AND a.debounce_ms IS NULL
          AND r.debounced_until > ${nowDate} AND r.completed_on IS NULL RETURNING r.run_id
      )
      UPDATE automation_inbox i SET due_at = ${nowDate} FROM fires WHERE i.run_id = fires.run_id AND i.parked`
    yield* concurrencyLimits.handOn({ automation_id: automationId, record_id: null, all: true })
  }, sql.withTransaction)

  /** Repeats until Temporal's schedule equals the row: another command may have run meanwhile. */
  const doSchedule = Effect.fnUntraced(function* (automationId: number) {
    // Ticks what was due before the schedule existed, and records that the automation has one.
    yield* ticks.tick(automationId)
    if (!(yield* ticks.known(automationId))) return
    let [wanted] = yield* ticks.armed(automationId)
    for (;;) {
      yield* wanted === undefined ? schedules.remove(automationId) : schedules.put(wanted)
      const [after] = yield* ticks.armed(automationId)
      if (isDeepStrictEqual(after?.config, wanted?.config) && after?.armedOn === wanted?.armedOn) break
      wanted = after
    }
    yield* ticks.tick(automationId)
  })

  return Effect.fnUntraced(function* (
    { automation_id, change }: AutomationChanged,
    orgId: number
  ): Effect.fn.Return<void, SqlError | TemporalFailed> {
    if (change === "deleted") {
      yield* endOrphans(automation_id)
      yield* cancelAll(automation_id)
    }
    if (change === "deleted" || change === "updated") yield* callParked(automation_id)
    if (yield* dueDates.arm(automation_id)) yield* sql.withTransaction(outbox.append([calendarWake(orgId)]))
    yield* doSchedule(automation_id)
    if (change === "deleted") yield* ticks.forget(automation_id)
  })
})

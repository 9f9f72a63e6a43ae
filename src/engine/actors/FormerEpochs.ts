// Ends what former epochs have left in Temporal: their schedules, and the workflows that still wait. These could commit nothing any more;
// their work goes on in this epoch, from the rows (docs/architecture/actors.md, "Epochs").
import { WorkflowNotFoundError } from "@temporalio/common"
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Epoch, type EpochName, epochOf, prefixOf, shownEpoch, withoutEpoch } from "../temporal/Epoch.ts"
import { interventions } from "../temporal/interventions.ts"
import { Temporal } from "../temporal/Temporal.ts"
import { ignoring, isScheduleNotFound, type TemporalFailed } from "../temporal/TemporalFailed.ts"
import { Actors } from "./Actors.ts"

/** Workflow types of ours, in a namespace that others may use too. */
const types: ReadonlyArray<string> = Object.keys(interventions)

const AT_ONCE = 8

export class FormerEpochs extends Context.Service<
  FormerEpochs,
  {
    /** @returns how many have been ended */
    readonly end: Effect.Effect<{ readonly workflows: number; readonly schedules: number }, SqlError | TemporalFailed>
  }
>()("millrace/actors/FormerEpochs") {
  static readonly layer = Layer.effect(
    FormerEpochs,
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const epoch = yield* Epoch
      const actors = yield* Actors

      const isFormer = (id: string, now: EpochName) => epochOf(id).number < now.number

      const listWorkflows = (now: EpochName) =>
        temporal.call(async (client) => {
          const ours = types.map((type) => `'${type}'`).join(", ")
          const query = `ExecutionStatus = 'Running' AND WorkflowId NOT STARTS_WITH '${prefixOf(now)}' AND WorkflowType IN (${ours})`
          const ids: Array<string> = []
          for await (const { workflowId } of client.workflow.list({ query })) {
            if (isFormer(workflowId, now)) ids.push(workflowId)
          }
          return ids
        })

      const schedules = (now: EpochName) =>
        temporal.call(async (client) => {
          const ids: Array<string> = []
          for await (const { action, scheduleId } of client.schedule.list()) {
            const ours = types.includes(action?.workflowType ?? "")
            if (ours && isFormer(scheduleId, now)) ids.push(scheduleId)
          }
          return ids
        })

      const end = Effect.gen(function* () {
        const currentEpoch = yield* epoch.current
        if (currentEpoch.number === 1) return { workflows: 0, schedules: 0 }
        const formerSchedules = yield* schedules(currentEpoch)
        yield* Effect.forEach(
          formerSchedules,
          (id) => ignoring(isScheduleNotFound)(temporal.call((client) => client.schedule.getHandle(id).delete())),
          { concurrency: AT_ONCE, discard: true }
        )
        const formerWorkflows = yield* listWorkflows(currentEpoch)
        yield* Effect.forEach(
          formerWorkflows,
          (id) => {
            const why = `Of the former epoch ${shownEpoch(epochOf(id))}: the database was restored or replaced, and ${shownEpoch(currentEpoch)} has begun; what it was for goes on there.`
            return ignoring((cause) => cause instanceof WorkflowNotFoundError)(
              temporal.call((client) => client.workflow.getHandle(id).terminate(why))
            )
          },
          { concurrency: AT_ONCE, discard: true }
        )
        // Calls the actors again, so that one that stayed open because something fails is listed again.
        yield* actors.callAgain(formerWorkflows.map(withoutEpoch))
        return { workflows: formerWorkflows.length, schedules: formerSchedules.length }
      })
      return FormerEpochs.of({ end })
    })
  )
}

// `current_record_update` (service.md 2.7): assigns fields of the run's record.
import { Effect } from "effect"
import { StepRecordChange, success } from "../../model/Step.ts"
import { currentRecord, prepared, type StepOf } from "../runtime.ts"
import { Assignments } from "../shared/Assignments.ts"
import { levels, Mutations } from "../shared/Mutations.ts"
import { skipInSimulation } from "../simulation.ts"

export const run = Effect.gen(function* () {
  const mutations = yield* Mutations
  const assignments = yield* Assignments

  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"current_record_update">) {
      const { app_id, record_id } = yield* currentRecord(step)
      const write = yield* mutations.write(step, app_id, levels.edit)
      const fields = yield* assignments.inputs(step.config.field_assignments, app_id, step)
      if (step.simulation) return skipInSimulation(`record ${record_id} would be updated.`)
      if (Object.keys(fields).length === 0) return success
      return new StepRecordChange({ write, app_id, record_id, fields })
    }),
    assignments.ahead
  )
})

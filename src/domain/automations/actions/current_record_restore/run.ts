// Runtime of `current_record_restore` (developer-api.md 7.6): takes the record out of the trash; a record that is not there is logged, no
// error.
import { Effect } from "effect"
import { RecordWriter } from "../../../records/writing/RecordWriter.ts"
import { success } from "../../model/Step.ts"
import { currentRecord, once, refusing, type StepOf } from "../runtime.ts"
import { levels, Mutations } from "../shared/Mutations.ts"
import { skipInSimulation } from "../simulation.ts"

export const run = Effect.gen(function* () {
  const writer = yield* RecordWriter
  const mutations = yield* Mutations

  return once(
    Effect.fnUntraced(function* (step: StepOf<"current_record_restore">) {
      const { app_id, deleted_on, record_id } = yield* currentRecord(step)
      const write = yield* mutations.write(step, app_id, levels.edit)
      if (deleted_on === null) {
        step.log.add("info", `Record ${record_id} is not in the trash.`)
        return success
      }
      if (step.simulation) return skipInSimulation(`record ${record_id} would be restored.`)
      yield* refusing(writer.restore(write, app_id, record_id))
      return success
    })
  )
})

// `current_record_delete` (developer-api.md 7.6): the run's record goes to the trash.
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
    Effect.fnUntraced(function* (step: StepOf<"current_record_delete">) {
      const { app_id, record_id } = yield* currentRecord(step)
      const write = yield* mutations.write(step, app_id, levels.edit)
      if (step.simulation) return skipInSimulation(`record ${record_id} would be moved to the trash.`)
      yield* refusing(writer.remove(write, app_id, [record_id], false))
      return success
    })
  )
})

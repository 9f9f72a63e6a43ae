// Assigns fields of one of many records, one revision each (service.md 2.7, developer-api.md 7.6).
import { Effect } from "effect"
import { RecordWriter } from "../../../records/writing/RecordWriter.ts"
import type { RecordState } from "../../model/RunScope.ts"
import { type MutationConfig, type Step, skipped, success } from "../../model/Step.ts"
import type { FieldAssignment } from "../../schema/fieldAssignments.ts"
import { refusing } from "../runtime.ts"
import { skipInSimulation } from "../simulation.ts"
import { Assignments } from "./Assignments.ts"
import { levels, Mutations } from "./Mutations.ts"

export const makeUpdateOneOfMany = Effect.gen(function* () {
  const writer = yield* RecordWriter
  const mutations = yield* Mutations
  const assignments = yield* Assignments

  return Effect.fnUntraced(function* (
    step: Step<MutationConfig & { readonly field_assignments: ReadonlyArray<FieldAssignment> }>,
    { app_id, deleted_on, record_id }: RecordState
  ) {
    if (deleted_on !== null) return skipped(`Record ${record_id} is in the trash.`)
    const write = yield* mutations.write(step, app_id, levels.edit)
    const fields = yield* assignments.inputs(step.config.field_assignments, app_id, step)
    if (step.simulation) return skipInSimulation(`record ${record_id} would be updated.`)
    if (Object.keys(fields).length > 0) yield* refusing(writer.update(write, app_id, [{ record_id, fields }]))
    return success
  })
})

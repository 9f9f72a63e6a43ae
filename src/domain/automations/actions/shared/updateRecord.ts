// Steps that assign fields of many records: collected ones, related ones; one revision each (service.md 2.7, developer-api.md 7.6, 7.7 rule 2).
import { Effect } from "effect"
import { RecordWriter } from "../../../records/writing/RecordWriter.ts"
import type { RecordState } from "../../model/RunScope.ts"
import { type MutationConfig, type Step, skipped, success } from "../../model/Step.ts"
import { currentRecord, each, refusing, type StepOf } from "../runtime.ts"
import { Assignments } from "./Assignments.ts"
import { Collections } from "./Collections.ts"
import type { FieldAssignment } from "./fieldAssignments.ts"
import { levels, Mutations } from "./Mutations.ts"

const updating = Effect.gen(function* () {
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
    if (step.simulation) return skipped(`Simulation: record ${record_id} would be updated.`)
    if (Object.keys(fields).length > 0) yield* refusing(writer.update(write, app_id, [{ record_id, fields }]))
    return success
  })
})

export const collectedRecordsUpdate = Effect.gen(function* () {
  const collections = yield* Collections
  const update = yield* updating
  return each(
    Effect.fnUntraced(function* (step: StepOf<"collected_records_update">) {
      return (yield* collections.of(step.config.record_collection, step)).record_ids
    }),
    update
  )
})

export const referencedRecordsUpdate = Effect.gen(function* () {
  const collections = yield* Collections
  const update = yield* updating
  return each(
    Effect.fnUntraced(function* (step: StepOf<"referenced_records_update">) {
      const related = yield* collections.related(yield* currentRecord(step), step.config.app_id, step)
      step.log.input("related_records", { num_records: related.length })
      return related.map((record) => record.record_id)
    }),
    update
  )
})

// `record_create` (developer-api.md 7.6): creates a record and publishes it; in a simulation a stand-in with id 0.
import { Clock, Effect } from "effect"
import { formatDateTime } from "../../../../platform/primitives/dates.ts"
import { RecordWriter } from "../../../records/writing/RecordWriter.ts"
import { automationAuthor, success } from "../../model/Step.ts"
import { Sources } from "../../values/referencedRecords.ts"
import { failed, prepared, refusing, type StepOf } from "../runtime.ts"
import { Assignments } from "../shared/Assignments.ts"
import { levels, Mutations } from "../shared/Mutations.ts"
import { skipInSimulation } from "../simulation.ts"

export const run = Effect.gen(function* () {
  const writer = yield* RecordWriter
  const mutations = yield* Mutations
  const assignments = yield* Assignments
  const sources = yield* Sources

  const standIn = Effect.fnUntraced(function* (step: StepOf<"record_create">, app_id: number) {
    const definition = yield* sources.definition(app_id, step)
    const currentTime = formatDateTime(new Date(yield* Clock.currentTimeMillis))
    const record = {
      record_id: 0,
      app_id,
      app_record_id: 0,
      revision: 0,
      title: `${definition?.item_name ?? "Record"} #0`,
      cells: {},
      comment_count: 0,
      created_on: currentTime,
      created_by: automationAuthor(step),
      last_modified_on: null,
      last_modified_by: null,
      deleted_on: null
    }
    step.publish({ type: "created_record", app_id, record_id: 0, record })
    return skipInSimulation(`a record of app ${app_id} would be created.`)
  })

  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"record_create">) {
      const { app_id, field_assignments, match_field_ids = [] } = step.config
      if (app_id === undefined) return yield* failed("No app is set.")
      const write = yield* mutations.write(step, app_id, levels.edit)
      const fields = yield* assignments.inputs(field_assignments, app_id, step)
      if (step.simulation) return yield* standIn(step, app_id)
      const writing =
        match_field_ids.length === 0
          ? writer.create(write, app_id, [fields])
          : Effect.map(writer.upsert(write, app_id, match_field_ids, [fields]), (results) =>
              results.map(({ record }) => record)
            )
      return Effect.map(refusing(writing), ([record]) => {
        step.publish({ type: "created_record", app_id, record_id: record!.record_id })
        step.log.about(record!.record_id)
        step.log.output("record_id", record!.record_id)
        return success
      })
    })
  )
})

// The run time of the actions (developer-api.md 7.6), by type.
import { Effect, Layer } from "effect"
import { RecordWriter } from "../../../records/RecordWriter.ts"
import {
  automationAuthor,
  type MutationConfig,
  type Scope,
  type Step,
  StepFailed,
  type StepRuntime,
  type StepRuntimes,
  Steps,
  skipped,
  success,
  switchesOf
} from "../../engine/Step.ts"
import { Values } from "../../engine/Values.ts"
import type { FieldAssignment } from "../assignments.ts"
import { actionTypes } from "../registry.ts"

const failed = (error: { readonly message: string }) => new StepFailed({ message: error.message })

export const StepsLive = Layer.effect(
  Steps,
  Effect.gen(function* () {
    const writer = yield* RecordWriter
    const values = yield* Values

    const write = (step: Step<MutationConfig>) => ({
      caller: step.caller,
      author: automationAuthor(step),
      switches: switchesOf(step.config),
      depth: step.run.depth,
      cause: step.cause
    })
    const fieldsOf = Effect.fnUntraced(function* (assignments: ReadonlyArray<FieldAssignment>, scope: Scope) {
      const fields: Record<string, unknown> = {}
      for (const assignment of assignments) {
        const key = String(assignment.variable_def.field_id)
        if (assignment.field_type === "single_text" || assignment.field_type === "multi_text") {
          fields[key] = yield* values.text(assignment.field_value, scope)
        } else if (assignment.field_type === "number") fields[key] = yield* values.code(assignment.field_value, scope)
        else
          return yield* new StepFailed({ message: `Fields of type ${assignment.field_type} cannot be assigned yet.` })
      }
      return fields
    })

    const record_create: StepRuntimes["record_create"] = {
      kind: "once",
      run: Effect.fnUntraced(function* (step) {
        const { app_id, field_assignments } = step.config
        if (app_id === undefined) return yield* new StepFailed({ message: "No app is set." })
        if (step.simulation) return skipped("A record would be created.")
        const fields = yield* fieldsOf(field_assignments, step)
        const [row] = yield* Effect.mapError(writer.create(write(step), app_id, [fields]), failed)
        step.publish({ type: "created_record", app_id, record_id: row!.record_id })
        step.log.about(row!.record_id)
        return success
      })
    }
    const current_record_update: StepRuntimes["current_record_update"] = {
      kind: "once",
      run: Effect.fnUntraced(function* (step) {
        const record = yield* step.current
        if (record === null) return yield* new StepFailed({ message: "There is no current record." })
        if (step.simulation) return skipped("The record would be updated.")
        const fields = yield* fieldsOf(step.config.field_assignments, step)
        const update = [{ record_id: record.record_id, fields }]
        yield* Effect.mapError(writer.update(write(step), record.app_id, update), failed)
        return success
      })
    }
    const unknown = (type: string): StepRuntime => ({
      kind: "once",
      run: () => Effect.fail(new StepFailed({ message: `Steps of type ${type} cannot be run yet.` }))
    })
    const all = Object.fromEntries(actionTypes.map((type) => [type, unknown(type)]))
    return { ...all, record_create, current_record_update } as unknown as StepRuntimes
  })
)

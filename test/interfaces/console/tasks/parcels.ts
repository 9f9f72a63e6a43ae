// A thousand parcels, one of which says that it is wet where its weight should stand, and an automation that weighs them all, one by one.
import { Effect, Layer } from "effect"
import { freshName, temporalAddress } from "../../../support/temporal.ts"
import { sceneWith } from "../../pages/chromium.ts"
import { callerOfScene, field } from "../consoleSeeds.ts"

/** The whole service, with its workers. */
export const WorkingScene = Layer.suspend(() =>
  sceneWith({
    ROLE: "all",
    RATE_BUDGET: "1000000",
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: freshName("console"),
    TEMPORAL_UI_URL: "http://temporal.example"
  })
)

export const PARCELS = 1_000
const collection = { kind: "variable", source: "action", action_type: "record_collection" }

/**
 * @param wet the number of the one that is wet
 * @param goesOn past what fails
 */
export const seedParcels = Effect.fnUntraced(function* (wet: number, goesOn: boolean) {
  const call = yield* callerOfScene
  const { workspaces } = yield* call("GET", "/workspace/org")
  const app = yield* call("POST", "/app", {
    workspace_id: workspaces[0].workspace_id,
    name: "Parcels",
    item_name: "Parcel",
    fields: [field("single_text", "Name"), field("single_text", "Weighed"), field("number", "Weight")]
  })
  const [, weighed, weight] = app.fields
  const { app_id } = app
  const inputs = Array.from({ length: PARCELS }, (_, at) => ({
    fields: { name: `Parcel ${at + 1}`, weighed: at + 1 === wet ? "wet" : String(at + 1) }
  }))
  const ids: Array<number> = []
  for (let from = 0; from < PARCELS; from += 50) {
    const createdBatch = yield* call("POST", `/record/app/batch/${app_id}?workflow=false`, {
      inputs: inputs.slice(from, from + 50)
    })
    ids.push(...createdBatch.records.map(({ record_id }: any) => record_id))
  }
  const read = {
    kind: "variable",
    source: "field",
    field_id: weighed.field_id,
    field_type: "single_text",
    collection: true
  }
  const weightVariable = { kind: "variable", source: "field", field_id: weight.field_id, field_type: "number" }
  const assignment = { field_type: "number", variable_def: weightVariable, assignment_type: "set", field_value: [read] }
  const weigh = {
    id: "weigh",
    type: "collected_records_update",
    custom_name: "Weigh it",
    continue_on_error: goesOn,
    config: {
      field_assignments: [assignment],
      trigger_other_flows: false,
      trigger_webhooks: false
    }
  }
  const { automation } = yield* call("POST", `/automation/app/${app_id}`, {
    name: "Weighs the parcels",
    trigger: { type: "automation_called", config: {} },
    actions: [
      { id: "all", type: "collect_app_records", config: { app_id, limit: PARCELS, limit_enabled: true } },
      {
        id: "each",
        type: "for_loop",
        custom_name: "Each parcel",
        config: { iterable: collection, action_rows: [weigh] }
      }
    ]
  })
  yield* call("POST", `/automation/${automation.id}/activate`)
  const run = call("POST", `/automation/${automation.id}/manual-run`, { record_id: ids[0] })
  return { call, app_id, automation, ids, run }
})

// Tools that list the parts of automations (developer-api.md 3.4). The whole catalogue is too long for a model, so types come first and one
// type's schema on demand.
import { Schema } from "effect"
import { reads, tool } from "../Tool.ts"
import { optional, text } from "./args.ts"

interface Entry {
  readonly type: string
  readonly config_schema: unknown
}

const part = Schema.Struct({
  type: Schema.String,
  label: Schema.String,
  description: optional(Schema.String),
  group: optional(Schema.String),
  config_schema: optional(Schema.Record(Schema.String, Schema.Unknown))
})

/** Lists all types without schemas, or the given type with its schema. */
const narrowed = (entries: ReadonlyArray<Entry>, type: string | undefined) =>
  type === undefined
    ? entries.map(({ config_schema: _, ...rest }) => rest)
    : entries.filter((entry) => entry.type === type)

const type = optional(text("Only this type, with the JSON Schema of its config."))

export const catalogueTools = [
  tool({
    name: "list_trigger_types",
    title: "List trigger types",
    description: "What can start an automation. Without `type` an overview, with it the config of that trigger.",
    hints: reads,
    endpoint: ["automationMeta", "triggers"],
    args: { type },
    own: ["type"],
    output: Schema.Struct({ triggers: Schema.Array(part) }),
    shape: ({ triggers }, args) => ({ triggers: narrowed(triggers, args.type) })
  }),
  tool({
    name: "list_action_types",
    title: "List action types",
    description:
      "The steps an automation can be made of. Without `type` an overview, with it the config of that action.",
    hints: reads,
    endpoint: ["automationMeta", "actions"],
    args: { type },
    own: ["type"],
    output: Schema.Struct({ actions: Schema.Array(part) }),
    shape: ({ actions }, args) => ({ actions: narrowed(actions, args.type) })
  }),
  tool({
    name: "describe_scripts",
    title: "Describe scripts",
    description:
      "What scripts (custom_code, code values, conditions) find: names with their types, libraries and limits.",
    hints: reads,
    endpoint: ["automationMeta", "script"],
    args: {}
  }),
  tool({
    name: "list_filter_operators",
    title: "List filter operators",
    description: "The operators that an automation's conditions may use on a type of field.",
    hints: reads,
    endpoint: ["automationMeta", "filter"],
    args: { field_type: text("A field_type of describe_app, for example single_text.") }
  })
]

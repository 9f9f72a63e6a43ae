// Definitions of automations as the description shows them: the schemas of /v1/automation/schema.json (developer-api.md 3.4), which are
// made from those that decode them.
import { Schema } from "effect"
import {
  CreateBody,
  DuplicateBody,
  SchedulePreviewBody,
  TriggerInput,
  UpdateBody
} from "../../domain/automations/input/automationBodies.ts"
import { type JsonSchema, jsonSchemaOf } from "../../domain/automations/meta/definitionSchema.ts"
import { reasonCodes, warningCodes } from "../../domain/automations/schema/brokenReasons.ts"
import { object } from "../../domain/automations/schema/combinators.ts"
import type { BrokenReason, Warning } from "../../domain/automations/schema/ValidationModel.ts"
import { triggers } from "../../domain/automations/triggers/registry.ts"

const Id = Schema.optionalKey(Schema.Int)
const Finding: Schema.Codec<BrokenReason | Warning, any> = Schema.Struct({
  code: Schema.Literals([...reasonCodes, ...warningCodes]),
  message: Schema.String,
  block_id: Schema.NullOr(Schema.String.annotate({ description: "The part at fault, by its id" })),
  action_id: Schema.NullOr(Schema.String),
  deactivated: Schema.optionalKey(Schema.Literal(true)),
  app_id: Id,
  field_id: Id,
  view_id: Id,
  automation_id: Id,
  user_id: Id,
  record_id: Id,
  option_id: Id,
  match_type: Schema.optionalKey(Schema.String),
  assignment_type: Schema.optionalKey(Schema.String),
  call_argument: Schema.optionalKey(Schema.String)
}) as never

const bodies = {
  AutomationCreate: CreateBody,
  AutomationUpdate: UpdateBody,
  SchedulePreview: SchedulePreviewBody,
  AutomationDuplicate: DuplicateBody,
  Trigger: TriggerInput,
  BrokenReason: Finding
}

type Members = { readonly properties: Readonly<Record<string, JsonSchema>> }

/** A trigger as it reads: with what the service assigns. */
const withAssigned = (trigger: JsonSchema): JsonSchema => {
  const { properties } = trigger as unknown as Members
  const { config, type } = properties as Record<"config" | "type", JsonSchema>
  const [tag] = type["enum"] as [keyof typeof triggers]
  const assigned = Object.keys(triggers[tag].readOnly)
  if (assigned.length === 0) return trigger
  const readOnlySchema = jsonSchemaOf(object(triggers[tag].readOnly as Schema.Struct.Fields)) as unknown as Members
  const members = { ...(config["properties"] as object), ...readOnlySchema.properties }
  return { ...trigger, properties: { ...properties, config: { ...config, properties: members } } }
}

/** A definition's schemas by name, references still to `$defs`. */
export const automationShapes = (): Readonly<Record<string, JsonSchema>> => {
  const schemasByName: Record<string, JsonSchema> = {}
  for (const [name, body] of Object.entries(bodies)) {
    const { $defs, $schema: _, ...schema } = jsonSchemaOf(body)
    Object.assign(schemasByName, $defs)
    if (schema["$ref"] === undefined) schemasByName[name] = schema
  }
  const { anyOf } = schemasByName["Trigger"] as { readonly anyOf: ReadonlyArray<JsonSchema> }
  return { ...schemasByName, Trigger: { ...schemasByName["Trigger"], anyOf: anyOf.map(withAssigned) } }
}

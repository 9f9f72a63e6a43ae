// Warns about loops that have one item at most (developer-api.md 7.13 `warnings`): through a value that is no list, the record that a step
// creates, or a collection whose limit is one record. Pure.
import { actionSpec } from "../actions/registry.ts"
import type { Action, Definition } from "../model/Definition.ts"
import type { Reference } from "../schema/dynamicValues.ts"
import { typeNamed } from "../schema/operators.ts"
import { referenceLabel } from "../schema/referenceLabels.ts"
import type { ValidationModel, Warning } from "../schema/ValidationModel.ts"
import { liveActions } from "./warningPlaces.ts"

/** Kinds of fields whose values are lists, however many a field may hold. */
const lists: ReadonlySet<string> = new Set(["records", "files", "checklist"])
const singleMeta: ReadonlySet<string> = new Set([
  "app_record_id",
  "created_at",
  "last_modified_at",
  "record_url",
  "revision"
])
const singleOutputs: ReadonlySet<string> = new Set([
  ...["periodic_execution_datetime", "periodic_next_execution_datetime", "webhook_raw_body"],
  ...["weblink_click_count", "weblink_created_at", "record_comment_or_reply_id", "record_comment_or_reply_content"],
  "record_comment_or_reply_entity_type"
])

const isSingle = (reference: Reference): boolean => {
  switch (reference.source) {
    case "field": {
      const { kind, multiple } = typeNamed(reference.field_type)
      return !reference.collection && !multiple && !lists.has(kind)
    }
    case "meta":
      return reference.collection !== true && singleMeta.has(reference.meta_type)
    case "trigger":
      return reference.trigger_type === "webhook_payload_property"
        ? reference.data_type !== "any"
        : singleOutputs.has(reference.trigger_type)
    case "global":
      return true
    default:
      return false
  }
}

/** Collecting steps by which a reference to a collection may be filled. */
const collecting = (steps: ReadonlyArray<Action>, appId: number | undefined) =>
  steps.filter(({ config, type }) => {
    if (actionSpec(type).produces !== "record_collection") return false
    const ownAppId = config["app_id"] as number | undefined
    return appId === undefined || ownAppId === undefined || ownAppId === appId
  })

const takesOne = ({ config }: Action) => config["limit_enabled"] === true && config["limit"] === 1

/** Returns why a loop through the reference has one item at most, and what to do. */
const mistakeOf = (
  reference: Reference,
  steps: ReadonlyArray<Action>,
  { fields }: ValidationModel
): string | undefined => {
  const name = referenceLabel(reference, (id) => fields.get(id)?.label)
  if (isSingle(reference))
    return `it goes through ${name}, which is one value and no list. Choose a list, or take the steps out of the loop.`
  if (reference.source !== "action") return undefined
  if (reference.action_type === "created_record")
    return "it goes through the one record that a step has created. Take the steps out of the loop."
  if (reference.action_type !== "record_collection") return undefined
  const sources = collecting(steps, reference.app_id)
  return sources.length > 0 && sources.every(takesOne)
    ? "the step that collects its records takes one (`limit`). Raise the limit or switch it off, or take the steps out of the loop."
    : undefined
}

export function* loopsOfOne({ actions }: Definition, model: ValidationModel): Iterable<Warning> {
  const steps = [...liveActions(actions)]
  for (const { config, id, type } of steps) {
    const reference = config["iterable"] as Reference | undefined
    if (type !== "for_loop" || reference === undefined) continue
    const mistake = mistakeOf(reference, steps, model)
    if (mistake !== undefined)
      yield { code: "loop_of_one", message: `The loop has one item at most: ${mistake}`, block_id: id, action_id: id }
  }
}

// Names references for people, in warnings and in the log of a run. Pure.

import type { Constant, Reference, SecretReference } from "./dynamicValues.ts"
import { isReference } from "./walk.ts"

type Shown = Reference | SecretReference | Constant

const property = (path: ReadonlyArray<string | number>): string =>
  path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? key : `${text}.${key}`),
    ""
  )

/** @param labelOf returns a field's label, if it is known */
export const referenceLabel = (reference: Shown, labelOf: (fieldId: number) => string | undefined): string => {
  if (!isReference(reference)) return "a constant"
  switch (reference.source) {
    case "field": {
      const label = labelOf(reference.field_id)
      return label === undefined ? `field ${reference.field_id}` : `field ${JSON.stringify(label)}`
    }
    case "meta":
      return reference.meta_type
    case "trigger":
      return reference.trigger_type === "webhook_payload_property"
        ? `payload property ${JSON.stringify(property(reference.key_path))}`
        : reference.trigger_type
    case "action":
      return reference.action_type
    case "global":
      return reference.global_type
    case "custom":
      return `variable ${JSON.stringify(reference.label)}`
    default:
      return "a secret"
  }
}

// Warns about texts of a definition (developer-api.md 7.13 `warnings`): literals that look like references, recipients that are no
// addresses, fields that no reader sees.
import { joinedAddresses, withoutAddress } from "../../../platform/mail/addresses.ts"
import type { Definition } from "../model/Definition.ts"
import type { ValidationModel, Warning } from "../schema/ValidationModel.ts"
import { isPlainObject } from "../schema/walk.ts"
import { placesOf, textsIn, type WarnedPlace } from "./warningPlaces.ts"

const locationOf = ({ action_id, block_id }: WarnedPlace) => ({ block_id, action_id })
const quoted = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

/** Matches references in the syntax of other products, which is plain text here. */
const lookalike = /\{\{[^{}]{1,200}\}\}/

function* literalWarnings(place: WarnedPlace): Iterable<Warning> {
  for (const { isCode, items } of textsIn(place)) {
    if (isCode) continue
    for (const item of items) {
      const [found] = (typeof item === "string" && lookalike.exec(item)) || []
      if (found === undefined) continue
      const message = `${quoted(found)} is text and stays as it is; a value is put in by a reference.`
      yield { code: "literal_looks_like_reference", message, ...locationOf(place) }
    }
  }
}

const addressKeys = ["to_address", "cc_address", "bcc_address", "reply_address", "from_address"] as const
/** Placeholder for parts that only the run knows; no address contains it. */
const UNKNOWN = "\uE000"

function* recipientWarnings(place: WarnedPlace): Iterable<Warning> {
  if (!isPlainObject(place.value)) return
  for (const key of addressKeys) {
    const items = place.value[key]
    if (!Array.isArray(items)) continue
    const text = joinedAddresses(items.map((item) => (typeof item === "string" ? item : UNKNOWN)))
    for (const entry of withoutAddress(text)) {
      if (entry.includes(UNKNOWN)) continue
      yield {
        code: "recipient_invalid",
        message: `\`${key}\`: ${quoted(entry.trim())} is no address.`,
        ...locationOf(place)
      }
    }
  }
}

function* fieldIdsIn(value: unknown): Iterable<number> {
  if (Array.isArray(value)) for (const item of value) yield* fieldIdsIn(item)
  else if (isPlainObject(value)) {
    if (typeof value["field_id"] === "number") yield value["field_id"]
    for (const item of Object.values(value)) yield* fieldIdsIn(item)
  }
}

function* hiddenWarnings(place: WarnedPlace, { fields }: ValidationModel): Iterable<Warning> {
  for (const field_id of new Set(fieldIdsIn(place.value))) {
    const field = fields.get(field_id)
    if (field?.always_hidden !== true) continue
    const message = `Field ${field_id}, ${quoted(field.label)}, is hidden: nobody sees its value on a record.`
    yield { code: "field_hidden", message, field_id, ...locationOf(place) }
  }
}

export function* textWarnings(definition: Definition, model: ValidationModel): Iterable<Warning> {
  for (const warnedPlace of placesOf(definition)) {
    yield* literalWarnings(warnedPlace)
    yield* recipientWarnings(warnedPlace)
    yield* hiddenWarnings(warnedPlace, model)
  }
}

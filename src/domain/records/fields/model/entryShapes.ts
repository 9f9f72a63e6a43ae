// Tells entries of a converted field's own type from those of a former one (developer-api.md 11.4). A record holds entries of
// one type, but a state that was read before the switch may meet the newer definition: an event in flight, a run that waits.
import type { Cell, Entry } from "../../../../platform/primitives/Cell.ts"
import type { DataKind } from "../contract/FieldType.ts"
import { typeOf } from "../registry.ts"
import type { Field } from "./Field.ts"

const isObjectWith = (key: string) => (entry: Entry) => typeof entry === "object" && key in entry
const isText = (entry: Entry) => typeof entry === "string"
const isNumber = (entry: Entry) => typeof entry === "number"

const fits: Readonly<Record<DataKind, (entry: Entry) => boolean>> = {
  text: isText,
  number: isNumber,
  options: isNumber,
  records: isNumber,
  users: isNumber,
  files: isNumber,
  dates: isObjectWith("start"),
  contacts: isObjectWith("type"),
  links: isObjectWith("embed_id"),
  location: isObjectWith("map_in_sync"),
  checklist: isObjectWith("completed"),
  result: () => true
}

/** The cell, or an empty one if its entries are of a former type. */
export const ofItsType = (field: Field, cell: Cell): Cell =>
  field.converted_on === null || field.converted_on === undefined || cell.every(fits[typeOf(field).kind]) ? cell : []

// Schemas of texts, lists and maps with sizes (decisions P7), and the sizes that several modules share. Limits of the specification are
// tighter where it names them and have messages of their own; these are checked before decoding.
import { Schema } from "effect"
import { isMaxNodes } from "./Bounds.ts"

export const sizes = {
  /** Word out of a list, an id, a day: types, directions, units. */
  token: 500,
  /** Cursor, address or path. */
  line: 8_192,
  /** Longest text of a definition; the definition as a whole may take 256 KiB. */
  definitionText: 524_288,
  /** Values in a definition, all levels together. */
  definitionValues: 20_000,
  /** Entries of a list of a definition: assignments, headers, parts of a template. */
  definitionList: 1_000,
  /** Fields in one write: an app has 200. */
  fields: 500,
  /** Values in the input of one field, all levels together: a list has 1000 entries. */
  fieldValues: 20_000,
  /** Ids in a list. */
  ids: 2_000,
  /** Records in a batch, whose own limit is 50. */
  batch: 100,
  /** Filters in a list, whose own limit is 100. */
  filters: 200,
  /** Values in data that is kept as it was sent: payloads, layouts of views. */
  payloadValues: 100_000,
  lookValues: 10_000,
  /** Values in the inputs of all fields of a write or batch, and in a list of filters. */
  writeValues: 100_000,
  filterValues: 10_000,
  /** Arguments of a call. */
  arguments: 200
} as const

export const text = (max: number) => Schema.String.check(Schema.isMaxLength(max))
export const token = text(sizes.token)
export const line = text(sizes.line)

export const list = <S extends Schema.Constraint>(item: S, max: number) =>
  Schema.Array(item).check(Schema.isMaxLength(max))

export const map = <S extends Schema.Constraint>(value: S, max: number) =>
  Schema.Record(Schema.String, value).check(Schema.isMaxProperties(max))

/** JSON that no schema looks into. */
export const json = (maxValues: number) => Schema.Json.check(isMaxNodes(maxValues))
export const anything = (maxValues: number) => Schema.Unknown.check(isMaxNodes(maxValues))

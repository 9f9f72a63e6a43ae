// A value that was put into a cell and is not saved yet.
import type { Cell, Field, RecordRow } from "../../../api/types.ts"
import { entriesAsInput } from "../entriesAsInput.ts"

export type Entries = ReadonlyArray<unknown>

export type WriteState =
  /** Not sent, or not answered. */
  | { readonly kind: "waiting" }
  | { readonly kind: "refused"; readonly reason: string }
  /** Somebody else changed the cell. @property theirs its entries now @property by who did, as far as that is known */
  | { readonly kind: "conflict"; readonly theirs: Entries; readonly revision: number; readonly by: string }

export interface CellWrite {
  readonly id: number
  readonly appId: number
  readonly recordId: number
  readonly recordTitle: string
  readonly field: Field
  /** Revision of the record over which it is written. */
  readonly revision: number
  /** Entries of the cell over which it is written. */
  readonly before: Entries
  /** Input that the API is sent; null empties the cell. */
  readonly input: unknown
  /** Entries as the cell shows them until they are saved; undefined if they cannot be known before. */
  readonly shown?: Entries
  readonly state: WriteState
}

/** Names the cell of a write. */
export const cellKey = ({ field, recordId }: Pick<CellWrite, "field" | "recordId">) => `${recordId} ${field.field_id}`

export const entriesOfField = (record: RecordRow, { field_id }: Field): Entries =>
  record.fields.find((cell) => cell.field_id === field_id)?.values ?? []

/** True if both would be written as the same value. */
export const isSameValue = ({ field_type }: Field, a: Entries, b: Entries) =>
  JSON.stringify(entriesAsInput({ field_type, values: a })) ===
  JSON.stringify(entriesAsInput({ field_type, values: b }))

export const asCell = ({ external_id, field_id, field_type }: Field, values: Entries) =>
  ({ external_id, field_id, field_type, values }) as unknown as Cell

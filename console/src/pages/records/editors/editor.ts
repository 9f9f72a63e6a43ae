// Defines how a field is edited: a draft that its control shows and changes, read from a record's values and turned into the input of a
// write (developer-api.md 3.2).
import type { Dispatch, ReactNode, SetStateAction } from "react"
import type { Field } from "../../../api/types.ts"

export interface ControlProps<D> {
  readonly id: string
  readonly field: Field
  readonly draft: D
  readonly onChange: Dispatch<SetStateAction<D>>
}

export interface Editor<D = any> {
  readonly Control: (props: ControlProps<D>) => ReactNode
  /** @param values the entries that the record holds, none of a new one */
  readonly draft: (values: ReadonlyArray<any>, field: Field) => D
  readonly input: (draft: D, values: ReadonlyArray<any>) => unknown
  readonly hint?: string
  /** True if the editor has several controls, each with a label of its own. */
  readonly group?: true
  /** Entries as the cell shows a draft until it is saved. An editor that has this fits a cell of a grid; others open next to it. */
  readonly shown?: (draft: D, field: Field) => ReadonlyArray<unknown>
  /** A draft as typing in the cell begins it. */
  readonly typed?: (text: string) => D
  /** Something is still on its way. */
  readonly isBusy?: (draft: D) => boolean
}

export const orNull = <A>(list: ReadonlyArray<A>) => (list.length === 0 ? null : list)

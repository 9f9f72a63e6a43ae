// What a field is edited with: a draft that its control shows and changes, read from what a record holds and turned into what a write takes
// (developer-api.md 3.2).
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
  /** It has several controls: a label of its own for each. */
  readonly group?: true
  /** It fits a cell of a grid; the rest is edited beside it. */
  readonly inCell?: true
  /** A draft as typing in the cell begins it. */
  readonly typed?: (text: string) => D
  /** Something is still on its way. */
  readonly isBusy?: (draft: D) => boolean
}

export const orNull = <A>(list: ReadonlyArray<A>) => (list.length === 0 ? null : list)

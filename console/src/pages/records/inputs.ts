// Entries of a field as the input of a write, in the client's words.
import type { Cell, FieldInput } from "../../api/types.ts"
import { entriesAsInput } from "./entriesAsInput.ts"

export const inputOf = (cell: Pick<Cell, "field_type" | "values">) => entriesAsInput(cell) as FieldInput | undefined

// The title that a list field gives: all of its entries (developer-api.md 4.1).
import type { Cell, Entry } from "../../../../platform/primitives/Cell.ts"
import type { Field, Found } from "../model/Field.ts"

export const joinedTitle =
  (text: (entry: Entry, field: Field, found: Found) => string) => (cell: Cell, field: Field, found: Found) =>
    cell
      .map((entry) => text(entry, field, found))
      .filter((one) => one !== "")
      .join(", ")

// Keys that must not occur twice in a unique field (developer-api.md 11.2): its values as conditions compare them, folded (decisions A25).
import { createHash } from "node:crypto"
import type { Cell } from "../../../platform/primitives/Cell.ts"
import { numberText } from "../../../platform/primitives/decimals.ts"
import { fold } from "../../../platform/text/folding.ts"
import { spelled } from "./input/characters.ts"
import { type Field, nothingFound } from "./model/Field.ts"
import { typeOf } from "./registry.ts"

/** A row of an index holds some 2,700 bytes. */
const LONGEST = 400

const keyOf = (text: string) => {
  const folded = fold(spelled(text).replaceAll(/\s+/g, " ").trim())
  return folded.length <= LONGEST ? folded : createHash("sha256").update(folded).digest("hex")
}

/** A value that a unique field holds, as it is compared. */
export interface UniqueKey {
  readonly field_id: number
  readonly value: string
}

/** The key of a map. */
export const keyText = ({ field_id, value }: UniqueKey): string => `${field_id} ${value}`

/** Each once; none of an empty field. */
export const uniqueKeys = (field: Field, cell: Cell): ReadonlyArray<string> => {
  if (cell.length === 0) return []
  const compared = typeOf(field).compared(cell, field, nothingFound)
  if (compared.set === "NUM") return compared.number === null ? [] : [numberText(compared.number)]
  const texts = "texts" in compared ? compared.texts : []
  return [...new Set(texts.map(keyOf))].filter((key) => key !== "")
}

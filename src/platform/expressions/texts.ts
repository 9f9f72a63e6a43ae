// Texts that expressions make (developer-api.md 11.3): the values that they are made of, and their characters, are taken off the budget.
import { numberText } from "../primitives/decimals.ts"
import { numberOfRational } from "../primitives/rational.ts"
import { spend, spendNumber } from "./costs.ts"
import type { EvaluationScope } from "./Expression.ts"
import { fail, isList, isNumber, type Value } from "./Value.ts"

/** Characters of a text that an expression makes. */
const TEXT = 150_000

/** A text that an expression makes stays in bounds: asked before it is made, where it may be much longer than its parts. */
export const checkLength = (length: number) => {
  if (length > TEXT) fail(`makes a text of more than ${TEXT} characters`)
}

/** A text that the expression has made, in bounds. */
export const madeText = (text: string, scope: EvaluationScope): string => {
  spend(scope, Math.ceil(text.length / 100))
  checkLength(text.length)
  return text
}

/** A value in a text: an empty one is no text, a list its items. */
export const asText = (value: Value, scope: EvaluationScope): string => {
  if (value === null) return ""
  if (typeof value === "string") return value
  if (typeof value === "boolean") return String(value)
  if (isNumber(value)) {
    spendNumber(value, scope)
    return numberText(numberOfRational(value))
  }
  return isList(value) ? joinedText(value, ", ", scope) : fail("a record has no text: name one of its fields")
}

/** The values as one text. Each value is a step, and so is each of the lists in it. */
export const joinedText = (values: ReadonlyArray<Value>, between: string, scope: EvaluationScope): string => {
  spend(scope, values.length)
  const pieces = values.map((value) => asText(value, scope))
  checkLength(pieces.reduce((sum, piece) => sum + piece.length + between.length, -between.length))
  return madeText(pieces.join(between), scope)
}

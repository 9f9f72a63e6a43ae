// Conditions on values that a condition of the service cannot have as its subject: variables, results of steps, dates of now (service.md 2.7
// write rule 6). They are script conditions of a fixed shape, which the editor writes and recognizes: subject, operator, value.

import { valueConditions as texts } from "../../../../texts/automations/editorModel.ts"
import type { Part } from "./chips.ts"
import type { Reference, ScriptCondition } from "./definition.ts"

type ValueArity = "none" | "text" | "code"
interface ValueOperator {
  readonly words: string
  /** Short form in sentences, if there is one. */
  readonly sign?: string
  readonly value: ValueArity
  /** Kinds of values that it fits; of unknown ones, all are offered. */
  readonly kinds: ReadonlyArray<string>
  /** Code before the subject, between subject and value, and after the value. */
  readonly code: readonly [before: string, between: string, after: string]
}

const number = (words: string, sign: string, code = sign): ValueOperator => ({
  words,
  sign,
  value: "code",
  kinds: ["number", "date"],
  code: ["(", texts.naN(code), ")"]
})
const text = (words: string, before: string, between: string, after: string): ValueOperator => ({
  words,
  value: "text",
  kinds: ["text", "date"],
  code: [before, between, after]
})
const wholeOperator = (words: string, kinds: ReadonlyArray<string>, before: string, after: string): ValueOperator => ({
  words,
  value: "none",
  kinds,
  code: [before, after, ""]
})

export const valueOperators = {
  is_text: text(texts.is, "String(", ' ?? "") === (', ")"),
  is_not_text: text(texts.isNot, "String(", ' ?? "") !== (', ")"),
  contains: text(texts.contains, "String(", ' ?? "").includes(', ")"),
  does_not_contain: text(texts.doesNotContain, "!String(", ' ?? "").includes(', ")"),
  starts_with: text(texts.startsWith, "String(", ' ?? "").startsWith(', ")"),
  ends_with: text(texts.endsWith, "String(", ' ?? "").endsWith(', ")"),
  equals: number(texts.equalsNumber, "=", "=="),
  greater: number(texts.greaterThan, ">"),
  at_least: number(texts.atLeast, "≥", ">="),
  less: number(texts.lessThan, "<"),
  at_most: number(texts.atMost, "≤", "<="),
  is_true: wholeOperator(texts.isYes, ["boolean"], "(", ") === true"),
  is_false: wholeOperator(texts.isNo, ["boolean"], "(", ") === false"),
  is_empty: wholeOperator(texts.isEmpty, ["text", "number", "date", "boolean", "any"], "(", ' ?? "") === ""'),
  is_not_empty: wholeOperator(texts.isNotEmpty, ["text", "number", "date", "boolean", "any"], "(", ' ?? "") !== ""')
} satisfies Record<string, ValueOperator>
export type ValueOperatorName = keyof typeof valueOperators

const names = Object.keys(valueOperators) as ReadonlyArray<ValueOperatorName>

/** Operators by the kind of the value; all of them where it is not known. */
export const operatorsFor = (kind: string): ReadonlyArray<ValueOperatorName> =>
  names.filter((name) => {
    const { kinds }: ValueOperator = valueOperators[name]
    return kind === "any" || kinds.includes(kind)
  })

export interface ValueCondition {
  readonly subject: Reference
  readonly operator: ValueOperatorName
  /** A text, or the parts of an expression; empty where the operator has none. */
  readonly value: string | ReadonlyArray<Part>
}

export const codeOf = ({ operator, subject, value }: ValueCondition): ReadonlyArray<Part> => {
  const [before, between, after] = valueOperators[operator].code
  const parts: ReadonlyArray<Part> = typeof value === "string" ? [JSON.stringify(value)] : value
  const furtherParts = valueOperators[operator].value === "none" ? [] : [...parts, after]
  // Texts beside each other are one, as the service stores them.
  const joined: Array<Part> = []
  for (const part of [before, subject, between, ...furtherParts]) {
    const lastPart = joined.at(-1)
    if (typeof lastPart === "string" && typeof part === "string") joined[joined.length - 1] = lastPart + part
    else joined.push(part)
  }
  return joined
}

const textOfLiteral = (literal: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(literal)
    return typeof value === "string" ? value : undefined
  } catch {
    return undefined
  }
}

const read = (parts: ReadonlyArray<Part>, operator: ValueOperatorName): ValueCondition | undefined => {
  const [before, between, after] = valueOperators[operator].code
  const [first, subject, ...rest] = parts
  if (first !== before || subject === undefined || typeof subject === "string") return undefined
  const [next, ...others] = rest
  if (typeof next !== "string" || !next.startsWith(between)) return undefined
  const arity = valueOperators[operator].value
  if (arity === "none") return next === between && others.length === 0 ? { subject, operator, value: "" } : undefined
  const valueParts = [next.slice(between.length), ...others].filter((part) => part !== "")
  const lastValuePart = valueParts.at(-1)
  if (typeof lastValuePart !== "string" || !lastValuePart.endsWith(after)) return undefined
  const inner = [...valueParts.slice(0, -1), lastValuePart.slice(0, lastValuePart.length - after.length)].filter(
    (part) => part !== ""
  )
  if (arity === "code") return { subject, operator, value: inner }
  const value = inner.length === 1 && typeof inner[0] === "string" ? textOfLiteral(inner[0]) : undefined
  return value === undefined ? undefined : { subject, operator, value }
}

/** The condition that a script states, if it has the shape of one. */
export const valueConditionOf = ({ code }: ScriptCondition): ValueCondition | undefined => {
  if (!Array.isArray(code)) return undefined
  for (const name of names) {
    const condition = read(code as ReadonlyArray<Part>, name)
    if (condition !== undefined) return condition
  }
  return undefined
}

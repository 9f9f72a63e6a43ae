// The only comparison of subjects with operands (developer-api.md 3.4; decisions A6, A8 to A11). Pure: it decides every condition of the
// service, wherever the condition stands.

import { contains } from "../../../platform/text/contains.ts"
import { fold, foldCase } from "../../../platform/text/folding.ts"
import type { Compared } from "../../records/fields/contract/Compared.ts"
import { spelled } from "../../records/fields/input/characters.ts"
import { type Operator, type OperatorSet, operatorSets } from "../schema/operators.ts"

/** Value of a subject, by the operator set that applies to it. An empty subject has no value. */
export type ComparedSubject = Compared | { readonly set: "ENTITY"; readonly entity: string | null }

/** Resolved day: its name, its first instant, and the first one after it. `instant` is set for the unit `hour`. */
export interface DateOperand {
  readonly day: string
  readonly from: string
  readonly to: string
  readonly instant?: string
}

export type Operand =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "number"; readonly number: number }
  | { readonly type: "ids"; readonly ids: ReadonlyArray<number> }
  | { readonly type: "date"; readonly date: DateOperand }
  | { readonly type: "boolean"; readonly boolean: boolean }
  | { readonly type: "entity_type"; readonly entity_type: string }

/** Operators that match an empty subject, in addition to `is_empty` (A10). */
export const negative: ReadonlySet<Operator> = new Set(["is_not", "does_not_contain", "has_none_of", "is_none_of"])

/** White space that is not a single blank already. */
const runs = /[^\S ]\s*| \s+/g
/** Trims the text and turns each run of white space into one blank (A11). */
export const plain = (text: string): string => spelled(text).trim().replaceAll(runs, " ")

const memoize = <A>(make: () => A) => {
  let cachedValue: A | undefined
  return () => {
    cachedValue ??= make()
    return cachedValue
  }
}

/** Texts in their forms for comparison. A long text is converted once, however many conditions compare it. */
interface Forms {
  readonly plain: ReadonlyArray<string>
  /** Texts without case, but with accents. */
  readonly uncased: () => ReadonlyArray<string>
  readonly folded: () => ReadonlyArray<string>
}
const formsByHolder = new WeakMap<object, Forms>()
const formsOf = (holder: object, texts: () => ReadonlyArray<string>): Forms => {
  const cachedForms = formsByHolder.get(holder)
  if (cachedForms !== undefined) return cachedForms
  const plainTexts = texts().map(plain)
  const textForms: Forms = {
    plain: plainTexts,
    uncased: memoize(() => plainTexts.map(foldCase)),
    folded: memoize(() => plainTexts.map(fold))
  }
  formsByHolder.set(holder, textForms)
  return textForms
}

type Texts = Extract<ComparedSubject, { readonly texts: ReadonlyArray<string> } | { readonly set: "CHECK" }>
const textsOf = (subject: Texts) =>
  formsOf(subject, () => (subject.set === "CHECK" ? subject.entries.map(({ title }) => title) : subject.texts))

const has = (set: OperatorSet, operator: Operator): boolean =>
  (operatorSets[set] as ReadonlyArray<Operator>).includes(operator)

/** True if the operator can match the subject at all (service.md 2.7 write rule 3). */
const applies = (subject: ComparedSubject, operator: Operator): boolean =>
  has(subject.set, operator) ||
  ((subject.set === "ONE" || subject.set === "MANY") &&
    subject.either === true &&
    (has("ONE", operator) || has("MANY", operator)))

const isEmpty = (subject: ComparedSubject): boolean => {
  switch (subject.set) {
    case "CHECK":
      return subject.entries.length === 0
    case "NUM":
      return subject.number === null
    case "ONE":
    case "MANY":
    case "STATUS":
      return subject.ids.length === 0
    case "DATE":
      return subject.date === null
    case "BOOL":
      return subject.boolean === null
    case "ENTITY":
      return subject.entity === null
    default:
      return subject.present !== true && !textsOf(subject).plain.some((text) => text !== "")
  }
}

/** True if one of the texts matches; `operator` is a positive one. */
const someMatches = (texts: Forms, operator: Operator, wanted: Forms, cased: boolean): boolean => {
  // Accents count for `is` and `is_not`, case in texts (A11, A25).
  const form = (of: Forms) => (operator !== "is" ? of.folded() : cased ? of.plain : of.uncased())
  const operandText = form(wanted)[0]!
  switch (operator) {
    case "is":
      return form(texts).includes(operandText)
    case "contains":
      return form(texts).some((text) => contains(text, operandText))
    case "starts_with":
      return form(texts).some((text) => text.startsWith(operandText))
    case "ends_with":
      return form(texts).some((text) => text.endsWith(operandText))
    default:
      return false
  }
}

const positiveOf: Partial<Record<Operator, Operator>> = { is_not: "is", does_not_contain: "contains" }

const texts = (subject: Texts, operator: Operator, operand: Operand, cased: boolean): boolean => {
  if (operand.type !== "text") return false
  const operandForms = formsOf(operand, () => [operand.text])
  const positive = positiveOf[operator]
  return positive === undefined
    ? someMatches(textsOf(subject), operator, operandForms, cased)
    : !someMatches(textsOf(subject), positive, operandForms, cased)
}

const numbers = (number: number, operator: Operator, wanted: number): boolean => {
  switch (operator) {
    case "is":
      return number === wanted
    case "is_not":
      return number !== wanted
    case "greater_than":
      return number > wanted
    case "greater_or_equal_than":
      return number >= wanted
    case "less_than":
      return number < wanted
    case "less_or_equal_than":
      return number <= wanted
    default:
      return false
  }
}

const idSets = (held: ReadonlyArray<number>, operator: Operator, asked: ReadonlyArray<number>): boolean => {
  const operandIds = new Set(asked)
  const any = held.some((id) => operandIds.has(id))
  const hasAll = () => {
    const subjectIds = new Set(held)
    return asked.every((id) => subjectIds.has(id))
  }
  switch (operator) {
    case "is":
    case "is_any_of":
    case "has_any_of":
      return any
    case "is_not":
    case "is_none_of":
    case "has_none_of":
      return !any
    case "has_all_of":
      return hasAll()
    case "is_exactly":
      return hasAll() && held.every((id) => operandIds.has(id))
    default:
      return false
  }
}

const isTimed = (moment: string) => moment.length > 10

// Stored moments are compared as text: four-digit years and fixed widths keep their order.
const dates = (
  { end, start }: { readonly start: string; readonly end?: string },
  operator: Operator,
  { day, from, instant, to }: DateOperand
): boolean => {
  const lastMoment = end ?? start
  // A calendar date begins at midnight of the zone, which is `from` for the operand's own day.
  const beforeInstant = (moment: string) =>
    isTimed(moment) ? moment < instant! : moment < day || (moment === day && from < instant!)
  const afterInstant = (moment: string) => (isTimed(moment) ? moment > instant! : moment > day)
  const isDay = isTimed(start) ? start < to && lastMoment >= from : start <= day && lastMoment >= day
  switch (operator) {
    case "is":
    case "is_not": {
      const same =
        instant === undefined
          ? isDay
          : end === undefined
            ? !beforeInstant(start) && !afterInstant(start)
            : isTimed(start)
              ? start <= instant && lastMoment >= instant
              : isDay
      return (operator === "is") === same
    }
    case "is_before":
      if (instant !== undefined) return beforeInstant(start)
      return isTimed(start) ? start < from : start < day
    case "is_after":
      if (instant !== undefined) return afterInstant(start)
      return isTimed(start) ? start >= to : start > day
    default:
      return false
  }
}

/**
 * Decides one condition. `undefined`: the condition is left out, since its comparison value resolved to nothing (A8).
 * @param operand null if the operator takes none or if it resolved to nothing
 */
export const decide = (subject: ComparedSubject, operator: Operator, operand: Operand | null): boolean | undefined => {
  if (!applies(subject, operator)) return false
  if (operator === "is_empty") return isEmpty(subject)
  if (operator === "is_not_empty") return !isEmpty(subject)
  if (operator === "is_completed" || operator === "is_incomplete") {
    if (isEmpty(subject)) return false
    const isCompleted =
      subject.set === "CHECK"
        ? subject.entries.every((entry) => entry.done)
        : subject.set === "STATUS" && subject.completed === true
    return (operator === "is_completed") === isCompleted
  }
  if (operand === null) return undefined
  if (isEmpty(subject)) return negative.has(operator)
  switch (subject.set) {
    case "CHECK":
      return texts(subject, operator, operand, false)
    case "NUM":
      return operand.type === "number" && numbers(subject.number!, operator, operand.number)
    case "ONE":
    case "MANY":
    case "STATUS":
      return operand.type === "ids" && idSets(subject.ids, operator, operand.ids)
    case "DATE":
      return operand.type === "date" && dates(subject.date!, operator, operand.date)
    case "BOOL":
      return operand.type === "boolean" && (operator === "is") === (subject.boolean === operand.boolean)
    case "ENTITY":
      return operand.type === "entity_type" && (operator === "is") === (subject.entity === operand.entity_type)
    default:
      return texts(subject, operator, operand, subject.cased)
  }
}

/**
 * Decides a condition over the values of several records: a positive operator needs one that matches, a negative one and `is_empty` all.
 */
export const decideAll = (
  subjects: ReadonlyArray<ComparedSubject>,
  operator: Operator,
  operand: Operand | null
): boolean | undefined => {
  const each = subjects.map((subject) => decide(subject, operator, operand))
  if (each.some((result) => result === undefined)) return undefined
  return negative.has(operator) || operator === "is_empty" ? each.every(Boolean) : each.some(Boolean)
}

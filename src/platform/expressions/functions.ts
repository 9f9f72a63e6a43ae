// The functions that expressions call (developer-api.md 11.3): pure, each pays for what it goes through.
import { exactNumber } from "../primitives/decimals.ts"
import { spend, spendCompared, spendEach } from "./costs.ts"
import { addDays, addMonths, dayOf, daysBetween, partOf } from "./dateFunctions.ts"
import type { EvaluationScope, ExpressionFunction } from "./Expression.ts"
import { rollups } from "./rollupFunctions.ts"
import { asText, checkLength, joinedText, madeText } from "./texts.ts"
import {
  asDouble,
  asInteger,
  asNumber,
  compared,
  fail,
  isList,
  isNumber,
  isTruthy,
  numberValue,
  type Value,
  whole
} from "./Value.ts"

const fn = (least: number, most: number, run: ExpressionFunction["run"]): ExpressionFunction => ({ least, most, run })

/** A number rounded to decimals, half away from zero. */
const rounded = (value: Value, decimals: number): Value => {
  if (value === null) return null
  if (decimals < 0 || decimals > 15) return fail("rounds to 0 to 15 decimals")
  const { denominator, numerator } = asNumber(value)
  const unit = 10n ** BigInt(decimals)
  const doubled = (numerator < 0n ? -numerator : numerator) * unit * 2n + denominator
  const digits = doubled / (denominator * 2n)
  return { numerator: numerator < 0n ? -digits : digits, denominator: unit }
}

/** Towards minus infinity. */
const floor = (value: Value): Value => {
  if (value === null) return null
  const { denominator, numerator } = asNumber(value)
  const quotient = numerator / denominator
  return whole(numerator < 0n && numerator % denominator !== 0n ? quotient - 1n : quotient)
}
const negative = (value: Value): Value => {
  const { denominator, numerator } = asNumber(value)
  return { numerator: -numerator, denominator }
}

/** Items of one list, or the arguments. */
const items = (values: ReadonlyArray<Value>): ReadonlyArray<Value> => {
  const [first] = values
  return values.length === 1 && first !== undefined && isList(first) ? first : values
}
const extreme = (sign: 1 | -1) =>
  fn(1, 100, (values, scope) => {
    const presentValues = items(values).filter((value) => value !== null && value !== "")
    spendEach(scope, presentValues)
    return presentValues.reduce<Value>(
      (best, value) => (best === null || (compared(value, best) ?? 0) * sign > 0 ? value : best),
      null
    )
  })

const toNumber = (value: Value, scope: EvaluationScope): Value => {
  if (value === null || isNumber(value)) return value
  if (typeof value === "boolean") return whole(value ? 1 : 0)
  const text = asText(value, scope).trim()
  if (text === "") return null
  const number = text.length > 400 ? null : exactNumber(text, 20)
  return number === null || number === undefined
    ? fail("is no number that can be calculated with exactly")
    : numberValue(number)
}

const math = {
  abs: fn(1, 1, ([value = null]) =>
    value === null ? null : asNumber(value).numerator < 0n ? negative(value) : asNumber(value)
  ),
  ceil: fn(1, 1, ([value = null]) => (value === null ? null : negative(floor(negative(value))))),
  floor: fn(1, 1, ([value = null]) => floor(value)),
  max: extreme(1),
  min: extreme(-1),
  round: fn(1, 2, ([value = null, decimals]) => rounded(value, decimals === undefined ? 0 : asInteger(decimals))),
  sqrt: fn(1, 1, ([value = null]) => {
    if (value === null) return null
    const root = Math.sqrt(asDouble(value))
    return Number.isFinite(root) ? numberValue(root) : fail("the root of a negative number")
  })
} satisfies Record<string, ExpressionFunction>

/** Functions by the name that they are called by. */
export const functions: Readonly<Record<string, ExpressionFunction>> = {
  today: fn(0, 0, (_, { today }) => today),
  ...math,
  ...rollups,
  ...Object.fromEntries(Object.entries(math).map(([name, one]) => [`Math.${name}`, one])),
  Boolean: fn(1, 1, ([value = null]) => isTruthy(value)),
  Number: fn(1, 1, ([value = null], scope) => toNumber(value, scope)),
  String: fn(1, 1, ([value = null], scope) => madeText(asText(value, scope), scope)),
  concat: fn(1, 100, (values, scope) => joinedText(values, "", scope)),
  date: fn(1, 1, ([value = null]) => (value === null || value === "" ? null : dayOf(value))),
  add_days: fn(2, 2, ([date = null, count = null]) => (date === null ? null : addDays(date, asInteger(count)))),
  add_months: fn(2, 2, ([date = null, count = null]) => (date === null ? null : addMonths(date, asInteger(count)))),
  days_between: fn(2, 2, ([from = null, to = null]) =>
    from === null || to === null ? null : whole(daysBetween(from, to))
  ),
  year: fn(1, 1, ([date = null]) => (date === null ? null : whole(partOf(date, "year")))),
  month: fn(1, 1, ([date = null]) => (date === null ? null : whole(partOf(date, "month")))),
  day: fn(1, 1, ([date = null]) => (date === null ? null : whole(partOf(date, "day")))),
  weekday: fn(1, 1, ([date = null]) => (date === null ? null : whole(partOf(date, "weekday"))))
}

const text = (value: Value) => (typeof value === "string" ? value : fail("is no text"))
const positionsOf = (values: ReadonlyArray<Value>) => values.map((value) => asInteger(value)) as [number?, number?]

/**
 * The text that is sought in another. It pays for being compared at each place where it may stand: a search for a long one of few different
 * characters goes through most of it there.
 */
const soughtText = (value: Value, within: string, scope: EvaluationScope): string => {
  const part = asText(value, scope)
  const startPositions = Math.max(0, within.length - part.length) + 1
  spend(scope, Math.ceil((startPositions * Math.max(1, part.length / 100)) / 100))
  return part
}

/** A text at the beginning or end of another. */
const partIn = (value: Value, part: Value, scope: EvaluationScope): string => {
  const partText = asText(part, scope)
  spendCompared(scope, value, partText)
  return partText
}

/** Methods of texts. */
export const textMethods: Readonly<Record<string, ExpressionFunction>> = {
  toUpperCase: fn(1, 1, ([value = null], scope) => madeText(text(value).toUpperCase(), scope)),
  toLowerCase: fn(1, 1, ([value = null], scope) => madeText(text(value).toLowerCase(), scope)),
  trim: fn(1, 1, ([value = null], scope) => madeText(text(value).trim(), scope)),
  slice: fn(2, 3, ([value = null, ...rest], scope) => madeText(text(value).slice(...positionsOf(rest)), scope)),
  includes: fn(2, 2, ([value = null, part = null], scope) =>
    text(value).includes(soughtText(part, text(value), scope))
  ),
  startsWith: fn(2, 2, ([value = null, part = null], scope) => text(value).startsWith(partIn(value, part, scope))),
  endsWith: fn(2, 2, ([value = null, part = null], scope) => text(value).endsWith(partIn(value, part, scope))),
  padStart: fn(2, 3, ([value = null, length = null, fill], scope) => {
    const width = asInteger(length)
    checkLength(width)
    return madeText(text(value).padStart(width, fill === undefined ? " " : asText(fill, scope)), scope)
  }),
  replaceAll: fn(3, 3, ([value = null, from = null, to = null], scope) => {
    const whole_ = text(value)
    const [part, next] = [soughtText(from, whole_, scope), asText(to, scope)]
    if (part === "") return whole_
    const pieces = whole_.split(part)
    checkLength(whole_.length + (pieces.length - 1) * next.length)
    return madeText(pieces.join(next), scope)
  }),
  split: fn(2, 2, ([value = null, by = null], scope) => {
    const pieces = text(value).split(soughtText(by, text(value), scope))
    spend(scope, pieces.length)
    return pieces
  })
}

/** Methods of numbers. */
export const numberMethods: Readonly<Record<string, ExpressionFunction>> = {
  toFixed: fn(1, 2, ([value = null, decimals]) => {
    const count = decimals === undefined ? 0 : asInteger(decimals)
    const { denominator, numerator } = asNumber(rounded(value, count))
    const digits = String((numerator < 0n ? -numerator : numerator) * (10n ** BigInt(count) / denominator)).padStart(
      count + 1,
      "0"
    )
    const fraction = count === 0 ? "" : `.${digits.slice(-count)}`
    return `${numerator < 0n ? "-" : ""}${digits.slice(0, digits.length - count)}${fraction}`
  })
}

/** Methods of lists; `map` and `filter`, which take functions, are part of the language. */
export const listMethods: Readonly<Record<string, ExpressionFunction>> = {
  includes: fn(2, 2, ([list = null, item = null], scope) => {
    const listItems = isList(list) ? list : fail("is no list")
    spendEach(scope, listItems)
    return listItems.some(
      (value) => typeof value === typeof item && (value === item || (isNumber(value) && compared(value, item) === 0))
    )
  }),
  join: fn(1, 2, ([list = null, by], scope) => {
    const listItems = isList(list) ? list : fail("is no list")
    return joinedText(listItems, by === undefined ? "," : asText(by, scope), scope)
  })
}

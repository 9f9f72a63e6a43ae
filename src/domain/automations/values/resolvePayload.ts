// Reads properties of a received payload by their data type (developer-api.md 7.4 `key_path`, `data_type`). Pure.

import { momentOfInstant } from "../../../platform/primitives/dates.ts"
import { exactNumber, numberText } from "../../../platform/primitives/decimals.ts"
import { numberOf } from "../../records/fields/input/numbers.ts"
import { type Data, json, momentData, nothing, numberData, textData } from "./resolveData.ts"
import { storedMoment, writtenMoment } from "./resolveDates.ts"

const valueAt = (payload: unknown, path: ReadonlyArray<string | number>): unknown => {
  let value: unknown = payload
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string | number, unknown>)[key]
  }
  return value
}

/** Returns the text of a scalar; other values as JSON. */
export const scalarText = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : typeof value === "object"
      ? JSON.stringify(value)
      : typeof value === "number"
        ? numberText(value)
        : String(value)

/** Returns a date or datetime in stored form; UTC unless it has an offset (1.3). */
export const dateText = (value: unknown): string | null => {
  const moment = typeof value === "string" ? writtenMoment(value, "UTC") : null
  if (moment === null) return null
  return moment.timed ? momentOfInstant(moment.at) : moment.day
}
export const momentAt = (value: unknown) => {
  const text = dateText(value)
  return text === null ? null : storedMoment(text)
}

export const booleanOf = (value: unknown): boolean | null =>
  value === true || value === "true" ? true : value === false || value === "false" ? false : null

/** Returns all headers or parameters of a request, or one of them. */
export const requestPart = (part: Readonly<Record<string, unknown>> | undefined, key: string | undefined): Data => {
  if (part === undefined) return nothing
  if (key === undefined) return json(part)
  const value = valueAt(part, [key])
  return value === undefined ? nothing : json(value)
}

export type PayloadType = "text" | "number" | "boolean" | "date" | "any"

export const payloadAt = (payload: unknown, path: ReadonlyArray<string | number>, type: PayloadType): Data => {
  const value = valueAt(payload, path)
  if (value === undefined || value === null) return nothing
  switch (type) {
    case "text":
      return textData(scalarText(value))
    case "number": {
      const number = numberOf(value)
      // A number that JavaScript cannot represent exactly stays the text that was sent (decisions A29): the receiver keeps or refuses it.
      const text = typeof value === "string" ? value.trim() : null
      return number !== null && text !== null && exactNumber(text, Number.MAX_SAFE_INTEGER) === null
        ? json(text)
        : numberData(number)
    }
    case "boolean":
      return json(booleanOf(value))
    case "date":
      return momentData(dateText(value))
    case "any":
      return json(value)
  }
}

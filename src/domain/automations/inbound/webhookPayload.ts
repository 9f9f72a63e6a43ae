// Converts a text sent to an inbound address into a payload (developer-api.md 7.9): JSON as parsed, a form or query as an object of fields.
// Characters that the database cannot store in a text are replaced, not refused.
import { Effect } from "effect"
import { maxJsonKeys, textExcess } from "../../../platform/bounds/jsonText.ts"
import { decodeText } from "../../../platform/content/decodeText.ts"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import { quoteInexact } from "../../../platform/text/exactNumbers.ts"

const MAX_DEPTH = 100

/** Content on disk, until the scope closes, or in memory. */
interface ReceivedFile {
  /** File name as the sender wrote it. */
  readonly name: string
  readonly mimetype: string
  readonly content: string | Uint8Array
}

export interface Received {
  readonly payload: unknown
  /** True if some numbers are texts, since JavaScript would have changed them (decisions A29). */
  readonly numbersKept?: boolean
  /** Body as it was sent, if it is a text. */
  readonly rawBody?: string
  readonly files: ReadonlyArray<ReceivedFile>
}

export const invalid = (message: string) => new ValidationError({ message })

export const clean = (text: string): string => text.toWellFormed().replaceAll("\u0000", "\ufffd")

const cleaned = (value: unknown, depth = 0): unknown => {
  if (typeof value === "string") return clean(value)
  if (typeof value !== "object" || value === null) return value
  if (depth === MAX_DEPTH) throw new RangeError("too deep")
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), cleaned(item, depth + 1)]))
}

/** Converts fields to an object; a name sent more than once holds a list. */
export const fieldsOf = (entries: Iterable<readonly [string, string]>): Readonly<Record<string, unknown>> => {
  const fields = new Map<string, string | Array<string>>()
  for (const [sentName, sentValue] of entries) {
    const [name, value] = [clean(sentName), clean(sentValue)]
    const previousValue = fields.get(name)
    if (previousValue === undefined) fields.set(name, value)
    else if (Array.isArray(previousValue)) previousValue.push(value)
    else fields.set(name, [previousValue, value])
  }
  return Object.fromEntries(fields)
}

class TooMany extends Error {}

/** Parses a form. Fields are counted before they are parsed, like the keys of an object. */
export const formOf = (text: string): Effect.Effect<Received, ValidationError> => {
  let fields = 1
  for (let index = text.indexOf("&"); index >= 0 && fields <= maxJsonKeys; index = text.indexOf("&", index + 1))
    fields++
  return fields > maxJsonKeys
    ? Effect.fail(invalid(`The form has more than ${maxJsonKeys} fields.`))
    : Effect.sync(() => ({ payload: fieldsOf(new URLSearchParams(text)), files: [] }))
}

export const jsonOf = (text: string) =>
  Effect.try({
    try: (): Received => {
      const excess = textExcess(text, Number.POSITIVE_INFINITY)
      if (excess !== undefined) throw new TooMany(excess)
      const exact = quoteInexact(text)
      return { payload: cleaned(JSON.parse(exact)), numbersKept: exact !== text, files: [] }
    },
    catch: (error) =>
      invalid(
        error instanceof TooMany
          ? `The JSON ${error.message}.`
          : error instanceof RangeError
            ? `The JSON is nested deeper than ${MAX_DEPTH} levels.`
            : "The body is not JSON."
      )
  })

const percent = /%([0-9a-f]{2})/gi

/** Converts a form whose percent signs encode bytes of another charset into UTF-8. */
const inUtf8 = (written: string, contentType: string | undefined): string => {
  const latin = written
    .replaceAll("+", " ")
    .replaceAll(percent, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return encodeURIComponent(decodeText(Buffer.from(latin, "latin1"), contentType).text.toWellFormed())
}

/** Returns the text of a form in the form that `URLSearchParams` reads. */
export const formText = (bytes: Uint8Array, contentType: string | undefined): string => {
  const { charset, text } = decodeText(bytes, contentType)
  if (charset === "utf-8") return text
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  const fields = latin.split("&", maxJsonKeys + 1)
  return fields
    .map((field) => {
      const equals = field.indexOf("=")
      const [name, value] = equals < 0 ? [field, ""] : [field.slice(0, equals), field.slice(equals + 1)]
      return `${inUtf8(name, contentType)}=${inUtf8(value, contentType)}`
    })
    .join("&")
}

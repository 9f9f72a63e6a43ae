// What a request to an inbound address carries (developer-api.md 7.9): JSON as parsed, a form or query as an object of fields,
// anything else as text; files of a multipart form apart. What the database cannot hold in a text is replaced, not refused.

import type * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, type Layer, type Scope } from "effect"
import type { HttpServerRequest, Multipart } from "effect/http"
import { readText } from "../../../ground/bounds/Body.ts"
import { maxJsonKeys, textExcess } from "../../../ground/bounds/jsonText.ts"
import { readMultipart } from "../../../ground/bounds/Multipart.ts"
import { ValidationError } from "../../../ground/primitives/errors.ts"
import { mediaTypeOf } from "../../../ground/primitives/mediaType.ts"
import { quoteInexact } from "../../../ground/text/exactNumbers.ts"

const MEBIBYTE = 1024 * 1024
/** Without files. */
export const MAX_BYTES = MEBIBYTE
const FILES_MEGABYTES = 25
const MAX_PARTS = 200
const MAX_DEPTH = 100

export interface Received {
  readonly payload: unknown
  /** Some numbers of it are texts, since JavaScript would have changed them (decisions A29). */
  readonly numbersKept?: boolean
  readonly files: ReadonlyArray<Multipart.PersistedFile>
}

const invalid = (message: string) => new ValidationError({ message })

const clean = (text: string): string => text.toWellFormed().replaceAll("\u0000", "\ufffd")

const cleaned = (value: unknown, depth = 0): unknown => {
  if (typeof value === "string") return clean(value)
  if (typeof value !== "object" || value === null) return value
  if (depth === MAX_DEPTH) throw new RangeError("too deep")
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), cleaned(item, depth + 1)]))
}

/** A name sent more than once holds a list. */
const fieldsOf = (entries: Iterable<readonly [string, string]>): Readonly<Record<string, unknown>> => {
  const fields = new Map<string, string | Array<string>>()
  for (const [sentName, sentValue] of entries) {
    const [name, value] = [clean(sentName), clean(sentValue)]
    const known = fields.get(name)
    if (known === undefined) fields.set(name, value)
    else if (Array.isArray(known)) known.push(value)
    else fields.set(name, [known, value])
  }
  return Object.fromEntries(fields)
}

class TooMany extends Error {}

/** Counted before they are parsed, as the keys of an object are. */
const formOf = (text: string): Effect.Effect<Received, ValidationError> => {
  let fields = 1
  for (let at = text.indexOf("&"); at >= 0 && fields <= maxJsonKeys; at = text.indexOf("&", at + 1)) fields++
  return fields > maxJsonKeys
    ? Effect.fail(invalid(`The form has more than ${maxJsonKeys} fields.`))
    : Effect.sync(() => ({ payload: fieldsOf(new URLSearchParams(text)), files: [] }))
}

const jsonOf = (text: string) =>
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

const textOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.mapError(readText(request, MAX_BYTES), ({ message }) => invalid(message))

const limits = (most: number) => ({
  parts: MAX_PARTS,
  fieldBytes: MAX_BYTES,
  fileBytes: FILES_MEGABYTES * 1_000_000,
  totalBytes: Math.min(most, FILES_MEGABYTES * 1_000_000 + MAX_BYTES)
})

const multipartOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, most: number) {
  const parts = yield* readMultipart(request, limits(most)).pipe(
    Effect.mapError((error) => {
      if (error._tag === "BodyRefused") return invalid(error.message)
      const tag = error.reason._tag
      return tag === "FileTooLarge" || tag === "BodyTooLarge" || tag === "FieldTooLarge"
        ? invalid(
            `The form is larger than ${FILES_MEGABYTES} MB of files and 1 MiB of fields, or than the organization's storage quota leaves.`
          )
        : invalid(`The body is not readable as multipart/form-data (${tag}).`)
    })
  )
  return { payload: fieldsOf(parts.fields), files: parts.files } satisfies Received
})

/** The media type, in lower case. */
const typeOf = ({ headers }: HttpServerRequest.HttpServerRequest) => mediaTypeOf(headers["content-type"])

/** Whether it may bring files. */
export const isMultipart = (request: HttpServerRequest.HttpServerRequest) =>
  request.method !== "GET" && typeOf(request) === "multipart/form-data"

/**
 * Files lie on the disk until the scope closes.
 * @param most how long a form may be that is worth reading
 */
export const receive = (
  request: HttpServerRequest.HttpServerRequest,
  most: number
): Effect.Effect<Received, ValidationError, Scope.Scope | Layer.Success<typeof NodeServices.layer>> =>
  Effect.gen(function* () {
    if (request.method === "GET") {
      return yield* formOf(new URL(request.originalUrl, "http://localhost").search)
    }
    const type = typeOf(request)
    if (isMultipart(request)) return yield* multipartOf(request, most)
    const text = yield* textOf(request)
    if (type === "application/json" || type.endsWith("+json")) return yield* jsonOf(text)
    if (type === "application/x-www-form-urlencoded") return yield* formOf(text)
    return { payload: { raw: clean(text) }, files: [] }
  })

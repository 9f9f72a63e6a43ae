// Bad input, named: size and kind of the body, JSON syntax, unknown keys, and the path of what does not fit (developer-api.md 1.1, 1.5).

import { Effect, type SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiError } from "effect/http-api"
import { readText } from "../../platform/bounds/Body.ts"
import type { Excess, Look } from "../../platform/bounds/Bounds.ts"
import { turnFor } from "../../platform/bounds/bodyTurns.ts"
import { textExcess } from "../../platform/bounds/jsonText.ts"
import { InputInvalid, InvalidRequest, InvalidRequestUrl, ValidationError } from "../../platform/primitives/errors.ts"
import { mediaTypeOf } from "../../platform/primitives/mediaType.ts"
import { pathOf } from "../../platform/primitives/requestPath.ts"
import { quoteInexact } from "../../platform/text/exactNumbers.ts"
import { type SchemaProblem, schemaProblemsOf } from "../../platform/text/schemaProblems.ts"
import { takesNone } from "./payload.ts"

export const maxJsonBytes = 2 * 1024 * 1024

/** Bodies are closed (developer-api.md 1.1): an unknown key is an error, and every problem is named at once. */
export const closedBodies = { onExcessProperty: "error", errors: "all" } as const

/** `["filter"]["rows"][1]` as `filter.rows[1]`. */
const formatPath = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>(
    (out, key) => (typeof key === "number" ? `${out}[${key}]` : out === "" ? String(key) : `${out}.${String(key)}`),
    ""
  )

export const describeExcess = ({ message, path }: Excess): string =>
  path.length === 0 ? message : `${formatPath(path)}: ${message}`

/** The first few, each with its path. */
const describeMisfits = (misfits: ReadonlyArray<SchemaProblem>, whole: string): string =>
  misfits
    .slice(0, 5)
    .map(({ message, path }) => `${path.length === 0 ? whole : formatPath(path)}: ${message}`)
    .join("; ")

/** @param whole what has no path is called so */
export const describeIssue = (issue: SchemaIssue.Issue, whole: string): string =>
  describeMisfits(schemaProblemsOf(issue), whole)

const notJson = "Expected a valid JSON body"

/** A parameter of a query is a text, unless it is repeated. */
const onlyOnce = (misfits: ReadonlyArray<SchemaProblem>) =>
  misfits.map((misfit) =>
    misfit.message === "Expected string" ? { ...misfit, message: "Expected one value only" } : misfit
  )

/** Parameters of a page's size and start. Their bounds are a rule of the listing (developer-api.md 1.4), wherever they are sent. */
const amounts: ReadonlySet<unknown> = new Set(["limit", "offset", "seconds"])
const onlyLimit = (misfits: ReadonlyArray<SchemaProblem>) =>
  misfits.every(({ beyond, path }) => beyond && path.length === 1 && amounts.has(path[0]))

/** Code and message of an undecodable request; `undefined` when the fault is ours (a body that we could not encode). */
export const inputProblem = (
  error: HttpApiError.HttpApiSchemaError
): { readonly code: string; readonly message: string } | undefined => {
  const misfits = schemaProblemsOf(error.cause.issue)
  switch (error.kind) {
    case "Params":
      return { code: "invalid_request_url", message: describeMisfits(misfits, "path") }
    case "Query":
      return {
        code: onlyLimit(misfits) ? "validation" : "invalid_request_url",
        message: describeMisfits(onlyOnce(misfits), "query")
      }
    case "Payload":
      return misfits[0]?.message === notJson
        ? { code: "invalid_json", message: "The body is not JSON." }
        : { code: onlyLimit(misfits) ? "validation" : "input_validation", message: describeMisfits(misfits, "body") }
    case "Headers":
      return { code: "input_validation", message: describeMisfits(misfits, "headers") }
    default:
      return undefined
  }
}

/** The escape of NUL, not an escaped backslash before `u0000`. */
const escapedNul = /(?<!\\)(?:\\\\)*\\u0000/

/** Postgres takes no NUL: refused where a path or a query holds it, as in bodies. */
export const nulInTarget = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ originalUrl }) => {
  if (!originalUrl.includes("%00")) return Effect.void
  const path = pathOf(originalUrl)
  const query = originalUrl.slice(originalUrl.indexOf("?") + 1).split("&")
  const name = path.includes("%00") ? "path" : query.find((one) => one.includes("%00"))?.split("=")[0]
  return new InvalidRequestUrl({ message: `${name}: contains a NUL character.` })
})

/** The first place of a JSON text that is larger than it may be; text that is no JSON is the decoder's matter, where there is one. */
const tooMuch = (text: string, look: Look): Excess | undefined => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return look === takesNone ? look(text) : undefined
  }
  return look(value)
}

/** Fails for JSON that holds a NUL character, which Postgres takes in no text. */
export const refuseNul = (text: string): Effect.Effect<void, InputInvalid> =>
  text.includes("\u0000") || (text.includes("\\u0000") && escapedNul.test(text))
    ? Effect.fail(new InputInvalid({ message: "The body contains a NUL character." }))
    : Effect.void

/**
 * The body's text, once its kind and size, and those of everything in it, are known to be acceptable. A large one takes a turn of the
 * loop to be looked at as text, another as JSON, and leaves the next to who decodes it.
 */
export const readJsonBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, look?: Look) {
  const type = mediaTypeOf(request.headers["content-type"] ?? "application/json")
  const text = yield* Effect.mapError(
    readText(request, maxJsonBytes),
    ({ message, reason }) => new (reason === "encoded" ? InvalidRequest : ValidationError)({ message })
  )
  if (type !== "application/json" && !(text === "" && type !== "multipart/form-data")) {
    return yield* new InvalidRequest({ message: `Content-Type must be application/json, not ${type}.` })
  }
  yield* refuseNul(text)
  const unparsed = textExcess(text)
  if (unparsed !== undefined) return yield* new InputInvalid({ message: `The body ${unparsed}.` })
  yield* turnFor(text.length)
  const exact = quoteInexact(text)
  const excess = look === undefined || text === "" ? undefined : tooMuch(exact, look)
  if (excess !== undefined) return yield* new InputInvalid({ message: describeExcess(excess) })
  yield* turnFor(exact.length)
  return exact
})

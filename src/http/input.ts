// Bad input, named: size and kind of the body, JSON syntax, and the path of what does not fit (developer-api.md 1.1, 1.5).
import { Effect, SchemaIssue } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { HttpApiError } from "effect/http-api"
import { InputInvalid, InvalidRequest, ValidationError } from "../errors.ts"
import { quoteInexact } from "./exactNumbers.ts"

export const maxJsonBytes = 2 * 1024 * 1024
/** Deeper bodies overflow the stacks of those who walk them: schemas, `JSON.stringify`, jsonb. */
const maxJsonDepth = 200

/** `["filter"]["rows"][1]` as `filter.rows[1]`. */
export const formatPath = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string =>
  path
    .map((segment) => (typeof segment === "object" ? segment.key : segment))
    .reduce<string>(
      (out, key) => (typeof key === "number" ? `${out}[${key}]` : out === "" ? String(key) : `${out}.${String(key)}`),
      ""
    )

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first few problems of a schema issue, each with its path. */
export const describeIssue = (issue: SchemaIssue.Issue): string =>
  format(issue)
    .issues.slice(0, 5)
    .map(({ message, path = [] }) => (path.length === 0 ? message : `${formatPath(path)}: ${message}`))
    .join("; ")

const notJson = "Expected a valid JSON body"

/** Code and message of an undecodable request; `undefined` when the fault is ours (a body that we could not encode). */
export const inputProblem = (
  error: HttpApiError.HttpApiSchemaError
): { readonly code: string; readonly message: string } | undefined => {
  const message = describeIssue(error.cause.issue)
  switch (error.kind) {
    case "Params":
    case "Query":
      return { code: "invalid_request_url", message }
    case "Payload":
      return message === notJson
        ? { code: "invalid_json", message: "The body is not JSON." }
        : { code: "input_validation", message }
    case "Headers":
      return { code: "input_validation", message }
    default:
      return undefined
  }
}

const tooLarge = new ValidationError({ message: `The body is larger than ${maxJsonBytes / 1024 / 1024} MiB.` })

/** The escape of NUL, not an escaped backslash before `u0000`. */
const escapedNul = /(?<!\\)(?:\\\\)*\\u0000/

/** Whether brackets outside of strings nest deeper than the limit; the text need not be JSON. */
const tooDeep = (text: string): boolean => {
  if (text.length <= maxJsonDepth) return false
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (quoted) {
      if (char === BACKSLASH) at++
      else if (char === QUOTE) quoted = false
    } else if (char === QUOTE) quoted = true
    else if (char === OPEN_BRACKET || char === OPEN_BRACE) {
      if (++depth > maxJsonDepth) return true
    } else if (char === CLOSE_BRACKET || char === CLOSE_BRACE) depth--
  }
  return false
}
const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [...'"\\[]{}'].map((c) =>
  c.charCodeAt(0)
)

/** The body's text, once its kind and size are known to be acceptable. */
export const readJsonBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const type = (request.headers["content-type"] ?? "application/json").split(";")[0]!.trim().toLowerCase()
  if (Number(request.headers["content-length"] ?? 0) > maxJsonBytes) return yield* tooLarge
  const text = yield* Effect.mapError(request.text, () => tooLarge)
  if (Buffer.byteLength(text) > maxJsonBytes) return yield* tooLarge
  if (type !== "application/json" && !(text === "" && type !== "multipart/form-data")) {
    return yield* new InvalidRequest({ message: `Content-Type must be application/json, not ${type}.` })
  }
  if (text.includes("\u0000") || (text.includes("\\u0000") && escapedNul.test(text)))
    return yield* new InputInvalid({ message: "The body contains a NUL character." })
  if (tooDeep(text)) return yield* new InputInvalid({ message: `The body nests deeper than ${maxJsonDepth} levels.` })
  return quoteInexact(text)
})

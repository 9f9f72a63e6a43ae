// Reads the JSON body of a request: its size, its kind, and closed objects (developer-api.md 1.1).

import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { readText } from "../../platform/bounds/Body.ts"
import type { Excess, Look } from "../../platform/bounds/Bounds.ts"
import { turnFor } from "../../platform/bounds/bodyTurns.ts"
import { textExcess } from "../../platform/bounds/jsonText.ts"
import { InputInvalid, InvalidRequest, ValidationError } from "../../platform/primitives/errors.ts"
import { mediaTypeOf } from "../../platform/primitives/mediaType.ts"
import { quoteInexact } from "../../platform/text/exactNumbers.ts"
import { describeExcess } from "./inputProblems.ts"
import { takesNone } from "./payload.ts"

export const maxJsonBytes = 2 * 1024 * 1024

/** Bodies are closed (developer-api.md 1.1): an unknown key is an error, and every problem is named at once. */
export const closedBodies = { onExcessProperty: "error", errors: "all" } as const

/** The escape of NUL, not an escaped backslash before `u0000`. */
const escapedNul = /(?<!\\)(?:\\\\)*\\u0000/

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

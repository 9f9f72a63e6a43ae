// `If-Match` (RFC 9110 13.1.1): the version or revision that a change is made on, bare or as an entity tag.
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { InputInvalid } from "../../ground/primitives/errors.ts"

/** `undefined` when any will do. @param what is counted: a version, a revision */
export const expectedIn = Effect.fnUntraced(function* (what: string) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const text = headers["if-match"]
  if (text === undefined || text.trim() === "*") return undefined
  const [, number] = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(text) ?? []
  if (number === undefined) return yield* new InputInvalid({ message: `If-Match: expected a ${what} such as "4".` })
  return Number(number)
})

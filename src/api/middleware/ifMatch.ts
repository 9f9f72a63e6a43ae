// `If-Match` (RFC 9110 13.1.1): the version or revision that a change is made on, bare or as an entity tag.
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { InputInvalid } from "../../platform/primitives/errors.ts"

/** Number that counts the endpoint's changes. */
type Counted = "revision" | "version"

export const IfMatch = Context.Reference<Counted | undefined>("millrace/http/IfMatch", {
  defaultValue: () => undefined
})

/** The endpoint takes `If-Match`; its handler asks `expectedIn`. */
export const ifMatch =
  (what: Counted) =>
  <E>(endpoint: E): E =>
    (endpoint as unknown as HttpApiEndpoint.Top).annotate(IfMatch, what) as unknown as E

/** `undefined` when any will do. */
export const expectedIn = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
  const what = Context.get(endpoint.annotations, IfMatch)
  if (what === undefined) throw new Error(`${endpoint.identifier} does not say that it takes If-Match`)
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const text = headers["if-match"]
  if (text === undefined || text.trim() === "*") return undefined
  const [, number] = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(text) ?? []
  if (number === undefined) return yield* new InputInvalid({ message: `If-Match: expected a ${what} such as "4".` })
  return Number(number)
})

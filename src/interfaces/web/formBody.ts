// Form bodies of the POST endpoints: one content type, a size, parameters in the body only, none repeated (decisions O6, O18).
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { limits } from "../../domain/connections/oauthLimits.ts"
import { grantParameters } from "../../domain/oauth/grants/index.ts"
import { checkParams, type Params, parseParams } from "../../domain/oauth/params.ts"
import { refuse } from "../../domain/oauth/reasons.ts"
import * as Body from "../../platform/bounds/Body.ts"
import { mediaTypeOf } from "../../platform/primitives/mediaType.ts"

/** Query of a request target: the text after the `?`. */
export const queryOf = (target: string): string => {
  const start = target.indexOf("?")
  if (start < 0) return ""
  const end = target.indexOf("#", start)
  return target.slice(start + 1, end < 0 ? undefined : end)
}

/** Parameters of the POST endpoints; none of them may stand in the query (O6). */
const bodyOnly: ReadonlyArray<string> = [
  "grant_type",
  ...grantParameters,
  "resource",
  "client_id",
  "client_secret",
  "client_assertion",
  "client_assertion_type",
  "token",
  "token_type_hint"
]

const strayIn = (query: string) => {
  if (query === "") return undefined
  const queryParams = new URLSearchParams(query)
  return bodyOnly.find((name) => queryParams.has(name))
}

/** The body's text, at most `bytes` long. */
export const readText = (request: HttpServerRequest.HttpServerRequest, bytes: number) =>
  Effect.mapError(Body.readText(request, bytes), ({ message }) =>
    refuse("REQUEST_INVALID", { detail: message.replace(/\.$/, "") })
  )

export const contentTypeOf = (request: HttpServerRequest.HttpServerRequest): string =>
  mediaTypeOf(request.headers["content-type"])

export const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (contentTypeOf(request) !== "application/x-www-form-urlencoded") {
    return yield* refuse("REQUEST_INVALID", { detail: "The content type must be application/x-www-form-urlencoded" })
  }
  const stray = strayIn(queryOf(request.originalUrl))
  if (stray !== undefined) {
    return yield* refuse("REQUEST_INVALID", { detail: `The parameter ${stray} belongs in the body, not in the query` })
  }
  const params: Params = parseParams(yield* readText(request, limits.formBytes))
  yield* Effect.fromResult(checkParams(params))
  return params
})

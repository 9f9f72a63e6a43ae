// Form bodies of the POST endpoints: one content type, a size, parameters in the body only, none repeated (decisions O6, O18).
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { limits } from "../../../domain/oauth/limits.ts"
import { checkParams, checkQuery, type Params, parseParams } from "../../../domain/oauth/params.ts"
import { refuse } from "../../../domain/oauth/reasons.ts"
import * as Body from "../../../ground/bounds/Body.ts"

/** What follows the `?` of a request target. */
export const queryOf = (target: string): string => {
  const start = target.indexOf("?")
  if (start < 0) return ""
  const end = target.indexOf("#", start)
  return target.slice(start + 1, end < 0 ? undefined : end)
}

/** The body's text, at most `bytes` long. */
export const readText = (request: HttpServerRequest.HttpServerRequest, bytes: number) =>
  Effect.mapError(Body.readText(request, bytes, true), ({ message }) =>
    refuse("REQUEST_INVALID", { detail: message.replace(/\.$/, "") })
  )

export const contentTypeOf = (request: HttpServerRequest.HttpServerRequest): string =>
  (request.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase()

export const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (contentTypeOf(request) !== "application/x-www-form-urlencoded") {
    return yield* refuse("REQUEST_INVALID", { detail: "The content type must be application/x-www-form-urlencoded" })
  }
  yield* Effect.fromResult(checkQuery(queryOf(request.originalUrl)))
  const params: Params = parseParams(yield* readText(request, limits.formBytes))
  yield* Effect.fromResult(checkParams(params))
  return params
})

/** A parameter that the endpoint cannot do without. */
export const required = (params: Params, name: string) => {
  const value = params.get(name)
  return value === undefined
    ? Effect.fail(refuse("REQUEST_INVALID", { detail: `The parameter ${name} is missing` }))
    : Effect.succeed(value)
}

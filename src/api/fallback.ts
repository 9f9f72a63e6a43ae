// `/v1` paths that no endpoint serves pass the same middleware as the others, then answer 404, or 400 where only the method is wrong or a
// parameter too long (developer-api.md 1.5). HEAD is not among the methods here: the router gives one that nobody serves to GET,
// whose answer goes out without its body (RFC 9110 9.3.2).
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { InvalidRequest, InvalidRequestUrl, NotFound } from "../platform/primitives/errors.ts"
import { ROUTED_METHODS } from "../platform/primitives/everyMethod.ts"
import { pathOf } from "../platform/primitives/requestPath.ts"
import { Api } from "./Api.ts"
import { makeMiddleware } from "./middleware/DevApiLive.ts"

const served = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints as Record<string, HttpApiEndpoint.Top>).map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/:[^/]+/g, "[^/]+")}/?$`)
  }))
)

const methods = [...ROUTED_METHODS, "QUERY"] as const

export const FallbackLayer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const handleRequest = yield* makeMiddleware
    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const path = pathOf(request.originalUrl)
      const matchingEndpoints = served.filter(({ pattern }) => pattern.test(path))
      // The router matches no parameter that is longer than any id.
      if (matchingEndpoints.some(({ method }) => method === request.method))
        return yield* new InvalidRequestUrl({ message: "A parameter of the path is too long." })
      if (matchingEndpoints.length > 0)
        return yield* new InvalidRequest({ message: `${request.method} is not supported here.` })
      return yield* new NotFound({ message: `Nothing is served at ${path}.` })
    })
    for (const method of methods) yield* router.add(method, "/v1/*", handleRequest({}, undefined, answer))
  })
)

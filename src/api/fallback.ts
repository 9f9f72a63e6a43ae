// `/v1` paths that no endpoint serves pass the same door as the others, then answer 404, or 400 where only the method is wrong
// (developer-api.md 1.5). HEAD is not among the methods here: the router gives one that nobody serves to GET, whose answer goes
// out without its body (RFC 9110 9.3.2).
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { InvalidRequest, NotFound } from "../ground/primitives/errors.ts"
import { pathOf } from "../ground/primitives/requestPath.ts"
import { Api } from "./Api.ts"
import { makeDoor } from "./door/DevApiLive.ts"

const patterns = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).map(
    (endpoint) => new RegExp(`^${(endpoint as { path: string }).path.replace(/:[^/]+/g, "[^/]+")}/?$`)
  )
)

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"] as const

export const FallbackLayer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const door = yield* makeDoor
    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const path = pathOf(request.originalUrl)
      if (patterns.some((p) => p.test(path)))
        return yield* new InvalidRequest({ message: `${request.method} is not supported here.` })
      return yield* new NotFound({ message: `Nothing is served at ${path}.` })
    })
    for (const method of methods) yield* router.add(method, "/v1/*", door({}, undefined, answer))
  })
)

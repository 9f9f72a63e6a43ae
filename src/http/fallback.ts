// `/v1` paths that no endpoint serves pass the same door as the others, then answer 404, or 400 where only the method is wrong
// (developer-api.md 1.5).
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { InvalidRequest, NotFound } from "../errors.ts"
import { Api } from "./Api.ts"
import { makeDoor } from "./DevApiLive.ts"
import { pathOf } from "./edge.ts"

const patterns = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).map(
    (endpoint) => new RegExp(`^${(endpoint as { path: string }).path.replace(/:[^/]+/g, "[^/]+")}/?$`)
  )
)

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
    yield* router.add("*", "/v1/*", door({}, false, answer))
  })
)

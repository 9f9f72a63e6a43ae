// The addresses of the OAuth module, in one table (service.md 4.1).
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AppConfig } from "../../platform/config/Config.ts"
import { addEveryMethod } from "../../platform/primitives/everyMethod.ts"
import { makeAuthorize, showUntrusted } from "./endpoints/authorize.ts"
import { makeIntrospect } from "./endpoints/introspect.ts"
import { authorizationServer, protectedResource } from "./endpoints/metadataBodies.ts"
import { jsonAnswer, makeFrame, methodNotAllowed } from "./endpoints/oauthAnswers.ts"
import { makeRegister } from "./endpoints/register.ts"
import { makeRevoke } from "./endpoints/revoke.ts"
import { makeToken } from "./endpoints/token.ts"
import { makeConsent } from "./pages/handlers.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Metadata may be kept for a few minutes; any client of any origin reads it. */
const document = (body: unknown) =>
  HttpServerResponse.setHeader(jsonAnswer(body), "cache-control", "public, max-age=300").pipe(
    HttpServerResponse.removeHeader("pragma")
  )

const onMethods = <E, R>(handlers: Readonly<Record<string, Handler<E, R>>>) => {
  const methodRefusal = Effect.succeed(methodNotAllowed(Object.keys(handlers)))
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request): Handler<E, R> => {
    const method = request.method === "HEAD" ? "GET" : request.method
    return Object.hasOwn(handlers, method) ? handlers[method]! : methodRefusal
  })
}

export const OAuthRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const origins = yield* AppConfig
    const frame = yield* makeFrame

    const get = <E, R>(path: `/${string}`, handle: Handler<E, R>) =>
      addEveryMethod(router, path, onMethods({ GET: handle }))
    const post = <E, R>(path: `/${string}`, handle: Handler<E, R>) =>
      addEveryMethod(router, path, onMethods({ POST: handle }))

    yield* get("/.well-known/oauth-authorization-server", Effect.succeed(document(authorizationServer(origins))))
    yield* get("/.well-known/oauth-protected-resource/v1", Effect.succeed(document(protectedResource("v1", origins))))
    yield* get("/.well-known/oauth-protected-resource/mcp", Effect.succeed(document(protectedResource("mcp", origins))))
    yield* get("/oauth/authorize", frame("authorize", yield* makeAuthorize, showUntrusted))
    yield* post("/oauth/token", frame("token", yield* makeToken))
    yield* post("/oauth/revoke", frame("revoke", yield* makeRevoke))
    yield* post("/oauth/register", frame("register", yield* makeRegister))
    yield* post("/oauth/introspect", frame("introspect", yield* makeIntrospect))

    yield* addEveryMethod(router, "/oauth/consent/:request_id", yield* makeConsent)
  })
)

// `/console`: one page for all its addresses, for who is signed in and has chosen an organization (decisions, "The console"), under a
// policy without anything inline; its assets for good.
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { addEveryMethod } from "../../platform/primitives/everyMethod.ts"
import { pathOf } from "../../platform/primitives/requestPath.ts"
import { messagePage } from "../web/layout.ts"
import { onMethods } from "../web/methods.ts"
import { forMember, makeFrame } from "../web/pageFrame.ts"
import { noStore } from "../web/sharedAnswers.ts"
import { ConsoleAccountRoutes } from "./account/routes.ts"
import { builtConsole } from "./builtConsole.ts"
import { ConsoleOrganizationRoutes } from "./organization/routes.ts"
import { ConsoleTokenRoute } from "./tokenRoute.ts"

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'"
].join("; ")

const built = Effect.tryPromise(builtConsole)

const notBuilt = messagePage(
  "The console is not there",
  "It could not be built when the service was started; the service's log says why. The API works.",
  503
)

const page = () =>
  built.pipe(
    Effect.map(({ page }) =>
      HttpServerResponse.text(page, {
        contentType: "text/html; charset=utf-8",
        headers: { ...noStore, "content-security-policy": policy }
      })
    ),
    Effect.catch((error) => Effect.as(Effect.logError("the console cannot be built", error), notBuilt))
  )

const asset = Effect.gen(function* () {
  const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
  const { assets } = yield* built
  const builtAsset = assets.get(pathOf(originalUrl).slice("/console/assets/".length))
  if (builtAsset === undefined) return HttpServerResponse.text("There is no such asset.", { status: 404 })
  return HttpServerResponse.uint8Array(builtAsset.body, {
    contentType: builtAsset.type,
    headers: { "cache-control": "public, max-age=31536000, immutable" }
  })
}).pipe(Effect.catch(() => Effect.succeed(notBuilt)))

const Pages = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const { shown } = yield* makeFrame
    yield* router.add("GET", "/console/assets/*", asset)
    // And /console itself.
    yield* addEveryMethod(router, "/console/*", onMethods(shown(forMember(page)), undefined))
  })
)

export const ConsoleRoutes = Layer.mergeAll(Pages, ConsoleTokenRoute, ConsoleAccountRoutes, ConsoleOrganizationRoutes)

// An address for every method has a route for each that a request may have by the time the router is asked, and for no other.
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { addEveryMethod, ROUTED_METHODS } from "../../../src/platform/primitives/everyMethod.ts"

it.effect(
  "answers the methods of the service, HEAD by the route of GET; each further route would slow all starts",
  () =>
    Effect.gen(function* () {
      const show = (request: HttpServerRequest.HttpServerRequest) =>
        Effect.succeed(HttpServerResponse.empty({ headers: { asked: request.method } }))
      const routes = HttpRouter.use((router) => addEveryMethod(router, "/page", show))
      const { dispose, handler } = HttpRouter.toWebHandler(Layer.provideMerge(routes, HttpServer.layerServices), {
        disableLogger: true
      })
      yield* Effect.addFinalizer(() => Effect.promise(dispose))
      const ask = (method: string) =>
        Effect.promise(() => handler(new Request("http://127.0.0.1/page", { method }), Context.empty() as never))
      for (const method of [...ROUTED_METHODS, "HEAD"]) {
        const { headers, status } = yield* ask(method)
        assert.deepStrictEqual([status, headers.get("asked")], [204, method])
      }
      for (const method of ["PROPFIND", "MKCOL", "PURGE", "QUERY"])
        assert.strictEqual((yield* ask(method)).status, 404, method)
    })
)

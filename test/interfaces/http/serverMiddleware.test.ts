// decisions P5: the source address is the socket's, unless a trusted proxy names the sender; addresses come from configuration alone.
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ServerMiddlewareLayer } from "../../../src/interfaces/http/serverMiddleware.ts"
import { configLayer } from "../../support/app.ts"

/** Serves a page that tells the sender's address; the function asks it with the given headers. */
const askSenderAddress = (env: Record<string, string>, headers: Record<string, string>) =>
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const port = "port" in address ? address.port : 0
    const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/where`, { headers }))
    return yield* Effect.promise(() => response.text())
  }).pipe(
    Effect.provide(
      HttpRouter.serve(
        HttpRouter.add(
          "GET",
          "/where",
          Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
            HttpServerResponse.text(Option.getOrElse(request.remoteAddress, () => "none"))
          )
        ).pipe(Layer.provide(ServerMiddlewareLayer)),
        { disableLogger: true, disableListenLog: true }
      ).pipe(
        Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })),
        Layer.provide(configLayer(env))
      )
    )
  )

describe("decisions P5: the source address", () => {
  const forwarded = { "x-forwarded-for": "203.0.113.9, 198.51.100.7, 10.1.1.1" }

  it.live("is the socket's while no proxy is trusted, whatever headers say", () =>
    Effect.gen(function* () {
      assert.match(yield* askSenderAddress({}, forwarded), /127\.0\.0\.1$/)
    })
  )

  it.live("is the one that the trusted proxies saw; what the sender wrote before it does not count", () =>
    Effect.gen(function* () {
      const env = { TRUSTED_PROXIES: "127.0.0.0/8, 10.0.0.0/8" }
      assert.strictEqual(yield* askSenderAddress(env, forwarded), "198.51.100.7")
      assert.match(yield* askSenderAddress({ TRUSTED_PROXIES: "192.0.2.0/24" }, forwarded), /127\.0\.0\.1$/)
    })
  )
})

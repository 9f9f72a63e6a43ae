// The routes of test/support/app.ts on a socket as well, over the same services: for what only a connection shows.
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { freePort } from "../../bin/parts/os.js"
import { routerConfig } from "../../src/api/middleware/router.ts"
import { Routes } from "../../src/interfaces/http/server.ts"
import { appLayer } from "./app.ts"

export class Served extends Context.Service<Served, { readonly origin: string }>()("test/Served") {}

const socketOn = (port: number) =>
  Layer.effect(
    Served,
    Effect.map(HttpServer.HttpServer, ({ address }) =>
      Served.of({ origin: `http://127.0.0.1:${"port" in address ? address.port : 0}` })
    )
  ).pipe(
    Layer.provideMerge(HttpRouter.serve(Routes, { disableLogger: true, disableListenLog: true, routerConfig })),
    // As the service's own keeps them: none is closed under a caller while the machine is busy.
    Layer.provide(NodeHttpServer.layer(() => createServer({ keepAliveTimeout: 65_000 }), { host: "127.0.0.1", port }))
  )

export const servedLayer = (env: Record<string, string> = {}) => servedOver(appLayer(env))

/** The same over services that are more than the app, its worker among them. */
export const servedOver = <A, E, R>(services: Layer.Layer<A, E, R>, port = 0) =>
  Layer.provideMerge(socketOn(port), services)

/** The same where a service looks at the address that it is asked under: it knows its port before. */
export const servedAtHome = <A, E, R>(services: (env: Record<string, string>) => Layer.Layer<A, E, R>) =>
  Layer.unwrap(
    Effect.promise(async () => {
      const port = (await freePort()) as number
      return servedOver(services({ BASE_URL: `http://127.0.0.1:${port}` }), port)
    })
  )

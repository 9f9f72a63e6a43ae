// The HTTP server: every room's handlers behind the edge, the API description, docs and health.
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { buildCatalogues } from "../automations/meta/catalogue.ts"
import { AppConfig } from "../Config.ts"
import { McpMetadata, McpRoutes } from "../mcp/routes.ts"
import { Api } from "./Api.ts"
import { EdgeLayer } from "./edge.ts"
import { FallbackLayer } from "./fallback.ts"
import { HealthLayer } from "./health.ts"
import { InProcess } from "./InProcess.ts"
import { leanServer } from "./lean.ts"
import { pages } from "./rooms.ts"
import { routerConfig } from "./router.ts"
import { ApiRoutes, DoorLayer } from "./routes.ts"

const Mcp = McpRoutes.pipe(Layer.provide(InProcess.layer(ApiRoutes)))

/** All routes, without a socket: also what tests call in memory. */
export const Routes = Layer.mergeAll(
  ApiRoutes,
  FallbackLayer,
  HealthLayer,
  HttpApiScalar.layer(Api, { path: "/docs" }),
  pages,
  Mcp
).pipe(Layer.provide(EdgeLayer), Layer.provide(DoorLayer))

/** The role `mcp`: the MCP server alone, at an address of its own. */
export const McpAlone = Layer.mergeAll(Mcp, McpMetadata, HealthLayer).pipe(
  Layer.provide(EdgeLayer),
  Layer.provide(DoorLayer)
)

/** The role `worker`: health and metrics, for orchestrators. */
const WorkerAlone = HealthLayer.pipe(Layer.provide(EdgeLayer))

const Socket = Layer.unwrap(
  Effect.map(AppConfig, ({ host, port }) =>
    leanServer(
      NodeHttpServer.layer(() => createServer({ keepAliveTimeout: 65_000, requestTimeout: 300_000 }), {
        host,
        port,
        gracefulShutdownTimeout: "8 seconds"
      })
    )
  )
)

/** What would otherwise hold up the first request that asks for it. */
const Warm = Layer.effectDiscard(Effect.sync(buildCatalogues))

const served = <E, R>(routes: Layer.Layer<never, E, R>) =>
  HttpRouter.serve(routes, { disableLogger: true, routerConfig }).pipe(Layer.provide(Socket))

export const HttpLayer = served(Routes).pipe(Layer.provide(Warm))
export const McpLayer = served(McpAlone).pipe(Layer.provide(Warm))
export const WorkerHealthLayer = served(WorkerAlone)

// The HTTP server: every module's handlers behind the middleware, the API description, docs and health.
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { FallbackLayer } from "../../api/fallback.ts"
import { inProcess } from "../../api/InProcessLive.ts"
import { withRequestContext } from "../../api/middleware/requestContext.ts"
import { routerConfig } from "../../api/middleware/router.ts"
import { ApiRoutes, DescriptionRoute, MiddlewareLayer } from "../../api/routes.ts"
import { publishedSchema } from "../../domain/automations/meta/typeCatalogue.ts"
import { BodyPatience } from "../../platform/bounds/Body.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { DocsRoutes } from "../docs/routes.ts"
import { McpMetadata, McpRoutes } from "../mcp/routes.ts"
import { AnswerTogether } from "./answers.ts"
import { keepEarlyRequests } from "./earlyRequests.ts"
import { HealthLayer } from "./health.ts"
import { refuseConnect, refuseUnparsed } from "./invalidHttp.ts"
import { pages } from "./plainRoutes.ts"
import { alsoAt } from "./portSiblings.ts"
import { RequestWithErrorListener } from "./requestWithErrorListener.ts"
import { ServerMiddlewareLayer } from "./serverMiddleware.ts"

const Mcp = McpRoutes.pipe(Layer.provide(inProcess(ApiRoutes)))

/** All routes, without a socket: also what tests call in memory. */
export const Routes = Layer.mergeAll(
  ApiRoutes,
  DescriptionRoute,
  FallbackLayer,
  HealthLayer,
  DocsRoutes,
  pages,
  Mcp
).pipe(Layer.provide(ServerMiddlewareLayer), Layer.provide(MiddlewareLayer))

/** The role `mcp`: the MCP server alone, at an address of its own. */
const McpAlone = Layer.mergeAll(Mcp, McpMetadata, HealthLayer).pipe(
  Layer.provide(ServerMiddlewareLayer),
  Layer.provide(MiddlewareLayer)
)

/** The role `worker`: health and metrics, for orchestrators. */
const WorkerAlone = HealthLayer.pipe(Layer.provide(ServerMiddlewareLayer))

/** Bodies have their own time (decisions P6), so requests as a whole have none here: an upload may take long. */
const nodeServer = (connections: number, ownPort: number | undefined) => {
  const server = createServer({
    IncomingMessage: RequestWithErrorListener,
    ServerResponse: AnswerTogether,
    keepAliveTimeout: 65_000,
    headersTimeout: 20_000,
    requestTimeout: 0,
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: 16 * 1024,
    // No protocol upgrades: a request that asks for one is answered as any other (RFC 9110 7.8).
    shouldUpgradeCallback: () => false
  })
  server.maxConnections = connections
  return alsoAt(keepEarlyRequests(server).on("clientError", refuseUnparsed).on("connect", refuseConnect), ownPort)
}

const Socket = Layer.unwrap(
  Effect.map(AppConfig, ({ bodyTimeoutSeconds, host, httpConnectionsMax, port, processNumber, processPorts }) =>
    withRequestContext(
      NodeHttpServer.layer(() => nodeServer(httpConnectionsMax, processPorts[processNumber - 1]), {
        host,
        port,
        ...(processPorts.length === 0 ? {} : { reusePort: true }),
        gracefulShutdownTimeout: "8 seconds"
      }).pipe(Layer.provideMerge(Layer.succeed(BodyPatience, bodyTimeoutSeconds)))
    )
  )
)

/** Builds at startup what would otherwise delay the first request that asks for it, where the sources run unbundled. */
const Warm = Layer.effectDiscard(Effect.sync(publishedSchema))

const served = <E, R>(routes: Layer.Layer<never, E, R>) =>
  HttpRouter.serve(routes, { disableLogger: true, routerConfig }).pipe(Layer.provide(Socket))

export const HttpLayer = served(Routes).pipe(Layer.provide(Warm))
export const McpLayer = served(McpAlone).pipe(Layer.provide(Warm))
export const WorkerHealthLayer = served(WorkerAlone)

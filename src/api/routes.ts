// The Developer API's routes and the door in front of them, as the server and callers inside the process share them.
import { Layer } from "effect"
import { HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "./Api.ts"
import { DevApiLive } from "./door/DevApiLive.ts"
import { Idempotency } from "./door/Idempotency.ts"
import { RateLimit } from "./door/RateLimit.ts"
import { handlers } from "./handlers.ts"
import { inProcess } from "./InProcessLive.ts"

export const DoorLayer = Layer.mergeAll(RateLimit.layer, Idempotency.layer)

export const ApiRoutes = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide(handlers),
  Layer.provide(DevApiLive)
)

/** The Developer API for callers in a process that may serve no HTTP: scripts of runs. */
export const InProcessApi = inProcess(ApiRoutes).pipe(Layer.provide(DoorLayer), Layer.provide(HttpServer.layerServices))

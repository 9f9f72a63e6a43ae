// Adds an address for every method of the service (RFC 9110 9.1): its handler says which of them it takes. The router's own "*" stands for 35
// methods, each compared with all routes before it, a tenth of a start; 28 of them are refused before the router is asked (malformedRequests.ts).
import type { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"

type Response = HttpServerResponse.HttpServerResponse
type Handler<E, R> =
  | Effect.Effect<Response, E, R>
  | ((request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Response, E, R>)

/** Methods that routes have: HEAD goes to the route of GET, which finds it in the request. */
export const ROUTED_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

export const addEveryMethod = <E, R>(router: HttpRouter.HttpRouter, path: `/${string}`, handler: Handler<E, R>) =>
  router.addAll(ROUTED_METHODS.map((method) => HttpRouter.route(method, path, handler)))

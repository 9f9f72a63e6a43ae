// What is counted of each request (OpenTelemetry's HTTP server conventions): method, route template and status, never the path itself,
// which holds ids and now and then a credential. What no route matched has no route.
import { Context, Effect, type Fiber, Tracer } from "effect"
import { HttpRouter } from "effect/http"
import { methodLabel } from "../../ground/metrics/httpMethod.ts"
import { gauge, histogram } from "../../ground/metrics/instruments.ts"
import { observing } from "../../ground/metrics/observers.ts"

const duration = histogram("http.server.request.duration")
const active = gauge("http.server.active_requests")

/** Requests that are being answered; a number, so that the gauge costs nothing until somebody collects. */
let answering = 0
export const begun = (): void => {
  answering++
}
export const over = (): void => {
  answering--
}
export const observeRequests = observing(
  "requests",
  Effect.sync(() => active.set(answering))
)

/** To be asked inside of what the router runs: outside of it the route is gone. */
export const routeOf = (fiber: Fiber.Fiber<unknown, unknown>): string =>
  Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)?.route.path ?? ""

/** The request's span, where it is one that is sent. */
const tracedBy = (fiber: Fiber.Fiber<unknown, unknown>): Tracer.Span | undefined => {
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  return span?._tag === "Span" && span.sampled ? span : undefined
}

/** As OpenTelemetry's `updateName`, which Effect lacks: what a request is about is known once it has been routed. */
const rename = (span: { readonly name: string }, name: string): void => {
  Object.assign(span, { name })
}

export const countRequest = (
  fiber: Fiber.Fiber<unknown, unknown>,
  request: {
    readonly method: string
    readonly scheme: string
    readonly route: string
    readonly status: number
    readonly millis: number
  }
): void => {
  const { method, millis, route, scheme, status } = request
  const code = String(status)
  const span = tracedBy(fiber)
  if (span !== undefined && route !== "") rename(span, `${methodLabel(method)} ${route}`)
  duration.observeTraced(span, millis / 1000, methodLabel(method), scheme, route, code, status < 500 ? "" : code)
}

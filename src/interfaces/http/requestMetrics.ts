// Counts each request (OpenTelemetry's HTTP server conventions) by method, route template and status. The path itself is never counted: it
// holds ids and sometimes a credential. A request that no route matched has no route.
import { Context, Effect, type Fiber, Tracer } from "effect"
import { HttpRouter } from "effect/http"
import { methodLabel } from "../../platform/metrics/httpMethod.ts"
import { gauge, histogram } from "../../platform/metrics/instruments.ts"
import { observing } from "../../platform/metrics/observers.ts"

const duration = histogram("http.server.request.duration")
const active = gauge("http.server.active_requests")

/** Requests that are being answered; a number, so that the gauge costs nothing until somebody collects. */
let answering = 0
export const requestBegan = (): void => {
  answering++
}
export const requestEnded = (): void => {
  answering--
}
export const observeRequests = observing(
  "requests",
  Effect.sync(() => active.set(answering))
)

/** Route template of the request. Call it inside of what the router runs: outside of it the route is not in the context. */
export const routeOf = (fiber: Fiber.Fiber<unknown, unknown>): string =>
  Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)?.route.path ?? ""

/** The request's span, where it is one that is sent. */
const tracedBy = (fiber: Fiber.Fiber<unknown, unknown>): Tracer.Span | undefined => {
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  return span?._tag === "Span" && span.sampled ? span : undefined
}

/** Renames a span, like OpenTelemetry's `updateName`, which Effect lacks: the subject of a request is known only after routing. */
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

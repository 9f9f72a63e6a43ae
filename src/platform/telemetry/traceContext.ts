// Continues one trace over processes: a sampled span leaves its W3C `traceparent` with a row (ids and a flag, nothing else), and whoever
// takes the row goes on with it. If traces are not sent, or a change was not sampled, nothing is left and nothing is done.
import { Context, Effect, References, Tracer } from "effect"

/** Value of a column `traceparent`. */
export type Traceparent = string | null

type Attributes = Readonly<Record<string, string | number>>

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/

const sampledIn = (context: Context.Context<never>): Tracer.AnySpan | undefined => {
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  return span?.sampled === true ? span : undefined
}

export const traceparentOf = ({ sampled, spanId, traceId }: Tracer.AnySpan): Traceparent =>
  sampled ? `00-${traceId.padStart(32, "0")}-${spanId}-01` : null

/** Traceparent of the current span. */
export const currentTraceparent: Effect.Effect<Traceparent> = Effect.withFiber((fiber) => {
  const span = sampledIn(fiber.context)
  return Effect.succeed(span === undefined ? null : traceparentOf(span))
})

/** Keeps the current span for an effect that another fiber runs. */
export const withSpanOf = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E, R>> =>
  Effect.withFiber((fiber) => {
    const span = sampledIn(fiber.context)
    return Effect.succeed(
      span === undefined ? self : (Effect.provideService(self, Tracer.ParentSpan, span) as Effect.Effect<A, E, R>)
    )
  })

/** Relation of a span to its cause: below it, or at the beginning of a trace of its own, with a link. */
export type SpanPlace = "below" | "linked"

/** Options of a span that relates to its cause; undefined: the text is not one of our traceparents. */
export const standingTo = (
  cause: string,
  standing: SpanPlace
): Pick<Tracer.SpanOptionsNoTrace, "parent" | "root" | "links"> | undefined => {
  const [, traceId, spanId] = form.exec(cause) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  const span = Tracer.externalSpan({ traceId, spanId, sampled: true })
  return standing === "below" ? { parent: span } : { root: true, links: [{ span, attributes: {} }] }
}

const tracing = (context: Context.Context<never>) => Context.get(context, References.TracerEnabled)

/**
 * Runs work that the row of a change has caused under a span of its own; if the change is not traced, nothing in the work is traced either.
 */
export const caused = (
  by: Traceparent,
  name: string,
  { attributes, standing = "below" }: { readonly attributes: Attributes; readonly standing?: SpanPlace }
) => {
  const spanOptions = by === null ? undefined : standingTo(by, standing)
  return <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      if (!tracing(fiber.context)) return self
      if (spanOptions === undefined) return Effect.withTracerEnabled(self, false)
      return Effect.withSpan(self, name, { ...spanOptions, kind: "consumer", attributes }) as Effect.Effect<A, E, R>
    })
}

/** Runs work under a span in the current trace; without a trace there is none. */
export const part =
  (name: string, attributes: Attributes, kind: Tracer.SpanKind = "internal") =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      sampledIn(fiber.context) === undefined
        ? self
        : (Effect.withSpan(self, name, { kind, attributes }) as Effect.Effect<A, E, R>)
    )

/** Begins a trace: for work that time sets off, or a request whose address is a credential and must not be in its span. */
export const rootSpan =
  (name: string, attributes: Attributes = {}, kind: Tracer.SpanKind = "internal") =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      tracing(fiber.context)
        ? (Effect.withSpan(self, name, { root: true, kind, attributes }) as Effect.Effect<A, E, R>)
        : self
    )

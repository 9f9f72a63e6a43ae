// What a request carries. The context of a request is copied several times on its way, at a cost per service in it: with the
// eighty of this process about a third of a small request's time. Handlers close over the services of their rooms when they are
// made, so requests need none of them.
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { BodyPatience } from "../../ground/bounds/Body.ts"
import { DevApi } from "./DevApi.ts"

const kept: ReadonlySet<string> = new Set([DevApi.key, BodyPatience.key])

/** The context without the rooms' services; those of libraries (platform, clock, logger, …) stay. */
const lean = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !key.startsWith("millrace/") || kept.has(key))))

/** `HttpApiBuilder.group` whose handlers are made with every service and run without them. */
export const group: typeof HttpApiBuilder.group = (api, identifier, build) =>
  Layer.unwrap(
    Effect.map(Effect.context<any>(), (services) => {
      const inner = HttpApiBuilder.group(api, identifier, ((handlers: never) => {
        const made: unknown = build(handlers)
        return Effect.isEffect(made) ? Effect.provideContext(made as Effect.Effect<unknown>, services) : made
      }) as never)
      return Layer.fromBuild((memoMap, scope) =>
        Effect.updateContext(Layer.buildWithMemoMap(inner, memoMap, scope) as Effect.Effect<any>, lean)
      )
    })
  ) as never

/** The server whose requests start without the rooms' services. */
export const leanServer = <A, E, R>(server: Layer.Layer<A | HttpServer.HttpServer, E, R>) =>
  Layer.flatMap(server, (context) => {
    const { address, serve } = Context.get(context, HttpServer.HttpServer)
    const started = (app: never, middleware?: never) => Effect.updateContext(serve(app, middleware as never), lean)
    return Layer.succeedContext(
      Context.add(context, HttpServer.HttpServer, HttpServer.make({ address, serve: started as never }))
    )
  })

// Reduces the context that a request carries. It is copied several times during a request, at a cost per service in it: with the eighty of
// this process about a third of a small request's time. Handlers close over the services of their modules when they are built, so requests
// need none of them, and of the libraries' services only those that read files and write answers.
import { Context, Effect, Layer, type Scope, Stdio, Terminal } from "effect"
import { Etag, HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { ChildProcessSpawner } from "effect/process"
import { BodyPatience } from "../../platform/bounds/Body.ts"
import { PgSql, Sql } from "../../platform/sql/Sql.ts"
import { DevApi } from "./DevApi.ts"
import { closedBodies } from "./jsonBody.ts"

/** Services that put the process together; no request looks them up. */
const ofTheProcess: ReadonlySet<string> = new Set([
  Layer.CurrentMemoMap.key,
  PgSql.key,
  Sql.key,
  HttpServer.HttpServer.key,
  HttpRouter.HttpRouter.key,
  Etag.Generator.key,
  Stdio.Stdio.key,
  Terminal.Terminal.key,
  ChildProcessSpawner.ChildProcessSpawner.key
])

const only = <R>(context: Context.Context<R>, needed: (key: string) => boolean): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => needed(key))))

/** The clock, loggers and levels of a fiber, what reads files, and how long a body may take. */
const ofRequests = <R>(context: Context.Context<R>) =>
  only(context, (key) => key === BodyPatience.key || !(key.startsWith("millrace/") || ofTheProcess.has(key)))

/** Context that a group adds to its requests: the library looks up `DevApi` in it. */
const ofGroups = <R>(context: Context.Context<R>) => only(context, (key) => key === DevApi.key)

/** The id of the one API that all groups belong to. */
export const API = "millrace"

type Handlers<G extends HttpApiGroup.Constraint> = HttpApiBuilder.Handlers.FromGroup<G>

/** `HttpApiBuilder.group` for one group alone, whose handlers are made with every service and run without them. */
export const group = <G extends HttpApiGroup.Constraint, Return>(
  endpoints: G,
  build: (handlers: Handlers<G>) => HttpApiBuilder.Handlers.ValidateReturn<Return>
): Layer.Layer<
  HttpApiGroup.Service<typeof API, HttpApiGroup.Identifier<G>>,
  HttpApiBuilder.Handlers.Error<Return>,
  Exclude<HttpApiBuilder.Handlers.Context<Return>, Scope.Scope>
> =>
  Layer.unwrap(
    Effect.map(Effect.context<any>(), (services) => {
      const api = HttpApi.make(API).add(endpoints).annotate(HttpApi.PayloadParseOptions, closedBodies)
      const inner = HttpApiBuilder.group(
        api,
        endpoints.identifier as never,
        ((handlers: never) => {
          const builtHandlers: unknown = build(handlers)
          return Effect.isEffect(builtHandlers)
            ? Effect.provideContext(builtHandlers as Effect.Effect<unknown>, services)
            : builtHandlers
        }) as never
      )
      return Layer.fromBuild((memoMap, scope) =>
        Effect.updateContext(Layer.buildWithMemoMap(inner, memoMap, scope) as Effect.Effect<any>, ofGroups)
      )
    })
  ) as never

/** The server whose requests start without the modules' services. */
export const withRequestContext = <A, E, R>(server: Layer.Layer<A | HttpServer.HttpServer, E, R>) =>
  Layer.flatMap(server, (context) => {
    const { address, serve } = Context.get(context, HttpServer.HttpServer)
    const started = (app: never, middleware?: never) =>
      Effect.updateContext(serve(app, middleware as never), ofRequests)
    return Layer.succeedContext(
      Context.add(context, HttpServer.HttpServer, HttpServer.make({ address, serve: started as never }))
    )
  })

// The whole service in memory over a fresh database: requests go through every middleware, no socket. Accounts are seeded by SQL.
import type { PgClient } from "@effect/sql-pg"
import { Clock, ConfigProvider, Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { routerConfig } from "../../src/api/middleware/router.ts"
import type { Scope } from "../../src/domain/accounts/Scope.ts"
import { RelayWake } from "../../src/engine/outbox/RelayWake.ts"
import { HealthProbes } from "../../src/interfaces/http/health.ts"
import { Routes } from "../../src/interfaces/http/server.ts"
import { AppConfig } from "../../src/platform/config/Config.ts"
import { hashToken, randomToken, Secrets } from "../../src/platform/sealing/Secrets.ts"
import { OpenTransactions, type OpenTransactionsShape } from "../../src/platform/sql/OpenTransactions.ts"
import { Wakes } from "../../src/platform/sql/Wakes.ts"
import { Services } from "../../src/services.ts"
import * as Database from "./database.ts"
import { BOUND } from "./eventually.ts"

export const configLayer = (env: Record<string, string> = {}) =>
  AppConfig.layer.pipe(
    Layer.provide(
      ConfigProvider.layer(
        ConfigProvider.fromUnknown({
          DATABASE_URL: "postgres://unused",
          SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
          RATE_BUDGET: "1000000",
          // Most tests run no script.
          SCRIPT_SPARE_PROCESSES: "0",
          // CPU time judges scripts; a loaded machine takes as long as it likes on the wall.
          SCRIPT_SYNC_WALL_MILLIS: "20000",
          ...env
        })
      )
    )
  )

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; `undefined` when it is none. */
  readonly json: any
}

export interface RequestOptions {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export class App extends Context.Service<
  App,
  {
    readonly fetch: (request: Request) => Effect.Effect<Response>
    /** JSON in, JSON out; a string body is sent as it is. */
    readonly call: (method: string, path: string, options?: RequestOptions) => Effect.Effect<Reply>
  }
>()("test/App") {}

const parse = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const AppLive = Layer.effect(
  App,
  Effect.gen(function* () {
    const context = yield* Effect.context<
      Layer.Success<typeof Services> | AppConfig | Secrets | HealthProbes | SqlClient.SqlClient
    >()
    const { handler, dispose } = HttpRouter.toWebHandler(
      Routes.pipe(Layer.provide(Layer.succeedContext(context)), Layer.provideMerge(HttpServer.layerServices)),
      { disableLogger: true, routerConfig }
    )
    yield* Effect.addFinalizer(() => Effect.promise(dispose))
    // The request runs on the test's clock, virtual or real.
    const fetch = (request: Request) =>
      Effect.clockWith((clock) => Effect.promise(() => handler(request, Context.make(Clock.Clock, clock))))
    const call = Effect.fnUntraced(function* (
      method: string,
      path: string,
      { token, body, headers = {} }: RequestOptions = {}
    ) {
      const requestHeaders: Record<string, string> = { ...headers }
      if (token !== undefined) requestHeaders["authorization"] ??= `Bearer ${token}`
      if (body !== undefined) requestHeaders["content-type"] ??= "application/json"
      const init: RequestInit = { method, headers: requestHeaders, redirect: "manual" }
      if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body)
      const response = yield* fetch(new Request(`http://127.0.0.1:8080${path}`, init))
      const text = yield* Effect.promise(() => response.text())
      return { status: response.status, headers: response.headers, text, json: parse(text) } satisfies Reply
    })
    return App.of({ fetch, call })
  })
)

/** App, all services, the database and configuration of one test file. */
export const appLayer = (env: Record<string, string> = {}) => appLayerOver(Database.layerDatabase, env)

/** Tests share a Postgres server: a test that holds a transaction open must not change what another one gives. */
const patient: OpenTransactionsShape = { listenerMillis: BOUND, indexMillis: BOUND }

/** The same over a database that is reached otherwise. */
export const appLayerOver = <A, E>(
  database: Layer.Layer<A | PgClient.PgClient | SqlClient.SqlClient, E>,
  env: Record<string, string> = {},
  openTransactions: OpenTransactionsShape = patient
) =>
  AppLive.pipe(
    Layer.provideMerge(Services),
    Layer.provideMerge(HealthProbes.layer),
    Layer.provideMerge(Layer.mergeAll(RelayWake.layer, Wakes.layer)),
    Layer.provideMerge(Secrets.layer),
    Layer.provideMerge(Layer.succeed(OpenTransactions, openTransactions)),
    Layer.provideMerge(database),
    Layer.provideMerge(configLayer(env))
  )

export interface Person {
  readonly userId: number
  readonly orgId: number
  readonly personId: number
  /** A user API key. */
  readonly key: string
}

let counter = 0

/** A fresh organization with its owner. */
export const seedOrganization = Effect.fnUntraced(function* (name = "Harbor Works") {
  const sql = yield* SqlClient.SqlClient
  const slug = `org-${Date.now().toString(36)}-${counter++}`
  const [org] = yield* sql<{ org_id: number }>`
    INSERT INTO organizations (name, slug, created_on) VALUES (${name}, ${slug}, now()) RETURNING org_id`
  const owner = yield* seedUser(org!.org_id, "owner")
  return { orgId: org!.org_id, owner }
})

/** A user of the organization with an API key. */
export const seedUser = Effect.fnUntraced(function* (
  orgId: number,
  role: "owner" | "admin" | "member" | "guest",
  name = `User ${++counter}`
) {
  const sql = yield* SqlClient.SqlClient
  const [person] = yield* sql<{ person_id: number }>`
    INSERT INTO people (email, name, created_on) VALUES (${`user${counter++}-${orgId}@example.com`}, ${name}, now()) RETURNING person_id`
  const [user] = yield* sql<{ user_id: number }>`
    INSERT INTO users (org_id, person_id, name, role, status, created_on)
    VALUES (${orgId}, ${person!.person_id}, ${name}, ${role}, 'active', now()) RETURNING user_id`
  const key = randomToken("user_key_")
  yield* sql`
    INSERT INTO api_credentials (user_id, kind, token_hash, hint, created_on)
    VALUES (${user!.user_id}, 'user_api_key', ${hashToken(key)}, ${key.slice(-4)}, now())`
  return { userId: user!.user_id, orgId, personId: person!.person_id, key } satisfies Person
})

/** A personal access token of the user. */
export const seedToken = Effect.fnUntraced(function* (
  userId: number,
  scopes: ReadonlyArray<Scope>,
  selection?: { readonly workspaceIds?: ReadonlyArray<number>; readonly appIds?: ReadonlyArray<number> }
) {
  const sql = yield* SqlClient.SqlClient
  const token = randomToken("svc_pat_")
  yield* sql`
    INSERT INTO api_credentials (user_id, kind, token_hash, hint, name, scopes, content_selection, workspace_ids, app_ids, created_on)
    VALUES (${userId}, 'personal_access_token', ${hashToken(token)}, ${token.slice(-4)}, 'test', ${scopes as ReadonlyArray<string>}::text[],
            ${selection === undefined ? "all" : "selected"}, ${(selection?.workspaceIds ?? []).map(String)}::text[]::bigint[],
            ${(selection?.appIds ?? []).map(String)}::text[]::bigint[], now())`
  return token
})

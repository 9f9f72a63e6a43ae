// Errors of the middleware (developer-api.md 1.5, 1.6, 1.8): every operation that tells of one can give it. That none is given untold is
// held by the compiler, for what handlers fail with, and by the fuzz of test/interfaces/http.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../../src/api/Api.ts"
import type { ErrorCode } from "../../src/api/middleware/errorCodes.ts"
import { middlewareCodes } from "../../src/api/middleware/middlewareCodes.ts"
import { seedTenant, type Tenant } from "../interfaces/http/support/tenants.ts"
import { App, appLayer, type RequestOptions, seedOrganization, seedToken } from "../support/app.ts"

type Json = Record<string, any>

interface Asked {
  readonly method: string
  /** With `{param}` places. */
  readonly path: string
  readonly codes: ReadonlySet<ErrorCode>
  readonly query: ReadonlyArray<string>
  /** It takes no body. */
  readonly bodiless: boolean
}

const described = (spec: Json): ReadonlyArray<Asked> =>
  Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints as Record<string, any>).flatMap((endpoint) => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      const operation = spec["paths"][path]?.[endpoint.method.toLowerCase()]
      const parameters: ReadonlyArray<Json> = operation?.parameters ?? []
      const query = parameters.filter((one) => one["in"] === "query").map(({ name }) => name as string)
      return operation?.security === undefined
        ? []
        : [
            {
              method: endpoint.method,
              path,
              codes: middlewareCodes(endpoint),
              query,
              bodiless: endpoint.payload.size === 0
            }
          ]
    })
  )

const filled = (path: string, ids: Tenant["ids"]) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? 1))
const unknown = (path: string) => path.replace(/\{\w+\}/g, String(2 ** 40))
/** No id, twice what may be said once, and an encoding that is broken where any text will do. */
const nonsense = ({ path, query }: Asked) =>
  `${path.replace("{delivery_id}", "%zz").replace(/\{\w+\}/g, "x")}${query.map((name, at) => `${at === 0 ? "?" : "&"}${name}=${name}&${name}=2`).join("")}`

type Provoked = Readonly<
  Partial<Record<ErrorCode, (asked: Asked, of: Tenant) => ReadonlyArray<[string, RequestOptions]>>>
>

const requestOf = (
  path: string,
  token: string,
  body: string,
  headers: Record<string, string> = {}
): [string, RequestOptions] => [path, { token, body, headers }]
const TOO_LONG = JSON.stringify({ a: "x".repeat(2 * 1024 * 1024) })

/** What provokes an error, whatever the operation. The last request is looked at. */
const provoked = (tokenWithout: string): Provoked => ({
  dev_api_authentication: ({ path }, { ids }) => [[filled(path, ids), {}]],
  dev_api_invalid_access_token: ({ path }, { ids }) => [[filled(path, ids), { token: "svc_pat_none" }]],
  forbidden: ({ path }, { ids }) => [[filled(path, ids), { token: tokenWithout }]],
  invalid_request_url: (asked, { key }) => [
    [nonsense(asked), { token: key, ...(asked.method === "GET" ? {} : { body: {} }) }]
  ],
  invalid_json: ({ path }, { ids, key }) => [requestOf(filled(path, ids), key, "{")],
  invalid_request: ({ path }, { ids, key }) => [
    requestOf(filled(path, ids), key, "{}", { "content-type": "text/plain" })
  ],
  input_validation: ({ path }, { ids, key }) => [requestOf(filled(path, ids), key, `"\\u0000"`)],
  validation: ({ method, path, query }, { ids, key }) => [
    method === "GET" && query.includes("limit")
      ? [`${filled(path, ids)}?limit=-1${query.includes("q") ? "&q=a" : ""}`, { token: key }]
      : requestOf(filled(path, ids), key, TOO_LONG)
  ],
  conflict_error: ({ bodiless, path }, { ids, key }) =>
    (bodiless ? ["", "{}"] : ["[1]", "[2]"]).map((body) =>
      requestOf(filled(path, ids), key, body, { "idempotency-key": `one ${path}` })
    ),
  restricted_resource: ({ path }, { ids, memberKey }) => [
    [filled(path, { ...ids, workspace_id: ids["closed_workspace_id"]! }), { token: memberKey }]
  ],
  not_found: ({ path }, { key }) => [[unknown(path), { token: key }]],
  record_not_exists: ({ path }, { key }) => [[unknown(path), { token: key }]]
})

/** Each operation that tells of the code, asked so that it has to give it: what it gives instead. */
const findWrongAnswers = Effect.fnUntraced(function* (
  code: ErrorCode,
  requests: NonNullable<Provoked[ErrorCode]>,
  of: Tenant
) {
  const app = yield* App
  const wrong: Array<string> = []
  const telling = described((yield* app.call("GET", "/openapi.json")).json).filter(({ codes }) => codes.has(code))
  assert.isAbove(telling.length, 5, code)
  for (const operation of telling) {
    let lastText = ""
    for (const [path, options] of requests(operation, of))
      lastText = (yield* app.call(operation.method, path, options)).text
    if (JSON.parse(lastText || "{}").error_code !== code)
      wrong.push(`${operation.method} ${operation.path}: ${code} is told, given is ${lastText.slice(0, 150)}`)
  }
  return wrong
})

layer(appLayer(), { excludeTestServices: true })("errors of the middleware", (it) => {
  it.effect("can be given by every operation that tells of them", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* seedTenant("Middleware")
      const { user_id } = (yield* app.call("GET", "/v1/user", { token: tenant.key })).json
      // Its members may read, and nothing else.
      yield* sql`UPDATE workspaces SET type = 'open' WHERE workspace_id = ${tenant.ids["workspace_id"]!}`
      const body = { name: "A closed one", type: "closed" }
      const closed = (yield* app.call("POST", "/v1/workspace", { token: tenant.key, body })).json.workspace_id
      const fullTenant = { ...tenant, ids: { ...tenant.ids, closed_workspace_id: closed } }
      const wrong: Array<string> = []
      for (const [code, requests] of Object.entries(provoked(yield* seedToken(user_id, []))))
        wrong.push(...(yield* findWrongAnswers(code as ErrorCode, requests, fullTenant)))
      assert.deepStrictEqual(wrong, [])
    })
  )
})

layer(appLayer({ RATE_BUDGET: "1" }), { excludeTestServices: true })("a budget that is spent", (it) => {
  it.effect("is told of by every operation", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const nobody = { key: owner.key, ids: {} } as Tenant
      const spent = yield* findWrongAnswers(
        "too_many_requests",
        ({ path }, { key }) => [[filled(path, {}), { token: key }]],
        nobody
      )
      assert.deepStrictEqual(spent, [])
    })
  )
})

// The headers that operations say they take (developer-api.md 1.8; RFC 9110 13.1): each of those works, and no other.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { seedTenant } from "../interfaces/http/support/tenants.ts"
import { App, appLayer } from "../support/app.ts"

type Json = Record<string, any>

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })
const taking = (spec: Json, name: string) =>
  Object.entries<Json>(spec["paths"]).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([, { parameters = [] }]) => parameters.some(({ $ref }: Json) => $ref === parameter(name).$ref))
      .map(([method]) => ({ method: method.toUpperCase(), path }))
  )

layer(appLayer(), { excludeTestServices: true })("headers of the API description", (it) => {
  const described = Effect.gen(function* () {
    const app = yield* App
    const { ids, key } = yield* seedTenant("Headers")
    const filled = (path: string) =>
      path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name as keyof typeof ids] ?? 1))
    return {
      spec: (yield* app.call("GET", "/openapi.json")).json as Json,
      call: (method: string, path: string, headers: Record<string, string>) =>
        app.call(method, filled(path), { token: key, headers, ...(method === "PUT" ? { body: { fields: {} } } : {}) })
    }
  })

  it.effect("If-Match is read where it is described", () =>
    Effect.gen(function* () {
      const { call, spec } = yield* described
      const records = taking(spec, "IfMatchRevision")
      assert.deepStrictEqual(
        records.map(({ method, path }) => `${method} ${path}`),
        ["PUT /v1/record/{record_id}", "DELETE /v1/record/{record_id}", "POST /v1/record/{record_id}/restore"]
      )
      for (const { method, path } of records) {
        const { json, status } = yield* call(method, path, { "if-match": "nonsense" })
        assert.deepStrictEqual([status, json.error_message], [400, 'If-Match: expected a revision such as "4".'], path)
      }
      assert.strictEqual(taking(spec, "IfMatchVersion").length, 3)
    })
  )

  it.effect("ETag is answered wherever If-Match is read, and by what reads the same", () =>
    Effect.gen(function* () {
      const { spec } = yield* described
      const tagged = ({ responses }: Json) =>
        Object.values<Json>(responses).some(({ headers }) => headers?.ETag !== undefined)
      for (const { method, path } of [...taking(spec, "IfMatchRevision"), ...taking(spec, "IfMatchVersion")])
        assert.isTrue(tagged(spec["paths"][path][method.toLowerCase()]), `${method} ${path}`)
      for (const path of ["/v1/record/{record_id}", "/v1/automation/{automation_id}"])
        assert.isTrue(tagged(spec["paths"][path].get), path)
    })
  )

  it.effect("If-None-Match saves the answer where it is described", () =>
    Effect.gen(function* () {
      const { call, spec } = yield* described
      const conditionalOperations = taking(spec, "IfNoneMatch")
      assert.strictEqual(conditionalOperations.length, 4)
      for (const { method, path } of conditionalOperations) {
        const address = path.endsWith("/filter") ? `${path}?field_type=number` : path
        const etag = (yield* call(method, address, {})).headers.get("etag")!
        assert.strictEqual((yield* call(method, address, { "if-none-match": etag })).status, 304, path)
      }
    })
  )

  it.effect("Idempotency-Key is read where it is described", () =>
    Effect.gen(function* () {
      const { call, spec } = yield* described
      const keyed = taking(spec, "IdempotencyKey")
      const posts = Object.entries<Json>(spec["paths"]).filter(([, { post }]) => post !== undefined)
      assert.deepStrictEqual(
        posts.map(([path]) => path).filter((path) => !keyed.some((one) => one.path === path)),
        ["/v1/file/upload"]
      )
      for (const { method, path } of keyed) {
        const { json, status } = yield* call(method, path, { "idempotency-key": "é" })
        if (status !== 400) assert.include([403, 404], status, path)
        else assert.match(json.error_message, /^Idempotency-Key: /, path)
      }
    })
  )
})

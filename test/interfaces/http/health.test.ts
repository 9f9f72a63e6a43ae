// Health for orchestrators, the description of the API.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HealthProbes } from "../../../src/interfaces/http/health.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"

const METRICS_TOKEN = "a-token-of-the-operator"

layer(appLayer({ METRICS_TOKEN }), { excludeTestServices: true })("health, metrics and OpenAPI", (it) => {
  it.effect(
    "P10: /health/live and /health/ready answer without a credential, the parts to who sends METRICS_TOKEN",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        assert.deepStrictEqual((yield* app.call("GET", "/health/live")).json, { live: true })
        const stranger = yield* app.call("GET", "/health/ready")
        assert.deepStrictEqual([stranger.status, stranger.json], [200, { ready: true }])
        const readiness = yield* app.call("GET", "/health/ready", { token: METRICS_TOKEN })
        assert.strictEqual(readiness.status, 200)
        assert.deepStrictEqual(readiness.json.parts[0], { name: "postgres", ok: true })
      })
  )

  it.effect("P8: however many ask at once without a credential, one look at what is needed answers them", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { add } = yield* HealthProbes
      const probeCounts = { needed: 0, told: 0 }
      const counting = (of: keyof typeof probeCounts) =>
        Effect.sync(() => {
          probeCounts[of]++
          return { ok: of === "needed" }
        })
      add("needed", counting("needed"))
      add("told", counting("told"), false)
      const ask = app.call("GET", "/health/ready")
      const replies = yield* Effect.all(
        Array.from({ length: 100 }, () => ask),
        { concurrency: "unbounded" }
      )
      assert.isTrue(replies.every(({ status }) => status === 200))
      assert.isAtMost(probeCounts.needed, 2)
      assert.strictEqual(probeCounts.told, 0)
      const { json } = yield* app.call("GET", "/health/ready", { token: METRICS_TOKEN })
      assert.deepStrictEqual([json.ready, probeCounts.told], [true, 1])
    })
  )

  /** Without a scope of their own: for pages of a session alone, or by what is asked for. */
  const refusesByItself = new Set([
    "get /v1/events",
    "get /v1/connection",
    "get /v1/connection/org",
    "delete /v1/connection/{connection_id}",
    "post /v1/connection/end",
    "get /v1/app-policy",
    "put /v1/app-policy",
    "put /v1/app-policy/app",
    "put /v1/app-policy/user",
    "get /v1/audit",
    "get /v1/user/session",
    "delete /v1/user/session",
    "delete /v1/user/session/{session_id}",
    "post /v1/job/{job_id}/cancel",
    ...["/v1/smtp-account", "/v1/authentication-provider"].flatMap((list) => {
      const itemPath = `${list}/{${list.slice("/v1/".length).replace("-", "_")}_id}`
      return [
        `get ${list}`,
        `post ${list}`,
        `put ${itemPath}`,
        `delete ${itemPath}`,
        `post ${itemPath}/try`,
        `get ${itemPath}/usage`
      ]
    })
  ])

  it.effect(
    "OpenAPI 3.1 lists every route behind the middleware with security, scope and the middleware's answers",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { json } = yield* app.call("GET", "/openapi.json")
        assert.strictEqual(json.openapi, "3.1.0")
        assert.deepStrictEqual(Object.keys(json.components.securitySchemes), ["bearer", "basic", "oauth2"])
        const operations = Object.entries<any>(json.paths).flatMap(([path, item]) =>
          Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation }))
        )
        for (const { path, method, operation } of operations) {
          if (!path.startsWith("/v1/")) continue
          for (const status of ["401", "429", "500", "503"]) {
            assert.isDefined(operation.responses[status], `${method} ${path} ${status}`)
          }
          const scoped = /Needs the scope/.test(operation.description)
          const refuses = scoped || refusesByItself.has(`${method} ${path}`)
          assert.strictEqual(operation.responses["403"] !== undefined, refuses, `${method} ${path} 403`)
          assert.isNotEmpty(operation.security, `${method} ${path}`)
        }
        assert.isAbove(operations.length, 40)
      })
  )

  it.effect("every route of the description is served: none answers 404 for lack of a handler", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const { json } = yield* app.call("GET", "/openapi.json")
      for (const [path, item] of Object.entries<any>(json.paths)) {
        for (const method of Object.keys(item)) {
          // A stream goes on for as long as it is asked to.
          const brief = path === "/v1/events" ? "?seconds=1" : ""
          const address = `${path.replace(/\{\w+\}/g, "999999999")}${brief}`
          const reply = yield* app.call(method.toUpperCase(), address, { token: owner.key })
          assert.notInclude(reply.text, "Nothing is served", `${method} ${path}`)
          assert.notStrictEqual(reply.status, 500, `${method} ${path}: ${reply.text}`)
        }
      }
    })
  )
})

// decisions W19: who sends a body to an endpoint that takes none means something by it, and would believe that it was done.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { jsonPayload, takesNone } from "../../src/api/middleware/payload.ts"
import { seedApp } from "../domain/webhooks/support/seed.ts"
import { App, appLayer, seedOrganization } from "../support/app.ts"

const endpoints = Object.values(Api.groups).flatMap(
  (group) => Object.values(group.endpoints) as unknown as ReadonlyArray<HttpApiEndpoint.Top>
)

describe("endpoints that take no body", () => {
  it("all look at what they are sent, but for reads", () => {
    const bodiless = endpoints.filter(({ method, payload }) => payload.size === 0 && method !== "GET")
    assert.isAbove(bodiless.length, 20)
    for (const endpoint of bodiless) assert.strictEqual(jsonPayload(endpoint), takesNone, endpoint.path)
  })

  it("take nothing, and an object that holds nothing", () => {
    assert.isUndefined(takesNone({}))
    for (const [value, place] of [
      [{ overlap_seconds: 0 }, ["overlap_seconds"]],
      [[], []],
      ["text", []],
      [null, []]
    ] as const)
      assert.deepStrictEqual(takesNone(value)?.path, [...place])
  })
})

layer(appLayer(), { excludeTestServices: true })("over HTTP", (it) => {
  it.effect("a stray body is a 400 that names it, whatever the method; without one the call goes through", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const { orgId, owner } = yield* seedOrganization()
      const { appId } = yield* seedApp(orgId)
      const { json: hook } = yield* call("POST", `/v1/hook/app/${appId}`, {
        token: owner.key,
        body: { type: "record.create", url: "https://93.184.215.14/in" }
      })
      const hookPath = `/v1/hook/${hook.hook_id}`
      for (const [method, path] of [
        ["POST", `${hookPath}/verify/request`],
        ["DELETE", hookPath]
      ] as const) {
        for (const body of [{ nonsense: 1 }, [1], "x"]) {
          const refusal = yield* call(method, path, { token: owner.key, body })
          assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "input_validation"], refusal.text)
          assert.include(refusal.json.error_message, "takes no body")
        }
        assert.strictEqual((yield* call(method, path, { token: owner.key, body: {} })).status, 200)
      }
    })
  )
})

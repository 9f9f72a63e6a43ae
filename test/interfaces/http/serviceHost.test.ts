// Requests to another name of a service on this machine are told the right address (decisions P5).
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeRightOrigin } from "../../../src/interfaces/http/serviceHost.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"

layer(appLayer(), { excludeTestServices: true })("a request to another name of the service", (it) => {
  it.effect("is a 421 with the right address, wherever it goes", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      for (const host of ["localhost:8080", "[::1]:8080", "LOCALHOST:8080", "localhost.:8080"]) {
        const ask = (method: string, path: string, accept = "application/json") =>
          app.call(method, path, { token: owner.key, headers: { host, accept } })
        for (const [method, path] of [
          ["POST", "/mcp"],
          ["GET", "/v1/user"],
          ["GET", "/.well-known/oauth-protected-resource/mcp"]
        ] as const) {
          const reply = yield* ask(method, path)
          assert.strictEqual(reply.status, 421, `${host} ${path}`)
          assert.include(reply.json.error_message, `http://127.0.0.1:8080${path}`)
        }
        const token = yield* ask("POST", "/oauth/token")
        assert.deepStrictEqual([token.status, token.json.error], [421, "invalid_request"])
        assert.include(token.json.error_description, "http://127.0.0.1:8080/oauth/token")
        const page = yield* ask("GET", "/sign-in?next=%2F&x=%3Cb%3E", "text/html,*/*;q=0.8")
        assert.strictEqual(page.status, 421)
        assert.include(page.text, 'href="http://127.0.0.1:8080/sign-in?next=%2F&amp;x=%3Cb%3E"')
      }
    })
  )

  it.effect("is answered where it names the service, or another port, or asks for its health", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      for (const host of ["127.0.0.1:8080", "proxy.example", "localhost:9999"]) {
        const reply = yield* app.call("GET", "/v1/user", { token: owner.key, headers: { host } })
        assert.strictEqual(reply.status, 200, host)
      }
      const health = yield* app.call("GET", "/health", { headers: { host: "localhost:8080" } })
      assert.notStrictEqual(health.status, 421)
    })
  )
})

describe("the right origin", () => {
  it("is told for loopback names alone, by the port", () => {
    const local = makeRightOrigin(["http://localhost:8080", "http://localhost:8082"])
    assert.strictEqual(local("127.0.0.1:8080"), "http://localhost:8080")
    assert.strictEqual(local("127.0.0.1:8082"), "http://localhost:8082")
    assert.isUndefined(local("localhost:8082"))
    assert.isUndefined(local("127.0.0.1"))
    assert.isUndefined(local("evil.example:8080"))
    assert.isUndefined(local("a b"))
    assert.isUndefined(local(undefined))
    const remote = makeRightOrigin(["https://records.example"])
    for (const host of ["localhost", "127.0.0.1", "records.example", "other.example"]) assert.isUndefined(remote(host))
  })
})

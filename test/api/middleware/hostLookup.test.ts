// service.md 1.8 beside decisions A22: an Idempotency-Key keeps no connection while somebody's name servers are waited for.
import { promises as dns } from "node:dns"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { hostOf } from "../../../src/api/middleware/hostLookup.ts"
import { seedApp } from "../../domain/automations/support.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import { openTransactions } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"

/** While `during` runs no name is answered; then all are, by an address that nobody may be called at. */
const unanswered = Effect.fnUntraced(function* <A, E, R>(
  call: Effect.Effect<A, E, R>,
  during: Effect.Effect<unknown, E, R>
) {
  const resolvers: Array<(addresses: Array<string>) => void> = []
  const { resolve4, resolve6 } = dns.Resolver.prototype
  const resolveLater = () => new Promise<Array<string>>((resolve) => void resolvers.push(resolve))
  Object.assign(dns.Resolver.prototype, { resolve4: resolveLater, resolve6: resolveLater })
  return yield* Effect.gen(function* () {
    const calling = yield* Effect.forkChild(call)
    yield* eventually(
      "the look-up",
      Effect.sync(() => resolvers.length),
      (n) => n === 2
    )
    yield* during
    for (const answer of resolvers) answer(["10.0.0.1"])
    const answered = yield* Fiber.join(calling)
    assert.lengthOf(resolvers, 2, "nothing is looked up again")
    return answered
  }).pipe(Effect.ensuring(Effect.sync(() => Object.assign(dns.Resolver.prototype, { resolve4, resolve6 }))))
})

layer(appLayer(), { excludeTestServices: true })("names that are looked up before a change", (it) => {
  it.effect("no transaction is open while the name of a hook, a mail server or a token endpoint is looked up", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { appId, token } = yield* seedApp()
      const { owner } = yield* seedOrganization()
      const provider = { name: "Port", grant_type: "client_credentials", client_id: "harbor", client_secret: "hidden" }
      const calls = [
        [`/hook/app/${appId}`, token, { type: "record.create", url: "https://quay.example/in" }, "url"],
        ["/smtp-account", owner.key, { name: "Pier", host: "quay.example", from_address: "pier@quay.example" }, "host"],
        ["/authentication-provider", owner.key, { ...provider, token_url: "https://quay.example/token" }, "token_url"]
      ] as const
      for (const [path, by, body, field] of calls) {
        const createCall = app.call("POST", `/v1${path}`, { token: by, body, headers: { "idempotency-key": "one" } })
        const noTransactions = Effect.map(openTransactions(sql), (all) => assert.deepStrictEqual(all, []))
        const { json, status } = yield* unanswered(createCall, noTransactions)
        assert.strictEqual(status, 400, JSON.stringify(json))
        assert.match(json.error_message, new RegExp(`^${field}: .*private`))
      }
    })
  )

  it("the host of a field, a URL or a name", () => {
    const host = hostOf("url")
    assert.strictEqual(host({ url: "https://Quay.example:8443/in" }), "quay.example")
    assert.strictEqual(host({ url: "quay.example" }), "quay.example")
    for (const none of [undefined, null, [], {}, { url: 1 }, { url: "" }, { url: "not a host" }])
      assert.isUndefined(host(none))
  })
})

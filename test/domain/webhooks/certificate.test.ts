// decisions W11: a receiver that lets only clients with a certificate in (mutual TLS) is sent what a hook with that certificate has, and
// nothing otherwise.
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import { HookConfigurations } from "../../../src/domain/webhooks/HookConfigurations.ts"
import { Outbox } from "../../../src/engine/outbox/Outbox.ts"
import { eventually, grantOf, layerSpine, seedHook, seedOrgWithApp, target } from "./support/harness.ts"
import { recordEvent } from "./support/seed.ts"

const pem = (name: string) => readFileSync(new URL(`../../support/tls/localhost.${name}.pem`, import.meta.url), "utf8")
const tls = { key: pem("key"), cert: pem("cert") }

layer(layerSpine({ ca: tls.cert, settings: { retryDelays: [600] } }), { excludeTestServices: true })(
  "client certificates (W11)",
  (it) => {
    it.effect("a delivery goes through with the hook's certificate, and fails without", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const outbox = yield* Outbox
        const configurations = yield* HookConfigurations
        const receiver = yield* target({ tls: { ...tls, clientsOf: tls.cert } })
        const app = yield* seedOrgWithApp()
        const { hookId, secret } = yield* seedHook(app, "record.create", `${receiver.origin}/in`)
        const occurs = (record_id: number) =>
          sql.withTransaction(
            outbox.append([
              recordEvent({ org_id: app.orgId, app_id: app.appId, record_id, type: "record.create", revision: 0 })
            ])
          )
        const attempts = (record: number, count: number) =>
          eventually(
            `the attempt for record ${record}`,
            sql<{ status: string; error: string | null }>`
              SELECT d.status, a.error FROM webhook_deliveries d JOIN webhook_attempts a USING (hook_id, event_id)
              WHERE hook_id = ${hookId} AND record_id = ${record} ORDER BY attempt`,
            (rows) => rows.length === count
          )
        yield* occurs(1)
        const [refused] = yield* attempts(1, 1)
        assert.strictEqual(refused?.status, "retrying")
        assert.isNotNull(refused?.error)
        assert.lengthOf(receiver.received, 0)
        const hookSettings = yield* configurations.changeSettings(grantOf(app, hookId), {
          authentication: { type: "certificate", certificate: tls.cert, key: tls.key }
        })
        assert.deepStrictEqual(hookSettings.authentication, {
          ...{ type: "certificate", certificate: tls.cert },
          key: { set: true }
        })
        yield* occurs(2)
        assert.deepStrictEqual(yield* attempts(2, 1), [{ status: "delivered", error: null }])
        const [came, ...others] = receiver.of("/in")
        assert.lengthOf(others, 0)
        assert.deepInclude(new Webhook(secret).verify(came!.body, came!.headers as never), { record_id: 2 })
        const [row] = yield* sql<{
          text: string
        }>`SELECT row_to_json(h)::text AS text FROM hooks h WHERE hook_id = ${hookId}`
        assert.notInclude(row!.text, tls.key.split("\n")[1]!)
      })
    )
  }
)

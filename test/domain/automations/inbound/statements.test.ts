// What a request to an inbound address asks of the database (developer-api.md 7.9): each statement is a round trip before its answer.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Catches } from "../../../../src/domain/automations/inbound/Catches.ts"
import { App, appLayer } from "../../../support/app.ts"
import { askedBy } from "../../../support/statements.ts"
import { seedApp } from "../support.ts"

const request = { headers: {}, query: {} }

layer(appLayer(), { excludeTestServices: true })("the statements of a request to an inbound address", (it) => {
  it.effect("one finds and counts it, one stores it with its event and wait", () =>
    Effect.gen(function* () {
      const app = yield* App
      const catches = yield* Catches
      const { appId, token } = yield* seedApp()
      const body = {
        name: "Inbound",
        trigger: { type: "webhook_received", config: { response_mode: "sync" } },
        actions: [{ type: "exit", config: { exit_type: "success" } }]
      }
      const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
      const { id, trigger } = creation.json.automation
      yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
      const address = String(trigger.config.webhook_url).split("/").at(-1)!
      const { answer, asked } = yield* askedBy(
        Effect.flatMap(catches.admit(address), (target) => catches.store(target, { payload: { a: 1 }, request }, []))
      )
      assert.strictEqual(answer.type, "kept")
      const writes = asked.map(({ statement }) =>
        [...statement.matchAll(/INSERT INTO (\w+)/g)].map(([, table]) => table)
      )
      assert.deepStrictEqual(writes, [["catch_windows"], ["webhook_catches", "run_waits", "outbox"]])
    })
  )
})

// decisions W7, W14: `webhook listen` receives, verifies and prints what a hook is sent.
import { createServer } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { newSecret, signedHeaders, signingKey } from "../../../src/domain/webhooks/signature.ts"
import { seedHook, seedOrgWithApp } from "../../domain/webhooks/support/harness.ts"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { typed as cli } from "../../support/processes.ts"

const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "localhost", () => {
    const { port } = server.address() as { port: number }
    server.close(() => resume(Effect.succeed(port)))
  })
})

it.live("npm run cli -- webhook listen: prints each, says whether it is signed, and says who may reach it", () =>
  Effect.gen(function* () {
    const databaseUrl = yield* freshDatabaseUrl
    const port = yield* freePort
    const { hookId, secret } = yield* Effect.flatMap(seedOrgWithApp(), (app) =>
      seedHook(app, "record.create", "https://hooks.example.com/in")
    ).pipe(Effect.provide(layerOn(databaseUrl, 1)))
    const listening = yield* Effect.forkChild(
      cli(databaseUrl, "webhook", "listen", String(hookId), "--port", String(port), "--count", "2")
    )
    const body = JSON.stringify({ hook_id: hookId, type: "hook.verify", code: "4711" })
    const post = (id: string, key: string) =>
      Effect.tryPromise(() =>
        fetch(`http://localhost:${port}/`, {
          method: "POST",
          headers: signedHeaders(id, new Date(), body, [signingKey(key)]),
          body
        })
      ).pipe(Effect.retry(Schedule.spaced("200 millis")))
    assert.strictEqual((yield* post("msg_1_2", newSecret())).status, 401)
    assert.strictEqual((yield* post("msg_1_3", secret)).status, 204)
    const { code, err, out } = yield* Fiber.join(listening)
    assert.strictEqual(code, 0, err)
    assert.include(
      out,
      `Listening on http://localhost:${port} for hook ${hookId} (active), which is sent to hooks.example.com:443.`
    )
    assert.include(out, `OUTBOUND_ALLOW=localhost:${port}`)
    assert.include(out, ` verified msg_1_3 ${body}`)
    assert.include(out, `refused (no signature matches a secret of the hook) msg_1_2 ${body}`)
  })
)

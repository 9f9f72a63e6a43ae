// decisions W2, W4, W11: limits and retries of one hook, within those of its app, through the whole spine with windows of two seconds.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { HookConfigurations } from "../../../src/domain/webhooks/HookConfigurations.ts"
import { Outbox } from "../../../src/engine/outbox/Outbox.ts"
import { answers } from "../../support/receiver.ts"
import { eventually, grantOf, layerSpine, seedHook, seedOrgWithApp, statuses, target } from "./support/harness.ts"
import { recordEvent } from "./support/seed.ts"

const WINDOW = 2_000

const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const app = yield* seedOrgWithApp()
  const receiver = yield* target()
  const configurations = yield* HookConfigurations
  const outbox = yield* Outbox
  const hook = Effect.fnUntraced(function* (
    path: string,
    settings: Parameters<typeof configurations.changeSettings>[1]
  ) {
    const { hookId } = yield* seedHook(app, "record.create", `${receiver.origin}${path}`)
    yield* configurations.changeSettings(grantOf(app, hookId), settings)
    return hookId
  })
  const append = (count: number) =>
    outbox.append(
      Array.from({ length: count }, (_, i) =>
        recordEvent({ type: "record.create", org_id: app.orgId, app_id: app.appId, record_id: i + 1, revision: 0 })
      )
    )
  const delivered = (hookId: number, count: number) =>
    eventually(`${count} delivered`, statuses(hookId), (found) => found["delivered"] === count)
  const attempts = (hookId: number) =>
    Effect.map(
      sql<{ attempted_on: Date }>`
        SELECT attempted_on FROM webhook_attempts WHERE hook_id = ${hookId} ORDER BY attempted_on`,
      (rows) => rows.map(({ attempted_on }) => attempted_on.getTime())
    )
  return { append, attempts, delivered, hook, receiver, sql }
})

layer(layerSpine({ settings: { perWindow: 1_000, windowMillis: WINDOW } }), { excludeTestServices: true })(
  "limits of a hook",
  (it) => {
    it.effect("executions a minute: what is over waits for its next window; other hooks of the app go on", () =>
      Effect.gen(function* () {
        const { append, attempts, delivered, hook } = yield* setting
        const limited = yield* hook("/limited", { per_minute: 4 })
        const freeHook = yield* hook("/free", {})
        yield* append(10)
        yield* delivered(freeHook, 10)
        yield* delivered(limited, 10)
        const times = yield* attempts(limited)
        // A window begins at the claim, a moment before its first execution.
        for (const [index, time] of times.entries()) {
          const fourth = times[index + 4]
          if (fourth !== undefined) assert.isAtLeast(fourth - time, WINDOW / 2)
        }
        assert.isAtLeast(times.at(-1)! - times[0]!, 1.5 * WINDOW)
        const lastAttempt = (yield* attempts(freeHook)).at(-1)!
        assert.isBelow(lastAttempt, times.at(-1)!)
      })
    )

    it.effect("at once: never more in the air than that, retries among them", () =>
      Effect.gen(function* () {
        const { append, delivered, hook, receiver } = yield* setting
        let inAir = 0
        let most = 0
        let requestCount = 0
        receiver.on("/one", (_request, response) => {
          most = Math.max(most, ++inAir)
          setTimeout(() => {
            inAir--
            response.writeHead(requestCount++ < 2 ? 503 : 204).end()
          }, 30)
        })
        const singleHook = yield* hook("/one", { at_once: 1 })
        yield* append(6)
        yield* delivered(singleHook, 6)
        assert.deepStrictEqual([most, receiver.of("/one").length], [1, 8])
      })
    )

    it.effect("its own retries: as many as it lists, none where the list is empty", () =>
      Effect.gen(function* () {
        const { append, attempts, hook, receiver } = yield* setting
        for (const path of ["/once", "/never"]) receiver.on(path, answers.status(500))
        const onceHook = yield* hook("/once", { retry_seconds: [1] })
        const never = yield* hook("/never", { retry_seconds: [] })
        yield* append(1)
        yield* eventually("one failed", statuses(never), ({ failed }) => failed === 1)
        yield* eventually("the other failed", statuses(onceHook), ({ failed }) => failed === 1)
        assert.lengthOf(yield* attempts(never), 1)
        const [first, second, ...more] = yield* attempts(onceHook)
        assert.isAtLeast(second! - first!, 1_000)
        assert.lengthOf(more, 0)
      })
    )
  }
)

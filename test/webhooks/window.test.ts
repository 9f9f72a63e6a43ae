// service.md 8; decisions W4, P2: executions per window and app, here with windows of two seconds.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Outbox } from "../../src/outbox/Outbox.ts"
import { eventually, layerSpine, seedHook, seedOrgWithApp, statuses, target } from "./support/harness.ts"
import { recordEvent } from "./support/seed.ts"

const WINDOW = 2_000
const spine = layerSpine({ settings: { perWindow: 100, windowMillis: WINDOW } })

const creates = (app: { orgId: number; appId: number }, count: number, first = 1) =>
  Array.from({ length: count }, (_, i) =>
    recordEvent({ type: "record.create", org_id: app.orgId, app_id: app.appId, record_id: first + i, revision: 0 })
  )

layer(spine, { excludeTestServices: true })("executions per window", (it) => {
  describe("100 a minute and app (W4)", () => {
    it.effect(
      "250 events: 100 in the first window, the rest in the next two, queued meanwhile; another app is not slowed",
      () =>
        Effect.gen(function* () {
          const outbox = yield* Outbox
          const busy = yield* seedOrgWithApp()
          const other = yield* seedOrgWithApp()
          const receiver = yield* target()
          const first = yield* seedHook(busy, "record.create", `${receiver.origin}/busy`)
          const second = yield* seedHook(other, "record.create", `${receiver.origin}/other`)
          yield* outbox.append(creates(busy, 250))
          yield* eventually("100 delivered", statuses(first.hookId), (s) => s["delivered"] === 100)
          const waiting = yield* statuses(first.hookId)
          assert.deepStrictEqual(waiting, { delivered: 100, queued: 150 })
          yield* outbox.append(creates(other, 20))
          yield* eventually("the other app", statuses(second.hookId), (s) => s["delivered"] === 20)
          assert.isAtLeast((yield* statuses(first.hookId))["queued"] ?? 0, 50)
          yield* eventually("all delivered", statuses(first.hookId), (s) => s["delivered"] === 250)
          const arrivals = receiver.of("/busy").map(({ at }) => at)
          assert.lengthOf(arrivals, 250)
          // The 101st and the 201st open the next windows; arrival lags behind the claim a little.
          assert.isAtLeast(arrivals[100]! - arrivals[0]!, WINDOW - 700)
          assert.isAtLeast(arrivals[200]! - arrivals[100]!, WINDOW - 700)
        })
    )

    it.effect("hooks of one app take turns: one with a long queue cannot starve another", () =>
      Effect.gen(function* () {
        const outbox = yield* Outbox
        const app = yield* seedOrgWithApp()
        const receiver = yield* target()
        const long = yield* seedHook(app, "record.create", `${receiver.origin}/long`)
        const short = yield* seedHook(app, "record.update", `${receiver.origin}/short`)
        yield* outbox.append(creates(app, 400))
        yield* eventually("a full window", statuses(long.hookId), (s) => s["delivered"] === 100)
        yield* outbox.append(creates(app, 10).map((event) => ({ ...event, type: "record.update" }) as typeof event))
        yield* eventually("the short one", statuses(short.hookId), (s) => s["delivered"] === 10)
        // It had its turns in the very next window.
        assert.isAtLeast((yield* statuses(long.hookId))["queued"] ?? 0, 200)
      })
    )

    it.effect("an organization's limit wins over the configuration (service.md 9.3)", () =>
      Effect.gen(function* () {
        const outbox = yield* Outbox
        const app = yield* seedOrgWithApp({ webhook_per_minute: 5 })
        const receiver = yield* target()
        const { hookId } = yield* seedHook(app, "record.create", `${receiver.origin}/few`)
        yield* outbox.append(creates(app, 12))
        yield* eventually("five", statuses(hookId), (s) => s["delivered"] === 5)
        assert.strictEqual((yield* statuses(hookId))["queued"], 7)
        yield* eventually("all", statuses(hookId), (s) => s["delivered"] === 12)
        assert.isAtLeast(receiver.of("/few").at(-1)!.at - receiver.of("/few")[0]!.at, 2 * WINDOW - 500)
      })
    )
  })
})

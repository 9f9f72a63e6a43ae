// decisions W1, W2, W7, W8: the pure rules of retries, failures, signatures and ids.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { deliveryId, parseDeliveryId } from "../../../src/domain/webhooks/Delivery.ts"
import { afterExecution, type HookHealth } from "../../../src/domain/webhooks/failureStreak.ts"
import { checkHookUrl } from "../../../src/domain/webhooks/HookUrl.ts"
import { nextAttempt } from "../../../src/domain/webhooks/retry.ts"
import { newSecret, signedHeaders, signingKey } from "../../../src/domain/webhooks/signature.ts"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import type { Resolve } from "../../../src/platform/outbound/resolveHost.ts"

const delays = [5, 60, 600, 3600, 21600]
const nowMillis = Date.UTC(2026, 2, 1, 10)
const seconds = (at: Date | null) => (at === null ? null : (at.getTime() - nowMillis) / 1000)
const failure = (status: number | null, retryAfter?: string) => ({ status, retryAfter })

describe("retries (W2)", () => {
  it("come after 5 s, 1 min, 10 min, 1 h and 6 h, and no more", () => {
    const planned = [1, 2, 3, 4, 5, 6].map((tries) => seconds(nextAttempt(failure(500), tries, delays, nowMillis, 0)))
    assert.deepStrictEqual(planned, [...delays, null])
  })

  it("have jitter: later by up to a fifth, never sooner", () => {
    assert.strictEqual(seconds(nextAttempt(failure(null), 2, delays, nowMillis, 1)), 72)
    assert.strictEqual(seconds(nextAttempt(failure(null), 2, delays, nowMillis, 0.5)), 66)
  })

  it("honour Retry-After in seconds and as a date up to an hour, and ignore nonsense", () => {
    const pause = (text: string) => seconds(nextAttempt(failure(503, text), 1, delays, nowMillis, 0))
    assert.strictEqual(pause("30"), 30)
    assert.strictEqual(pause("1"), 5)
    assert.strictEqual(pause("86400"), 3600)
    assert.strictEqual(pause("Sun, 01 Mar 2026 10:02:00 GMT"), 120)
    assert.strictEqual(pause("Sun, 01 Mar 2020 10:02:00 GMT"), 5)
    assert.strictEqual(pause("soon"), 5)
  })

  it("end with 410", () => assert.isNull(nextAttempt(failure(410, "5"), 1, delays, nowMillis, 0)))
})

describe("failures in a row (W1)", () => {
  const run = (health: HookHealth, outcomes: ReadonlyArray<boolean>) => {
    const notices: Array<unknown> = []
    let current = health
    for (const ok of outcomes) {
      const { health: next, notice } = afterExecution(current, ok, 50)
      current = next
      if (notice !== null) notices.push([next.failures, notice.kind === "failing" ? notice.share : "lost"])
    }
    return { health: current, notices }
  }
  const freshHealth: HookHealth = { status: "active", failures: 0, alerted: 0 }
  const fails = (n: number) => Array.from({ length: n }, () => false)

  it("tell at 25, 35 and 45 of 50, and when the 51st costs the verification", () => {
    const { health, notices } = run(freshHealth, fails(53))
    assert.deepStrictEqual(notices, [
      [25, 50],
      [35, 70],
      [45, 90],
      [51, "lost"]
    ])
    assert.deepStrictEqual(health, { status: "inactive", failures: 53, alerted: 90 })
  })

  it("begin anew with a 2xx", () => {
    const { health, notices } = run(freshHealth, [...fails(50), true, ...fails(50)])
    assert.deepStrictEqual([health.status, health.failures], ["active", 50])
    assert.lengthOf(notices, 6)
  })
})

describe("signatures (W7)", () => {
  it("are verified by the unmodified standardwebhooks package, with each secret in force", () => {
    const [current, former, other] = [newSecret(), newSecret(), newSecret()]
    const body = '{"hook_id":1,"type":"app.update"}'
    const headers = signedHeaders("msg_1_1", new Date(), body, [current, former].map(signingKey))
    for (const secret of [current, former])
      assert.deepStrictEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
    assert.throws(() => new Webhook(other).verify(body, headers))
    assert.throws(() => new Webhook(current).verify(`${body} `, headers))
  })
})

describe("the name in a hook's URL (2.6, W9)", () => {
  const url = "https://hooks.example.com/in"
  const check = (resolve: Resolve) =>
    Effect.gen(function* () {
      return yield* checkHookUrl(yield* Outbound, url)
    }).pipe(Effect.provide(Outbound.layerWith({ allow: new Set(), resolve })))
  const fails =
    (code: string): Resolve =>
    () =>
      Promise.reject(Object.assign(new Error(code), { code }))

  it.effect("leads to public addresses only; a 400 names the rule", () =>
    Effect.gen(function* () {
      const refusalOf = (resolve: Resolve) => Effect.map(Effect.flip(check(resolve)), ({ message }) => message)
      assert.match(yield* refusalOf(() => Promise.resolve([{ address: "10.0.0.1", family: 4 }])), /^url: .*private/)
      const both = [{ address: "93.184.215.14", family: 4 }]
      assert.strictEqual((yield* check(() => Promise.resolve(both))).href, url)
    })
  )

  it.effect("is accepted while it leads nowhere or nobody can tell: every connection is checked anyway", () =>
    Effect.gen(function* () {
      for (const nowhere of [fails("ENOTFOUND"), fails("EAI_AGAIN"), () => Promise.resolve([])])
        assert.strictEqual((yield* check(nowhere)).href, url)
    })
  )
})

describe("delivery ids (W8)", () => {
  it("lead back to hook and event; anything else is none", () => {
    assert.deepStrictEqual(parseDeliveryId(deliveryId(12, 345_678)), { hookId: 12, eventId: 345_678 })
    for (const text of ["", "msg_", "msg_1", "msg_1_", "msg_0_1", "msg_1_1_1", "MSG_1_1", "msg_zzzzzzzzzzzz_1"])
      assert.isUndefined(parseDeliveryId(text), text)
  })
})

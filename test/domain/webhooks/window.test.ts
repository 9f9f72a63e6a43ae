// service.md 8; decisions W4, P2: executions per window and app, here with windows of two seconds.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Outbox } from "../../../src/engine/outbox/Outbox.ts"
import { eventually, layerSpine, seedHook, seedOrgWithApp, statuses, target } from "./support/harness.ts"
import { recordEvent } from "./support/seed.ts"

const WINDOW = 2_000
const spine = layerSpine({ settings: { perWindow: 100, windowMillis: WINDOW } })

const creates = (app: { orgId: number; appId: number }, count: number, first = 1) =>
  Array.from({ length: count }, (_, i) =>
    recordEvent({ type: "record.create", org_id: app.orgId, app_id: app.appId, record_id: first + i, revision: 0 })
  )

interface Moment {
  readonly delivered: number
  readonly queued: number
  readonly used: number
  /** When the window in force began. */
  readonly start: number
}

/** Looks at an app with one hook until `total` are delivered; every moment, however slow the machine, keeps the limit. */
const watch = Effect.fnUntraced(function* (appId: number, hookId: number, total: number, cap: number, began: number) {
  const sql = yield* SqlClient.SqlClient
  const moments: Array<Moment> = []
  const readProgress = Effect.gen(function* () {
    const [row] = yield* sql<{ delivered: number; queued: number; used: number | null; start: Date | null }>`
      SELECT count(*) FILTER (WHERE status = 'delivered')::int AS delivered, count(*) FILTER (WHERE status = 'queued')::int AS queued,
        (SELECT used FROM webhook_windows WHERE app_id = ${appId}) AS used,
        (SELECT window_start FROM webhook_windows WHERE app_id = ${appId}) AS start
      FROM webhook_deliveries WHERE hook_id = ${hookId}`
    const { delivered, queued, start, used } = row!
    // Of the windows that have begun by then none gave more than the limit: what is left waits.
    const windows = Math.floor(((start?.getTime() ?? Date.now()) - began) / WINDOW) + 1
    assert.isAtMost(delivered, cap * windows)
    assert.isAtMost(used ?? 0, cap)
    if (start !== null) moments.push({ delivered, queued, used: used ?? 0, start: start.getTime() })
    return delivered
  })
  yield* eventually("all delivered", readProgress, (delivered) => delivered === total)
  return moments
})

const attemptsOf = (hookId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ attempted_on: Date }>`
      SELECT attempted_on FROM webhook_attempts WHERE hook_id = ${hookId} ORDER BY attempted_on`
    return rows.map(({ attempted_on }) => attempted_on.getTime())
  })

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
          const firstHook = yield* seedHook(busy, "record.create", `${receiver.origin}/busy`)
          const second = yield* seedHook(other, "record.create", `${receiver.origin}/other`)
          const began = Date.now()
          yield* outbox.append([...creates(busy, 250), ...creates(other, 20)])
          const moments = yield* watch(busy.appId, firstHook.hookId, 250, 100, began)
          const [opening, last] = [moments[0]!, moments.at(-1)!]
          // The 101st and the 201st open the next windows; a window begins with its first execution.
          assert.isAtLeast(last.start - began, 2 * WINDOW)
          for (const { start } of moments) assert.isTrue(start === opening.start || start - opening.start >= WINDOW)
          assert.strictEqual(new Set(receiver.of("/busy").map(({ headers }) => headers["webhook-id"])).size, 250)
          yield* eventually("the other app", statuses(second.hookId), (s) => s["delivered"] === 20)
          assert.isBelow((yield* attemptsOf(second.hookId)).at(-1)!, last.start)
        })
    )

    it.effect("hooks of one app take turns: one with a long queue cannot starve another", () =>
      Effect.gen(function* () {
        const outbox = yield* Outbox
        const app = yield* seedOrgWithApp()
        const receiver = yield* target()
        const long = yield* seedHook(app, "record.create", `${receiver.origin}/long`)
        const short = yield* seedHook(app, "record.update", `${receiver.origin}/short`)
        yield* outbox.append(creates(app, 300))
        yield* eventually("the long one is at work", statuses(long.hookId), (s) => (s["delivered"] ?? 0) > 0)
        const came = Date.now()
        yield* outbox.append(creates(app, 10).map((event) => ({ ...event, type: "record.update" }) as typeof event))
        yield* eventually("the short one", statuses(short.hookId), (s) => s["delivered"] === 10)
        yield* eventually("the long one", statuses(long.hookId), (s) => s["delivered"] === 300)
        // It had its turns within two windows from when it came, long before the other queue was empty.
        const attempts = yield* attemptsOf(long.hookId)
        const attemptsBefore = attempts.filter((at) => at < came).length
        assert.isBelow((yield* attemptsOf(short.hookId)).at(-1)!, attempts[Math.min(299, attemptsBefore + 199)]!)
      })
    )

    it.effect("an organization's limit wins over the configuration (service.md 9.3)", () =>
      Effect.gen(function* () {
        const outbox = yield* Outbox
        const app = yield* seedOrgWithApp({ webhook_per_minute: 5 })
        const receiver = yield* target()
        const { hookId } = yield* seedHook(app, "record.create", `${receiver.origin}/few`)
        const began = Date.now()
        yield* outbox.append(creates(app, 12))
        const moments = yield* watch(app.appId, hookId, 12, 5, began)

        assert.isAtLeast(moments.at(-1)!.start - began, 2 * WINDOW)
      })
    )
  })
})

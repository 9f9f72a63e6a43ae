// decisions W3, W5, W11, W12: hooks that are paused, resumed, moved to another URL or have several types, through the whole spine.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { HookConfigurations } from "../../../src/domain/webhooks/HookConfigurations.ts"
import { expirePaused, housekeeping } from "../../../src/domain/webhooks/hookHousekeeping.ts"
import { Outbox } from "../../../src/engine/outbox/Outbox.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { eventually, grantOf, layerSpine, seedHook, seedOrgWithApp, statuses, target } from "./support/harness.ts"
import { commentEvent, recordEvent } from "./support/seed.ts"
import { waiting } from "./support/waiting.ts"

type AppOf = { readonly orgId: number; readonly appId: number }

const updates = (app: AppOf, record_id: number, revisions: ReadonlyArray<number>) =>
  revisions.map((revision) =>
    recordEvent({ type: "record.update", org_id: app.orgId, app_id: app.appId, record_id, revision })
  )

const setting = Effect.gen(function* () {
  const app = yield* seedOrgWithApp()
  const receiver = yield* target()
  const { hookId } = yield* seedHook(app, "record.update", `${receiver.origin}/in`)
  const configurations = yield* HookConfigurations
  const set = (input: Parameters<typeof configurations.changeSettings>[1]) =>
    configurations.changeSettings(grantOf(app, hookId), input)
  const outbox = yield* Outbox
  const receivedRevisions = () => receiver.received.map(({ body }) => JSON.parse(body).revision_id)
  const statusesAre = (expected: Record<string, number>) =>
    eventually(`${JSON.stringify(expected)}`, statuses(hookId), (found) =>
      Object.entries(expected).every(([status, n]) => found[status] === n)
    )
  return { app, receiver, hookId, configurations, set, append: outbox.append, seen: receivedRevisions, statusesAre }
})

layer(layerSpine(), { excludeTestServices: true })("settings of hooks", (it) => {
  it.effect("paused, events wait; resumed, they go out in order, and nothing had to be verified again (W12)", () =>
    Effect.gen(function* () {
      const { app, append, receiver, seen, set, statusesAre } = yield* setting
      yield* set({ paused: true })
      yield* append([...updates(app, 1, [1, 2, 3]), ...updates(app, 2, [1])])
      yield* statusesAre({ queued: 4 })
      yield* append(updates(app, 1, [4]))
      yield* statusesAre({ queued: 5 })
      assert.lengthOf(receiver.received, 0)
      yield* set({ paused: false })
      yield* statusesAre({ delivered: 5 })
      const ofFirst = receiver.received.flatMap(({ body }) => {
        const { record_id, revision_id } = JSON.parse(body)
        return record_id === 1 ? [revision_id] : []
      })
      assert.deepStrictEqual(ofFirst, [1, 2, 3, 4])
      assert.lengthOf(seen(), 5)
    })
  )

  it.effect("after seven days what waits has expired, and the rest goes when the hook is resumed (W12)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { app, append, hookId, seen, set, statusesAre } = yield* setting
      yield* set({ paused: true })
      yield* append(updates(app, 1, [1, 2, 3]))
      yield* statusesAre({ queued: 3 })
      yield* sql`UPDATE webhook_queue SET due_at = now() - interval '8 days' WHERE hook_id = ${hookId} AND event_id < (
        SELECT max(event_id) FROM webhook_queue WHERE hook_id = ${hookId})`
      yield* housekeeping
      assert.deepStrictEqual(yield* statuses(hookId), { queued: 3 })
      yield* sql`UPDATE hooks SET paused_on = now() - interval '8 days' WHERE hook_id = ${hookId}`
      yield* housekeeping
      assert.deepStrictEqual(yield* statuses(hookId), { queued: 1, expired: 2 })
      yield* set({ paused: false })
      yield* statusesAre({ delivered: 1 })
      assert.deepStrictEqual(seen(), [3])
    })
  )

  it.effect("a resume lets go what waits behind one that expires at the same moment (W12)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { app, append, hookId, set, statusesAre } = yield* setting
      yield* set({ paused: true })
      yield* append(updates(app, 1, [1, 2]))
      yield* statusesAre({ queued: 2 })
      yield* sql`UPDATE webhook_queue SET due_at = now() - interval '8 days' WHERE hook_id = ${hookId} AND NOT blocked`
      yield* sql`UPDATE hooks SET paused_on = now() - interval '8 days' WHERE hook_id = ${hookId}`
      const blocked = yield* waiting(sql)
      const expired = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const expiring = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* expirePaused(yield* Sql, new Date(Date.now() - 7 * 86_400_000), 100)
            yield* Deferred.succeed(expired, undefined)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(expired)
      const resuming = yield* Effect.forkChild(set({ paused: false }))
      const met = Effect.map(blocked, (n) => n > 0 || resuming.pollUnsafe() !== undefined)
      yield* eventually("the resume waits, or has come", met, (is) => is)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(expiring)
      yield* Fiber.join(resuming)
      const blockedRows = yield* sql`SELECT 1 FROM webhook_queue WHERE hook_id = ${hookId} AND blocked`
      assert.deepStrictEqual(blockedRows, [])
      yield* statusesAre({ expired: 1, delivered: 1 })
    })
  )

  it.effect("a new URL: what waits and what comes is withheld; verified again, new events go there (W11)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { app, append, configurations, hookId, receiver, set, statusesAre } = yield* setting
      yield* set({ paused: true })
      yield* append(updates(app, 1, [1]))
      yield* statusesAre({ queued: 1 })
      const moved = yield* configurations.change(grantOf(app, hookId), { url: `${receiver.origin}/next` })
      assert.strictEqual(moved.status, "inactive")
      yield* set({ paused: false })
      yield* append(updates(app, 1, [2]))
      yield* statusesAre({ withheld: 2 })
      yield* sql`UPDATE hooks SET status = 'active' WHERE hook_id = ${hookId}`
      yield* append(updates(app, 1, [3]))
      yield* statusesAre({ delivered: 1, withheld: 2 })
      assert.deepStrictEqual(
        receiver.received.map(({ path }) => path),
        ["/next"]
      )
    })
  )

  it.effect("one hook of several types is sent each of them, under one order for a record (W3, W11)", () =>
    Effect.gen(function* () {
      const { app, append, receiver, set, statusesAre } = yield* setting
      yield* set({ types: ["record.update", "comment.create", "record.delete"] })
      const about = { org_id: app.orgId, app_id: app.appId, record_id: 5 }
      yield* append([
        ...updates(app, 5, [1]),
        commentEvent({ ...about, type: "comment.create", comment_id: 9 }),
        commentEvent({ ...about, type: "comment.delete", comment_id: 9 }),
        recordEvent({ ...about, type: "record.delete", revision: 2 })
      ])
      yield* statusesAre({ delivered: 3 })
      assert.deepStrictEqual(
        receiver.received.map(({ body }) => JSON.parse(body).type),
        ["record.update", "comment.create", "record.delete"]
      )
    })
  )
})

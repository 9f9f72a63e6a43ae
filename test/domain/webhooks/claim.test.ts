// service.md 8; decisions W2, W4: which deliveries an activation takes next.
import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeInsertBundles } from "../../../src/domain/webhooks/bundles/insertBundles.ts"
import { addInFlight, type InFlight, makeClaim, nothingInFlight } from "../../../src/domain/webhooks/claim.ts"
import { claimOf } from "../../../src/domain/webhooks/claimParts.ts"
import { makeQueueDeliveries } from "../../../src/domain/webhooks/queueDeliveries.ts"
import { makeReserveSecondPost } from "../../../src/domain/webhooks/reserveSecondPost.ts"
import { WebhookSettings } from "../../../src/domain/webhooks/WebhookSettings.ts"
import { type Activation, Fenced } from "../../../src/engine/actors/ActorKind.ts"
import { besideTransaction } from "../../../src/platform/sql/besideTransaction.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { layerDatabase } from "../../support/database.ts"
import { crossing } from "../../support/locks.ts"
import { eventually, quickSettings, seedHook, seedOrgWithApp } from "./support/harness.ts"
import { waiting } from "./support/waiting.ts"

const Setting = Layer.mergeAll(layerDatabase, Layer.succeed(WebhookSettings, { ...quickSettings, slots: 32 }))

/** Due deliveries of a hook: `tries` 0 are first attempts. */
const queue = Effect.fnUntraced(function* (
  appId: number,
  hookId: number,
  tries: number,
  firstEvent: number,
  count: number
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    WITH e AS (SELECT ${firstEvent}::bigint + i AS event_id FROM generate_series(0, ${count - 1}::int) AS i),
    d AS (
      INSERT INTO webhook_deliveries (hook_id, event_id, type, status, payload, created_on)
      SELECT ${hookId}::bigint, event_id, 'record.create', 'queued', '{}', now() FROM e)
    INSERT INTO webhook_queue (hook_id, event_id, app_id, ordered, blocked, tries, due_at)
    SELECT ${hookId}::bigint, event_id, ${appId}::bigint, false, false, ${tries}::int, now() - interval '1 minute' FROM e`
})

const setting = Effect.gen(function* () {
  const app = yield* seedOrgWithApp()
  const { hookId } = yield* seedHook(app, "record.create", "https://93.184.215.14/in")
  const settings = yield* WebhookSettings
  const { askDeliveries } = yield* makeClaim(settings)
  const sql = yield* SqlClient.SqlClient
  const key = `webhooks/app/${app.appId}`
  yield* sql`
    INSERT INTO actors (actor_key, kind, id, state, fence) VALUES (${key}, 'webhooks/app', ${String(app.appId)}, 'awake', 1)`
  const statement: Activation["statement"] = (effect, held) =>
    Effect.filterOrFail(effect, held, () => new Fenced({ actorKey: key }))
  const activation = { id: String(app.appId), key, fence: 1, statement }
  const claimOptions = { now: new Date(), minClaims: 0, maxClaims: 1 }
  /** Rows of a claim with a fence that another activation has raised. */
  const fenced = askDeliveries({ ...activation, fence: 2 }, { ...claimOptions, limit: 5 }, new Map(), 0)
  const claim = (limit: number, held: ReadonlyMap<number, InFlight> = new Map()) =>
    Effect.map(
      statement(
        askDeliveries(activation, { limit, now: new Date(), minClaims: 0, maxClaims: 1 }, held, 0),
        (rows) => rows.length > 0
      ),
      (rows) => claimOf(settings, rows).rows
    )
  return { activation, app, appId: app.appId, hookId, claim, fenced, sql }
})

const retriesOf = (rows: ReadonlyArray<{ readonly tries: number }>) => rows.filter(({ tries }) => tries > 0).length

layer(Setting, { excludeTestServices: true })("the next deliveries (W2, W4)", (it) => {
  it.effect("a claim locks the window of the app before rows of the queue, as a fan-out does", () =>
    Effect.gen(function* () {
      const { appId, claim, hookId, sql } = yield* setting
      yield* queue(appId, hookId, 0, 3_000, 2)
      yield* claim(1)
      const window = sql`SELECT 1 FROM webhook_windows WHERE app_id = ${appId} FOR NO KEY UPDATE`
      const rows = sql`SELECT 1 FROM webhook_queue WHERE hook_id = ${hookId} AND event_id = 3001 FOR SHARE`
      assert.strictEqual((yield* crossing(window, besideTransaction(sql)(claim(1)), rows)).length, 1)
    })
  )

  it.effect("the first fan-out of an app holds the window too, which is not there yet", () =>
    Effect.gen(function* () {
      const { activation, appId, claim, hookId, sql } = yield* setting
      yield* queue(appId, hookId, 0, 4_000, 1)
      yield* sql`UPDATE webhook_queue SET record_id = 77, ordered = true WHERE hook_id = ${hookId}`
      const { holdRecords } = makeQueueDeliveries(yield* Sql)
      const insertBundles = yield* makeInsertBundles(yield* WebhookSettings)
      // One goes behind the delivery in the queue, the other is sent from its bundle.
      const lateDelivery = { hook_id: hookId, app_id: appId, record_id: 77, type: "record.update" }
      const nowDate = new Date()
      const bundle = {
        event_id: 4_001,
        record_id: 78,
        type: "record.create" as const,
        created_on: nowDate,
        hooks: [hookId]
      }
      let isInserted = false
      const claimedRows = yield* crossing(
        Effect.all(holdRecords([], [lateDelivery])),
        besideTransaction(sql)(claim(1)),
        Effect.tap(insertBundles(activation, [{ ...bundle, rest: "}", traceparent: null }], nowDate), () =>
          Effect.sync(() => {
            isInserted = true
          })
        )
      )
      assert.deepStrictEqual([claimedRows.length, isInserted], [1, true])
      const windows = yield* sql`SELECT used, cap > 0 AS capped FROM webhook_windows WHERE app_id = ${appId}`
      assert.deepStrictEqual(windows, [{ used: 2, capped: true }])
    })
  )

  describe("within a hook", () => {
    it.effect("a steady stream of new events leaves every eighth place to a retry, so that none waits for ever", () =>
      Effect.gen(function* () {
        const { appId, claim, hookId } = yield* setting
        yield* queue(appId, hookId, 0, 1_000, 200)
        yield* queue(appId, hookId, 1, 1, 20)
        const rows = yield* claim(16)
        assert.deepStrictEqual([rows.length, retriesOf(rows)], [16, 2])
        // One at a time, as places come free, it is no other.
        let state = nothingInFlight
        const order: Array<"new" | "retry"> = []
        for (let i = 0; i < 16; i++) {
          const [row] = yield* claim(1, new Map([[hookId, state]]))
          const retry = row!.tries > 0
          order.push(retry ? "retry" : "new")
          state = addInFlight(addInFlight(state, 1, retry), -1, retry)
        }
        const seven = Array.from({ length: 7 }, () => "new" as const)
        assert.deepStrictEqual(order, [...seven, "retry", ...seven, "retry"])
      })
    )

    it.effect("retries hold half of its share at most, so that new events find a place while retries hang", () =>
      Effect.gen(function* () {
        const { appId, claim, hookId } = yield* setting
        yield* queue(appId, hookId, 1, 1, 50)
        // Alone it has half of the 32 places.
        assert.deepStrictEqual(retriesOf(yield* claim(32)), 8)
        assert.lengthOf(yield* claim(24, new Map([[hookId, { places: 8, retries: 8, fresh: 0 }]])), 0)
        yield* queue(appId, hookId, 0, 1_000, 50)
        const rows = yield* claim(24, new Map([[hookId, { places: 8, retries: 8, fresh: 0 }]]))
        assert.deepStrictEqual([rows.length, retriesOf(rows)], [8, 0])
      })
    )
  })

  it.effect("hooks take turns, whatever waits at each", () =>
    Effect.gen(function* () {
      const { appId, claim, hookId } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const [org] = yield* sql<{ org_id: number }>`SELECT org_id FROM apps WHERE app_id = ${appId}`
      const other = yield* seedHook({ appId, orgId: org!.org_id }, "record.create", "https://93.184.215.14/other")
      yield* queue(appId, hookId, 0, 1, 100)
      yield* queue(appId, other.hookId, 0, 1, 3)
      const rows = yield* claim(8)
      assert.strictEqual(rows.filter(({ hook_id }) => hook_id === other.hookId).length, 3)
    })
  )

  it.effect("are nobody's whose fence is another one: nothing is written", () =>
    Effect.gen(function* () {
      const { appId, fenced, hookId, sql } = yield* setting
      yield* queue(appId, hookId, 0, 1, 3)
      assert.deepStrictEqual(yield* fenced, [])
      const rows = yield* sql<{ claims: number }>`SELECT DISTINCT claims FROM webhook_queue WHERE app_id = ${appId}`
      assert.deepStrictEqual(rows, [{ claims: 0 }])
    })
  )

  describe("a second POST of one attempt (W4)", () => {
    /** Of a hook with a window of its own, of which one place is taken. */
    const windows = Effect.gen(function* () {
      const { appId, claim, hookId, sql } = yield* setting
      const another = yield* makeReserveSecondPost
      yield* sql`UPDATE hooks SET per_minute = 10 WHERE hook_id = ${hookId}`
      yield* queue(appId, hookId, 0, 1, 3)
      yield* claim(1)
      const used = Effect.map(
        sql<{ app: number; own: number }>`
          SELECT w.used AS app, o.used AS own FROM webhook_windows w, hook_windows o WHERE app_id = ${appId} AND hook_id = ${hookId}`,
        ([row]) => row!
      )
      return { another: another(appId, hookId), appId, claim, hookId, sql, used }
    })

    it.effect("stays counted beside a claim that began before it was", () =>
      Effect.gen(function* () {
        const { another, claim, sql, used } = yield* windows
        const blocked = yield* waiting(sql)
        const rowsCounted = yield* Deferred.make<void>()
        const goOn = yield* Deferred.make<void>()
        const second = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              assert.isTrue(yield* another)
              yield* Deferred.succeed(rowsCounted, undefined)
              yield* Deferred.await(goOn)
            })
          )
        )
        yield* Deferred.await(rowsCounted)
        const claiming = yield* Effect.forkChild(claim(2))
        yield* eventually("the claim waits for the window", blocked, (n) => n === 1)
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(second)
        assert.lengthOf(yield* Fiber.join(claiming), 2)
        assert.deepStrictEqual(yield* used, { app: 4, own: 4 })
      })
    )

    it.effect("begins the next window where the one that it was claimed in is over", () =>
      Effect.gen(function* () {
        const { another, appId, claim, hookId, sql, used } = yield* windows
        yield* sql`UPDATE webhook_windows SET used = cap, window_start = now() - interval '2 minutes' WHERE app_id = ${appId}`
        yield* sql`UPDATE hook_windows SET used = 10, window_start = now() - interval '2 minutes' WHERE hook_id = ${hookId}`
        assert.isTrue(yield* another)
        assert.deepStrictEqual(yield* used, { app: 1, own: 1 })
        yield* claim(1)
        assert.deepStrictEqual(yield* used, { app: 2, own: 2 })
        yield* sql`UPDATE webhook_windows SET used = cap WHERE app_id = ${appId}`
        assert.isFalse(yield* another)
      })
    )
  })

  describe("what has to wait", () => {
    it.effect("is left: for its record, its time, its hook, its hook's window or the app's", () =>
      Effect.gen(function* () {
        const { app, appId, claim, hookId, sql } = yield* setting
        const otherHookIds: Array<number> = []
        for (const state of ["paused_on = now()", "status = 'inactive'"]) {
          const { hookId: other } = yield* seedHook(app, "record.create", "https://93.184.215.14/other")
          yield* sql.unsafe(`UPDATE hooks SET ${state} WHERE hook_id = ${other}`)
          otherHookIds.push(other)
        }
        const { hookId: paced } = yield* seedHook(app, "record.create", "https://93.184.215.14/paced")
        yield* sql`UPDATE hooks SET per_minute = 2 WHERE hook_id = ${paced}`
        for (const id of [hookId, paced, ...otherHookIds]) yield* queue(appId, id, 0, 1, 4)
        yield* sql`UPDATE webhook_queue SET blocked = true WHERE hook_id = ${hookId} AND event_id = 1`
        yield* sql`UPDATE webhook_queue SET due_at = now() + interval '1 hour' WHERE hook_id = ${hookId} AND event_id = 2`
        const claimed = (yield* claim(20)).map(({ event_id, hook_id }) => `${hook_id} ${event_id}`).sort()
        assert.deepStrictEqual(claimed, [`${hookId} 3`, `${hookId} 4`, `${paced} 1`, `${paced} 2`].sort())
        const [window] = yield* sql<{ used: number }>`SELECT used FROM webhook_windows WHERE app_id = ${appId}`
        assert.strictEqual(window!.used, 4)
        yield* queue(appId, hookId, 0, 5, 1)
        yield* sql`UPDATE webhook_windows SET used = cap WHERE app_id = ${appId}`
        assert.deepStrictEqual(yield* claim(20), [])
      })
    )
  })
})

// decisions W1, W3, W4, W5, W8, W10 of deliveries that go straight from the fan-out to an activation that is awake (docs/architecture/flow.md,
// "Bundles"): one row for all of an event, until they are over or somebody else looks at them.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Deliveries } from "../../../../src/domain/webhooks/Deliveries.ts"
import { deliveryId } from "../../../../src/domain/webhooks/Delivery.ts"
import { PER_MINUTE_LIMIT } from "../../../../src/domain/webhooks/WebhookSettings.ts"
import { makeWithheldDeliveries } from "../../../../src/domain/webhooks/withheldDeliveries.ts"
import { waitingBehindMe } from "../../../support/locks.ts"
import { answers } from "../../../support/receiver.ts"
import { awake, bundlesOf, holding, logOf, queueOf, tell } from "../support/bundled.ts"
import { eventually, layerSpine, quickSettings, seedHook, statuses } from "../support/harness.ts"

layer(layerSpine({ tuning: { lingerMillis: 20_000 } }), { excludeTestServices: true })("bundles", (it) => {
  it.effect("are one row while deliveries are in the air; the log's are written as they end (W8)", () =>
    Effect.gen(function* () {
      const { app, receiver } = yield* awake()
      const answer = holding(receiver, "/slow")
      const slow = yield* seedHook(app, "record.create", `${receiver.origin}/slow`)
      const quick = yield* seedHook(app, "record.create", `${receiver.origin}/quick`)
      yield* tell(app, ["record.create", 7, 0])
      const log = yield* eventually("the quick one is over", logOf(quick.hookId), (rows) => rows.length === 1)
      const [request] = receiver.of("/quick")
      assert.strictEqual(request!.headers["webhook-id"], deliveryId(quick.hookId, log[0]!.event_id))
      assert.deepStrictEqual(log, [
        { event_id: log[0]!.event_id, status: "delivered", payload: request!.body, num_attempts: 1, attempts: 1 }
      ])
      assert.deepStrictEqual(yield* bundlesOf(app), [{ hooks: [slow.hookId] as never }])
      assert.deepStrictEqual(yield* logOf(slow.hookId), [])
      assert.deepStrictEqual(yield* queueOf(app), [])
      answer(200)
      yield* eventually("the slow one is over", statuses(slow.hookId), ({ delivered }) => delivered === 1)
      assert.deepStrictEqual(yield* bundlesOf(app), [])
      assert.lengthOf(receiver.of("/slow"), 1)
    })
  )

  it.effect(
    "stay whole when the log is read: a delivery in the air is shown as queued, and is not sent again (W8)",
    () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries
        const { app, receiver } = yield* awake()
        const answer = holding(receiver, "/slow")
        const { hookId } = yield* seedHook(app, "record.create", `${receiver.origin}/slow`)
        yield* tell(app, ["record.create", 7, 0])
        yield* eventually(
          "it is in the air",
          bundlesOf(app),
          (rows) => rows.length === 1 && receiver.of("/slow").length === 1
        )
        const { deliveries: found, total } = yield* deliveries.list(hookId, {}, { limit: 10 })
        assert.deepStrictEqual(
          [total, found.map(({ num_attempts, payload, status }) => [status, num_attempts, JSON.stringify(payload)])],
          [1, [["queued", 0, receiver.of("/slow")[0]!.body]]]
        )
        assert.deepStrictEqual((yield* deliveries.get(found[0]!.delivery_id)).attempts, [])
        assert.deepStrictEqual([yield* queueOf(app), (yield* bundlesOf(app)).length], [[], 1])
        answer(200)
        yield* eventually("it is over", statuses(hookId), ({ delivered }) => delivered === 1)
        assert.lengthOf((yield* deliveries.get(found[0]!.delivery_id)).attempts, 1)
        assert.deepStrictEqual(yield* queueOf(app), [])
        assert.lengthOf(receiver.of("/slow"), 1)
      })
  )

  it.effect("one that fails is tried again with its id, the others of its event are not (W1, W2)", () =>
    Effect.gen(function* () {
      const { app, receiver } = yield* awake()
      const failing = yield* seedHook(app, "record.create", `${receiver.origin}/failing`)
      const good = yield* seedHook(app, "record.create", `${receiver.origin}/good`)
      receiver.on("/failing", (request, response) =>
        answers.status(receiver.of("/failing").length === 1 ? 500 : 204)(request, response)
      )
      yield* tell(app, ["record.create", 7, 0])
      yield* eventually("the second try", statuses(failing.hookId), ({ delivered }) => delivered === 1)
      const [log] = yield* logOf(failing.hookId)
      assert.deepStrictEqual([log!.num_attempts, log!.attempts], [2, 2])
      assert.strictEqual(new Set(receiver.of("/failing").map(({ headers }) => headers["webhook-id"])).size, 1)
      yield* eventually("the other one", statuses(good.hookId), ({ delivered }) => delivered === 1)
      assert.lengthOf(receiver.of("/good"), 1)
      assert.deepStrictEqual([...(yield* bundlesOf(app)), ...(yield* queueOf(app))], [])
    })
  )

  it.effect("what comes of a record waits for its delivery in the air, in one batch or in two (W3)", () =>
    Effect.gen(function* () {
      const { app, receiver } = yield* awake()
      const answer = holding(receiver, "/updates")
      yield* seedHook(app, "record.update", `${receiver.origin}/updates`)
      yield* tell(app, ["record.update", 7, 1])
      yield* eventually("the first is in the air", bundlesOf(app), () => receiver.of("/updates").length === 1)
      yield* tell(app, ["record.update", 7, 2], ["record.update", 7, 3], ["record.update", 8, 1])
      const revisions = () =>
        receiver.of("/updates").map(({ body }) => [JSON.parse(body).record_id, JSON.parse(body).revision_id])
      yield* eventually("the other record's", Effect.sync(revisions), (sent) => sent.length === 2)
      assert.deepStrictEqual(revisions(), [
        [7, 1],
        [8, 1]
      ])
      const queueRows = yield* eventually(
        "two wait",
        queueOf(app),
        (rows) => rows.filter(({ blocked }) => blocked).length === 2
      )
      assert.deepStrictEqual(queueRows.filter(({ blocked }) => !blocked).length, 1)
      for (const expectedCount of [3, 4]) {
        answer(204)
        yield* eventually("the next", Effect.sync(revisions), (all) => all.length === expectedCount)
      }
      assert.deepStrictEqual(revisions().slice(2), [
        [7, 2],
        [7, 3]
      ])
      answer(204)
      yield* eventually("nothing waits", queueOf(app), (rows) => rows.length === 0)
      assert.deepStrictEqual(yield* bundlesOf(app), [])
    })
  )

  it.effect("of a hook that loses its verification are withheld, also what fails then (W5)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const withhold = yield* makeWithheldDeliveries
      const { app, receiver } = yield* awake()
      const answer = holding(receiver, "/lost")
      const { hookId } = yield* seedHook(app, "record.create", `${receiver.origin}/lost`)
      yield* tell(app, ["record.create", 7, 0])
      yield* eventually(
        "it is in the air",
        bundlesOf(app),
        (rows) => rows.length === 1 && receiver.of("/lost").length === 1
      )
      yield* sql.withTransaction(
        Effect.andThen(
          sql`UPDATE hooks SET status = 'inactive' WHERE hook_id = ${hookId}`,
          withhold(hookId, new Date())
        )
      )
      assert.deepStrictEqual(yield* statuses(hookId), { withheld: 1 })
      answer(500)
      const [log] = yield* eventually("its attempt", logOf(hookId), ([row]) => row?.attempts === 1)
      assert.strictEqual(log!.status, "withheld")
      assert.deepStrictEqual([...(yield* bundlesOf(app)), ...(yield* queueOf(app))], [])
    })
  )

  it.effect("the next activation finds what the last one had in the air (W10)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { app, receiver } = yield* awake()
      const answer = holding(receiver, "/twice")
      const { hookId } = yield* seedHook(app, "record.create", `${receiver.origin}/twice`)
      yield* tell(app, ["record.create", 7, 0])
      yield* eventually(
        "it is in the air",
        bundlesOf(app),
        (rows) => rows.length === 1 && receiver.of("/twice").length === 1
      )
      yield* sql`UPDATE actors SET fence = fence + 1, state = 'called', called_at = now() - interval '1 minute'
        WHERE actor_key = ${`webhooks/app/${app.appId}`}`
      assert.deepStrictEqual([yield* bundlesOf(app), (yield* queueOf(app)).map(({ claims }) => claims)], [[], [1]])
      assert.deepStrictEqual(yield* statuses(hookId), { queued: 1 })
      receiver.on("/twice", answers.status(204))
      answer(204)
      yield* eventually("it is delivered", statuses(hookId), ({ delivered }) => delivered === 1)
      assert.strictEqual(new Set(receiver.of("/twice").map(({ headers }) => headers["webhook-id"])).size, 1)
      assert.deepStrictEqual(yield* queueOf(app), [])
    })
  )

  it.effect("are for what the window has room for; otherwise all of it waits in the queue (W4)", () =>
    Effect.gen(function* () {
      const { app, receiver } = yield* awake({ [PER_MINUTE_LIMIT]: 3 })
      for (const path of ["/a", "/b", "/c"]) yield* seedHook(app, "record.create", `${receiver.origin}${path}`)
      yield* tell(app, ["record.create", 7, 0])
      yield* eventually(
        "two have gone",
        Effect.sync(() => receiver.received.length),
        (sent) => sent === 3
      )
      const remainingRows = yield* eventually("one waits", queueOf(app), (rows) => rows.length === 1)
      assert.strictEqual(remainingRows[0]!.claims, 0)
      assert.deepStrictEqual(yield* bundlesOf(app), [])
    })
  )

  it.effect("of a hook that was paused meanwhile wait in the queue (W12)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { app, receiver } = yield* awake()
      const answer = holding(receiver, "/one-place")
      const { hookId } = yield* seedHook(app, "record.create", `${receiver.origin}/one-place`)
      // More than its share of the places, so that some wait for one.
      yield* tell(app, ...Array.from({ length: 200 }, (_, i) => ["record.create", i + 1, 0] as const))
      const inAir = yield* eventually(
        "its places are taken",
        Effect.sync(() => receiver.of("/one-place").length),
        (n) => n >= 64
      )
      yield* sql`UPDATE hooks SET paused_on = now() WHERE hook_id = ${hookId}`
      yield* Effect.sleep("150 millis")
      answer(204)
      yield* eventually("those in the air are over", statuses(hookId), ({ delivered }) => delivered === inAir)
      yield* eventually(
        "the others wait",
        queueOf(app),
        (rows) => rows.filter(({ claims }) => claims === 0).length === 200 - inAir
      )
      assert.deepStrictEqual(yield* bundlesOf(app), [])
      assert.lengthOf(receiver.of("/one-place"), inAir)
    })
  )

  it.effect(
    "of an event that waits is given back; the one in the air, whose result comes meanwhile, is over (W1)",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { app, receiver } = yield* awake()
        holding(receiver, "/busy")
        const busy = yield* seedHook(app, "record.create", `${receiver.origin}/busy`)
        yield* tell(app, ...Array.from({ length: 200 }, (_, i) => ["record.create", i + 1, 0] as const))
        const sentTo = (path: string) => Effect.sync(() => receiver.of(path).length)
        yield* eventually("its slots are taken", sentTo("/busy"), (sent) => sent >= 64)
        const answer = holding(receiver, "/quick")
        const quick = yield* seedHook(app, "record.create", `${receiver.origin}/quick`)
        yield* tell(app, ["record.create", 1_000, 0])
        yield* eventually("it is in the air", sentTo("/quick"), (sent) => sent === 1)
        const lockTaken = yield* Deferred.make<void>()
        yield* Effect.forkChild(
          Effect.andThen(
            Deferred.await(lockTaken),
            sql`UPDATE hooks SET paused_on = now() WHERE hook_id = ${busy.hookId}`
          )
        )
        const attempts = sql`SELECT 1 FROM webhook_attempts WHERE hook_id = ${quick.hookId}`
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM webhook_bundles WHERE ${quick.hookId} = ANY(hooks) FOR UPDATE`
            yield* Deferred.succeed(lockTaken, undefined)
            yield* eventually("the waiting ones are given back", waitingBehindMe, (rows) => rows.length === 1)
            answer(204)
            yield* eventually(
              "its result is written, or waits for that",
              Effect.all([attempts, waitingBehindMe]),
              ([rows, waiting]) => rows.length === 1 || waiting.length === 2
            )
          })
        )
        yield* eventually("all are in the queue", bundlesOf(app), (rows) => rows.length === 0)
        yield* eventually("it is over", attempts, (rows) => rows.length === 1)
        assert.deepStrictEqual(yield* statuses(quick.hookId), { delivered: 1 })
        assert.deepStrictEqual(
          (yield* queueOf(app)).filter(({ hook_id }) => hook_id === quick.hookId),
          []
        )
      })
  )

  it.effect("take turns with what waits in the queue: together they have the places that there are (W3)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { app, receiver } = yield* awake()
      const hooks = [
        yield* seedHook(app, "record.create", `${receiver.origin}/a`),
        yield* seedHook(app, "record.create", `${receiver.origin}/b`)
      ]
      let inAir = 0
      let most = 0
      for (const path of ["/a", "/b"])
        receiver.on(path, (_, response) => {
          inAir++
          most = Math.max(most, inAir)
          setTimeout(() => {
            inAir--
            response.writeHead(204).end()
          }, 20)
        })
      const fence = Effect.map(
        sql<{ fence: number }>`SELECT fence FROM actors WHERE actor_key = ${`webhooks/app/${app.appId}`}`,
        ([row]) => row!.fence
      )
      const fenceBefore = yield* fence
      const creates = (first: number, count: number) =>
        tell(app, ...Array.from({ length: count }, (_, i) => ["record.create", first + i, 0] as const))
      yield* sql`UPDATE hooks SET paused_on = now() WHERE app_id = ${app.appId} AND type = 'record.create'`
      yield* creates(1, 400)
      yield* eventually("all wait in the queue", queueOf(app), (rows) => rows.length === 800)
      yield* sql`UPDATE hooks SET paused_on = NULL WHERE app_id = ${app.appId}`
      for (const round of [1, 2, 3, 4]) yield* creates(1_000 * round, 100)
      for (const { hookId } of hooks)
        yield* eventually("all are over", statuses(hookId), ({ delivered }) => delivered === 800)
      assert.isAtMost(most, quickSettings.slots)
      assert.strictEqual(yield* fence, fenceBefore)
      // Whatever came late on a busy machine is an attempt of its own: nothing is sent that the log does not know.
      const logs = yield* Effect.forEach(hooks, ({ hookId }) => logOf(hookId))
      const attempts = logs.flat().reduce((sum, row) => sum + row.attempts, 0)
      assert.strictEqual(receiver.received.length, 1 + attempts)
    })
  )
})

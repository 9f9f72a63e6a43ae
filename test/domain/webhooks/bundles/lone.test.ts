// decisions W1, W3, W4, W5, W10, W12, W13 of an event that comes alone for an activation with nothing to send (docs/architecture.md, "A lone event"): a
// bundle written by the statement that takes it; whatever is special about it, and it is fanned out as ever.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { bodyOf, type NotifiedEvent } from "../../../../src/domain/webhooks/events.ts"
import { PER_MINUTE_LIMIT } from "../../../../src/domain/webhooks/settings.ts"
import { answers } from "../../../support/receiver.ts"
import { takenAlone } from "../../../support/takenAlone.ts"
import { type App, awake, bundlesOf, holding, logOf, queueOf, tell } from "../support/bundled.ts"
import { eventually, layerSpine, seedHook, statuses } from "../support/harness.ts"

const windowOf = (app: App) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql<{ used: number }>`SELECT used FROM webhook_windows WHERE app_id = ${app.appId}`,
      ([row]) => row?.used
    )
  )

layer(layerSpine({ tuning: { lingerMillis: 20_000 } }), { excludeTestServices: true })("a lone event", (it) => {
  it.effect("is sent as any other, from a row that is under the activation's fence until it is over (W8)", () =>
    Effect.gen(function* () {
      const { app, receiver } = yield* awake()
      const answer = holding(receiver, "/all")
      const ids = new Map<string, number>()
      for (const type of ["record.create", "record.update", "record.delete", "record.restore"] as const)
        ids.set(type, (yield* seedHook(app, type, `${receiver.origin}/all`)).hookId)
      const before = yield* windowOf(app)
      let sent = 0
      for (const type of ["record.create", "record.update", "record.restore"] as const) {
        const hookId = ids.get(type)!
        for (let from = takenAlone(); takenAlone() === from; ) {
          const record = 70 + sent
          yield* tell(app, [type, record, sent])
          yield* eventually(
            "it is in the air",
            Effect.sync(() => receiver.of("/all").length),
            (n) => n === sent + 1
          )
          if (takenAlone() > from)
            assert.deepStrictEqual([(yield* bundlesOf(app)).length, yield* queueOf(app)], [1, []])
          const event = { type, record_id: record, payload: { revision: sent } } as unknown as NotifiedEvent
          const { body } = receiver.of("/all")[sent]!
          assert.strictEqual(body, JSON.stringify(bodyOf(hookId, event)))
          answer(204)
          const log = yield* eventually(
            "it is over",
            logOf(hookId),
            (rows) => rows.at(-1)?.payload === body && rows.at(-1)!.status === "delivered"
          )
          const { event_id, ...logged } = log.at(-1)!
          assert.isAbove(event_id, 0)
          assert.deepStrictEqual(logged, { status: "delivered", payload: body, num_attempts: 1, attempts: 1 })
          assert.deepStrictEqual(yield* bundlesOf(app), [])
          assert.isBelow(++sent, 50)
        }
      }
      assert.strictEqual(yield* windowOf(app), before! + sent)
    })
  )

  it.effect("waits for the one before it of its record, and keeps their order (W3)", () =>
    Effect.gen(function* () {
      const { app, receiver } = yield* awake()
      const answer = holding(receiver, "/updates")
      yield* seedHook(app, "record.update", `${receiver.origin}/updates`)
      const revisions = () => receiver.of("/updates").map(({ body }) => JSON.parse(body).revision_id)
      yield* tell(app, ["record.update", 7, 1])
      yield* eventually("the first", Effect.sync(revisions), (sent) => sent.length === 1)
      for (const revision of [2, 3]) yield* tell(app, ["record.update", 7, revision])
      yield* eventually("two wait", queueOf(app), (rows) => rows.filter(({ blocked }) => blocked).length === 2)
      for (const sent of [2, 3]) {
        answer(204)
        yield* eventually("the next", Effect.sync(revisions), (all) => all.length === sent)
      }
      answer(204)
      yield* eventually("nothing waits", queueOf(app), (rows) => rows.length === 0)
      assert.deepStrictEqual(revisions(), [1, 2, 3])
    })
  )

  it.effect("that fails is tried again with its id (W1, W2)", () =>
    Effect.gen(function* () {
      const { app, receiver } = yield* awake()
      const { hookId } = yield* seedHook(app, "record.create", `${receiver.origin}/failing`)
      const ids = () => receiver.of("/failing").map(({ headers }) => headers["webhook-id"])
      receiver.on("/failing", (request, response) =>
        answers.status(ids().filter((id) => id === request.headers["webhook-id"]).length === 1 ? 500 : 204)(
          request,
          response
        )
      )
      const from = takenAlone()
      for (let sent = 1; takenAlone() === from; sent++) {
        assert.isBelow(sent, 50)
        yield* tell(app, ["record.create", 70 + sent, 0])
        yield* eventually("the second try", statuses(hookId), ({ delivered }) => delivered === sent)
        assert.deepStrictEqual([ids().length, new Set(ids()).size], [2 * sent, sent])
      }
    })
  )

  it.effect("is found by the next activation, where the last one had it in the air (W10)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { app, receiver } = yield* awake()
      holding(receiver, "/twice")
      const { hookId } = yield* seedHook(app, "record.create", `${receiver.origin}/twice`)
      yield* tell(app, ["record.create", 7, 0])
      yield* eventually("it is in the air", bundlesOf(app), () => receiver.of("/twice").length === 1)
      receiver.on("/twice", answers.status(204))
      yield* sql`UPDATE actors SET fence = fence + 1, state = 'called', called_at = now() - interval '1 minute'
        WHERE actor_key = ${`webhooks/app/${app.appId}`}`
      assert.deepStrictEqual([yield* bundlesOf(app), yield* statuses(hookId)], [[], { queued: 1 }])
      yield* eventually("it is delivered", statuses(hookId), ({ delivered }) => delivered === 1)
      assert.strictEqual(new Set(receiver.of("/twice").map(({ headers }) => headers["webhook-id"])).size, 1)
    })
  )

  it.effect("for which the window has no room waits in the queue (W4)", () =>
    Effect.gen(function* () {
      const { app, receiver } = yield* awake({ [PER_MINUTE_LIMIT]: 2 })
      for (const path of ["/a", "/b"]) yield* seedHook(app, "record.create", `${receiver.origin}${path}`)
      const from = takenAlone()
      yield* tell(app, ["record.create", 7, 0])
      yield* eventually("one waits", queueOf(app), (rows) => rows.length === 1 && receiver.received.length === 2)
      assert.deepStrictEqual([takenAlone(), yield* bundlesOf(app)], [from, []])
    })
  )

  it.effect("for a hook that is paused, lost, filtered or paced is fanned out as ever (W5, W12, W13)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { app, receiver } = yield* awake()
      const { hookId } = yield* seedHook(app, "record.update", `${receiver.origin}/special`)
      const from = takenAlone()
      const set = (settings: string) => sql.unsafe(`UPDATE hooks SET ${settings} WHERE hook_id = ${hookId}`)
      yield* set("only_fields = '[4]'")
      yield* tell(app, ["record.update", 7, 1])
      yield* eventually(
        "it is left out",
        sql`SELECT 1 FROM hook_mismatches WHERE hook_id = ${hookId}`,
        (r) => r.length === 1
      )
      yield* set("only_fields = NULL, paused_on = now()")
      yield* tell(app, ["record.update", 7, 2])
      yield* eventually("it waits", queueOf(app), (rows) => rows.length === 1)
      yield* set("paused_on = NULL, status = 'inactive'")
      yield* tell(app, ["record.update", 8, 3])
      yield* eventually("it is withheld", statuses(hookId), ({ withheld }) => withheld === 1)
      assert.lengthOf(receiver.of("/special"), 0)
      yield* set("status = 'active', at_once = 1")
      yield* tell(app, ["record.update", 9, 4])
      yield* eventually("it is sent", statuses(hookId), ({ delivered }) => (delivered ?? 0) > 0)
      assert.deepStrictEqual([takenAlone(), yield* bundlesOf(app)], [from, []])
    })
  )

  it.effect("whose hook somebody holds waits for him in a batch, and nobody else with it (W5)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { app, receiver } = yield* awake()
      const { hookId } = yield* seedHook(app, "record.create", `${receiver.origin}/held`)
      const from = takenAlone()
      const [holds, free] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* sql
        .withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM hooks WHERE hook_id = ${hookId} FOR UPDATE`
            yield* Deferred.succeed(holds, undefined)
            yield* Deferred.await(free)
          })
        )
        .pipe(Effect.forkChild)
      yield* Deferred.await(holds)
      yield* tell(app, ["record.create", 7, 0])
      yield* eventually(
        "the batch waits",
        sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM hooks h WHERE app_id = ANY%'`,
        (rows) => rows.length === 1
      )
      yield* Deferred.succeed(free, undefined)
      yield* Fiber.join(holder)
      yield* eventually("it is delivered", statuses(hookId), ({ delivered }) => delivered === 1)
      assert.strictEqual(takenAlone(), from)
    })
  )

  it.effect("of which an activation of another process was told is not this one's (W10)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { app, receiver } = yield* awake()
      const { hookId } = yield* seedHook(app, "record.create", `${receiver.origin}/elsewhere`)
      const from = takenAlone()
      yield* sql.withTransaction(
        Effect.andThen(
          sql`UPDATE actors SET fence = fence + 1, state = 'called', called_at = now() WHERE actor_key = ${`webhooks/app/${app.appId}`}`,
          tell(app, ["record.create", 7, 0])
        )
      )
      yield* eventually("it is delivered", statuses(hookId), ({ delivered }) => delivered === 1)
      assert.strictEqual(takenAlone(), from)
    })
  )
})

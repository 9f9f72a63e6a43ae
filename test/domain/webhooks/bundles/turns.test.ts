// decisions W1; docs/architecture/flow.md, "Bundles": bundles and the queue take turns, and a bundle that comes to an idle activation is sent
// without a claim of the queue before it.
import { assert, layer } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { SqlClient } from "effect/sql"
import { TAKEN_AT_ONCE } from "../../../../src/domain/webhooks/bundles/bundleQueue.ts"
import { webhooksKind } from "../../../../src/domain/webhooks/webhooksActor.ts"
import type { Activation, ActorKind, DirectFanOut } from "../../../../src/engine/actors/ActorKind.ts"
import { eventually } from "../../../support/eventually.ts"
import { layerSpine, seedHook, seedOrgWithApp, target } from "../support/harness.ts"
import { recordEvent } from "../support/seed.ts"

/** An activation without a workflow that counts its claims of the queue. */
const activationOf = Effect.fnUntraced(function* (app: { readonly orgId: number; readonly appId: number }) {
  const sql = yield* SqlClient.SqlClient
  const key = `webhooks/app/${app.appId}`
  yield* sql`
    INSERT INTO actors (actor_key, kind, id, state, fence) VALUES (${key}, 'webhooks/app', ${String(app.appId)}, 'awake', 1)`
  let claims = 0
  let stops = 0
  const looks = yield* Queue.unbounded<number>()
  const statement = <A, E, R>(effect: Effect.Effect<A, E, R>) => effect
  const claim = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.tap(effect, () => Effect.sync(() => claims++))
  const commit = <A, E, R>(effect: Effect.Effect<A, E, R>) => sql.withTransaction(effect)
  const activation = {
    ...{ id: String(app.appId), key, fence: 1, orgId: app.orgId, orderly: true },
    ...{ statement, commit, claim: statement, once: { claim, commit, statement } },
    batched: () => Effect.succeed(() => () => undefined),
    lookAt: (at: number) => Effect.asVoid(Queue.offer(looks, at)),
    stop: Effect.sync(() => void stops++),
    stopping: Effect.succeed(false)
  } as unknown as Activation
  return { activation, claims: () => claims, looks, stops: () => stops }
})

/** The fan-out of a record that is created, and the outcome of its transaction as its process knows it. */
const offerEvent = Effect.fnUntraced(function* (
  kind: ActorKind,
  app: { readonly orgId: number; readonly appId: number },
  record_id: number,
  outcome: Parameters<DirectFanOut["ended"]>[0] = "committed"
) {
  const sql = yield* SqlClient.SqlClient
  const about = { org_id: app.orgId, app_id: app.appId, record_id }
  const event = {
    ...recordEvent({ ...about, type: "record.create", revision: 0 }),
    event_id: app.appId * 1_000_000 + record_id,
    created_on: new Date()
  }
  const fannedOut = yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT set_config('millrace.apps', ${`{${app.appId}}`}, true)`
      const fanOut = yield* kind.look
      const fanOutRows = yield* fanOut([event])
      if (outcome === "committed") yield* Effect.all(fanOutRows.writes)
      return fanOutRows
    })
  )
  fannedOut.direct?.ended(outcome)
})

layer(layerSpine(), { excludeTestServices: true })("bundles and the queue", (it) => {
  it.effect("take turns: an idle activation sends each new bundle before it claims again", () =>
    Effect.gen(function* () {
      const kind = yield* webhooksKind
      const app = yield* seedOrgWithApp()
      const { origin } = yield* target()
      yield* seedHook(app, "record.create", `${origin}/in`)
      const { activation, claims } = yield* activationOf(app)
      const work = yield* kind.activate(activation)
      yield* work.acceptRows!(true)
      const claim = Effect.suspend(() => work.claim({ limit: 8, now: new Date(), minClaims: 0, maxClaims: 1 }))
      const sentBeforeClaims: Array<readonly [jobs: number, claims: number]> = []
      for (const record of [1, 2, 3]) {
        yield* offerEvent(kind, app, record)
        const claimsBefore = claims()
        const jobs = yield* claim
        sentBeforeClaims.push([jobs.length, claims() - claimsBefore])
        yield* claim
        assert.strictEqual(claims() - claimsBefore, 1, "the queue has its turn when no bundle waits")
      }
      assert.deepStrictEqual(sentBeforeClaims, [
        [1, 0],
        [1, 0],
        [1, 0]
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("share the free slots while older deliveries wait in the queue", () =>
    Effect.gen(function* () {
      const kind = yield* webhooksKind
      const app = yield* seedOrgWithApp()
      const { origin } = yield* target()
      for (const path of ["a", "b"]) yield* seedHook(app, "record.create", `${origin}/${path}`)
      const { activation } = yield* activationOf(app)
      // More than the claim below takes: they are there before the activation accepts bundles.
      for (let record = 1; record <= 8; record++) yield* offerEvent(kind, app, record)
      const work = yield* kind.activate(activation)
      yield* work.acceptRows!(true)
      const claim = (limit: number) => work.claim({ limit, now: new Date(), minClaims: 0, maxClaims: 1 })
      assert.lengthOf(yield* claim(4), 4, "of the queue, which has 12 more")
      for (let record = 11; record <= 18; record++) yield* offerEvent(kind, app, record)
      const jobs = [...(yield* claim(8)), ...(yield* claim(4))]
      const older = jobs.flatMap(({ rows }) =>
        rows.filter((row) => "event_id" in row && row.event_id < app.appId * 1_000_000 + 11)
      )
      assert.strictEqual(jobs.length - older.length, 4, "of bundles")
      assert.isAbove(older.length, 0, "of the queue")
    }).pipe(Effect.scoped)
  )

  it.effect(
    "of a transaction whose outcome nobody knows end the activation: the next one finds them in the database",
    () =>
      Effect.gen(function* () {
        const kind = yield* webhooksKind
        const app = yield* seedOrgWithApp()
        const { origin } = yield* target()
        yield* seedHook(app, "record.create", `${origin}/in`)
        const { activation, stops } = yield* activationOf(app)
        const work = yield* kind.activate(activation)
        yield* work.acceptRows!(true)
        const claim = Effect.suspend(() => work.claim({ limit: 8, now: new Date(), minClaims: 0, maxClaims: 1 }))
        const outcomes: Array<readonly [jobs: number, stops: number]> = []
        for (const outcome of ["undone", "unknown"] as const) {
          yield* offerEvent(kind, app, 1, outcome)
          outcomes.push([(yield* claim).length, stops()])
        }
        assert.deepStrictEqual(outcomes, [
          [0, 0],
          [0, 1]
        ])
        assert.isTrue(yield* work.acceptRows!(false), "none are on their way any more")
      }).pipe(Effect.scoped)
  )
})

layer(layerSpine({ settings: { slots: 4 } }), { excludeTestServices: true })("bundles beside slow receivers", (it) => {
  it.effect("leave the next slot to the queue that found none", () =>
    Effect.gen(function* () {
      const kind = yield* webhooksKind
      const app = yield* seedOrgWithApp()
      const { on, origin } = yield* target()
      const held: Array<() => void> = []
      for (const path of ["a", "b"]) {
        on(`/${path}`, (_, response) => held.push(() => response.writeHead(204).end()))
        yield* seedHook(app, "record.create", `${origin}/${path}`)
      }
      const { activation, looks } = yield* activationOf(app)
      for (let record = 1; record <= 8; record++) yield* offerEvent(kind, app, record)
      const work = yield* kind.activate(activation)
      yield* work.acceptRows!(true)
      const claim = Effect.suspend(() => work.claim({ limit: 4, now: new Date(), minClaims: 0, maxClaims: 1 }))
      for (const { run } of yield* claim) yield* Effect.forkScoped(run)
      yield* eventually(
        "all slots are taken",
        Effect.sync(() => held.length),
        (count) => count === 4
      )
      for (let record = 11; record <= 18; record++) yield* offerEvent(kind, app, record)
      assert.lengthOf(yield* claim, 0, "no slot is free")
      yield* Queue.clear(looks)
      held[0]!()
      yield* Queue.take(looks)
      const rows = (yield* claim).flatMap((job) => job.rows)
      assert.deepStrictEqual(
        rows.map((row) => "event_id" in row && row.event_id < app.appId * 1_000_000 + 11),
        [true]
      )
    }).pipe(Effect.scoped)
  )
})

layer(layerSpine({ settings: { slots: 512 } }), { excludeTestServices: true })("bundles with slots for all", (it) => {
  it.effect("are looked for again at once when more wait than begin together", () =>
    Effect.gen(function* () {
      const kind = yield* webhooksKind
      const app = yield* seedOrgWithApp()
      const { origin } = yield* target()
      for (let hook = 0; hook < 10; hook++) yield* seedHook(app, "record.create", `${origin}/${hook}`)
      const { activation, looks } = yield* activationOf(app)
      const work = yield* kind.activate(activation)
      yield* work.acceptRows!(true)
      for (let record = 1; record <= 13; record++) yield* offerEvent(kind, app, record)
      // Other looks count from the request.
      const later = new Date(Date.now() + 60_000)
      const claim = Effect.suspend(() => work.claim({ limit: 500, now: later, minClaims: 0, maxClaims: 1 }))
      yield* Queue.clear(looks)
      assert.lengthOf(yield* claim, TAKEN_AT_ONCE)
      assert.isBelow(Math.min(...(yield* Queue.clear(looks))), later.getTime())
      assert.lengthOf(yield* claim, 0, "the turn of the queue, which has none")
      assert.lengthOf(yield* claim, 130 - TAKEN_AT_ONCE)
    }).pipe(Effect.scoped)
  )
})

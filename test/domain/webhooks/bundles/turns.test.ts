// decisions W1; docs/architecture/flow.md, "Bundles": bundles and the queue take turns, and a bundle that comes to an idle activation is sent
// without a claim of the queue before it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { webhooksKind } from "../../../../src/domain/webhooks/webhooksActor.ts"
import type { Activation } from "../../../../src/engine/actors/ActorKind.ts"
import { layerSpine, seedHook, seedOrgWithApp, target } from "../support/harness.ts"
import { recordEvent } from "../support/seed.ts"

/** An activation without a workflow that counts its claims of the queue. */
const activationOf = Effect.fnUntraced(function* (app: { readonly orgId: number; readonly appId: number }) {
  const sql = yield* SqlClient.SqlClient
  const key = `webhooks/app/${app.appId}`
  yield* sql`
    INSERT INTO actors (actor_key, kind, id, state, fence) VALUES (${key}, 'webhooks/app', ${String(app.appId)}, 'awake', 1)`
  let claims = 0
  const statement = <A, E, R>(effect: Effect.Effect<A, E, R>) => effect
  const claim = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.tap(effect, () => Effect.sync(() => claims++))
  const commit = <A, E, R>(effect: Effect.Effect<A, E, R>) => sql.withTransaction(effect)
  const activation = {
    ...{ id: String(app.appId), key, fence: 1, orgId: app.orgId, orderly: true },
    ...{ statement, commit, claim: statement, once: { claim, commit, statement } },
    batched: () => Effect.succeed(() => () => undefined),
    lookAt: () => Effect.void,
    stopping: Effect.succeed(false)
  } as unknown as Activation
  return { activation, claims: () => claims }
})

layer(layerSpine(), { excludeTestServices: true })("bundles and the queue", (it) => {
  it.effect("take turns: an idle activation sends each new bundle before it claims again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const kind = yield* webhooksKind
      const app = yield* seedOrgWithApp()
      const { origin } = yield* target()
      yield* seedHook(app, "record.create", `${origin}/in`)
      const { activation, claims } = yield* activationOf(app)
      const work = yield* kind.activate(activation)
      yield* work.acceptRows!(true)
      const offerEvent = (record_id: number) =>
        Effect.gen(function* () {
          const events = [
            {
              ...recordEvent({
                ...{ org_id: app.orgId, app_id: app.appId, record_id },
                ...{ type: "record.create" as const, revision: 0 }
              }),
              event_id: app.appId * 1_000_000 + record_id,
              created_on: new Date()
            }
          ]
          const fannedOut = yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT set_config('millrace.apps', ${`{${app.appId}}`}, true)`
              const fanOut = yield* kind.look
              const outcome = yield* fanOut(events)
              yield* Effect.all(outcome.writes)
              return outcome
            })
          )
          fannedOut.direct?.ended("committed")
        })
      const claim = Effect.suspend(() => work.claim({ limit: 8, now: new Date(), minClaims: 0, maxClaims: 1 }))
      const sentBeforeClaims: Array<readonly [jobs: number, claims: number]> = []
      for (const record of [1, 2, 3]) {
        yield* offerEvent(record)
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
})

// decisions W4; docs/architecture/flow.md, "Bundles": what an activation gives back before it is sent counts no more in the window of its app.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Bundle } from "../../../../src/domain/webhooks/bundles/Bundle.ts"
import { makeSplitBundles } from "../../../../src/domain/webhooks/bundles/splitBundles.ts"
import type { Activation } from "../../../../src/engine/actors/ActorKind.ts"
import { bareActor, layerBare } from "../support/bareActor.ts"

const USED = 5

layer(layerBare(), { excludeTestServices: true })("deliveries that are given back", (it) => {
  it.effect("lower the count of their window once, though the answer is lost and the commit repeated", () =>
    Effect.gen(function* () {
      const { activation, app, hookId, sql } = yield* bareActor
      const { giveBack } = yield* makeSplitBundles
      const since = Date.now()
      const eventIds = [1, 2].map((nth) => app.appId * 1_000_000 + nth)
      const bundles = eventIds.map((event_id) => ({ event_id, since, whole: true }) as Bundle)
      yield* sql`INSERT INTO webhook_bundles (event_id, app_id, fence, record_id, type, rest, created_on, due_at, hooks)
        SELECT id, ${app.appId}, 1, id, 'record.update', '}', now(), now(), ${[String(hookId)]}::bigint[]
        FROM unnest(${eventIds.map(String)}::bigint[]) AS id`
      yield* sql`INSERT INTO webhook_windows (app_id, window_start, used, cap) VALUES (${app.appId}, ${new Date(since - 1_000)}, ${USED}, 100)`
      const twice: Activation["commit"] = (effect) =>
        Effect.andThen(activation.commit(effect), activation.commit(effect))
      yield* giveBack(
        { ...activation, commit: twice },
        bundles.map((bundle) => ({ bundle, hook_id: hookId }))
      )
      const windows = yield* sql<{ used: number }>`SELECT used FROM webhook_windows WHERE app_id = ${app.appId}`
      assert.deepStrictEqual(windows, [{ used: USED - bundles.length }])
      const rows = yield* sql<{ event_id: number; fence: number; claims: number }>`
        SELECT event_id, fence, claims FROM webhook_queue WHERE hook_id = ${hookId} ORDER BY event_id`
      assert.deepStrictEqual(
        rows,
        eventIds.map((event_id) => ({ event_id, fence: 0, claims: 0 }))
      )
      assert.isTrue(bundles.every(({ whole }) => !whole))
    })
  )
})

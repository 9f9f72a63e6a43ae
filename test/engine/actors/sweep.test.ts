// What the sweep takes when it cannot take all: nobody is left for those that it has taken before (design: actors, 5).
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Actors } from "../../../src/engine/actors/Actors.ts"
import { ActorTuning, defaultTuning } from "../../../src/platform/config/Tuning.ts"
import { freshSetting, layerTestPool } from "./support/setting.ts"

const AT_MOST = 2
const tuning = { ...defaultTuning, sweepAtMost: AT_MOST, sweepCalledAfterMillis: 1 }

describe("the sweep", () => {
  it.live("comes to every actor in turn, also while more than it takes at once wait for a place to begin", () =>
    Effect.gen(function* () {
      const { databaseUrl } = yield* freshSetting()
      const layer = Actors.layer.pipe(
        Layer.provide(Layer.succeed(ActorTuning, tuning)),
        Layer.provideMerge(layerTestPool(databaseUrl))
      )
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { overdue } = yield* Actors
        yield* sql`INSERT INTO actors (actor_key, kind, id, state, called_at, wake_at, seen_at)
          SELECT 'webhooks/app/' || n, 'webhooks/app', n::text, state, now() - interval '1 hour' + n * interval '1 minute',
            now() - interval '1 hour', now() - interval '1 hour'
          FROM unnest(ARRAY['called', 'called', 'called', 'asleep', 'awake', 'called']) WITH ORDINALITY AS x(state, n)`
        // One that was never called.
        yield* sql`INSERT INTO actors (actor_key, kind, id, state, wake_at)
          VALUES ('webhooks/app/7', 'webhooks/app', '7', 'asleep', now() - interval '1 hour')`
        const nudged = new Set<string>()
        for (let pass = 0; pass < 4; pass++) {
          const overdueActors = yield* overdue
          assert.isAtMost(overdueActors.length, AT_MOST)
          for (const { id } of overdueActors) nudged.add(id)
          yield* Effect.sleep("10 millis")
        }
        assert.deepStrictEqual([...nudged].sort(), ["1", "2", "3", "4", "5", "6", "7"])
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped)
  )
})

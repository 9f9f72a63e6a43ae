// A claim of due dates whose answer is lost with its connection (developer-api.md 7.5 rule 1; decisions A5): repeated, it would find its own
// rows in the air, and nobody would fire them while the activation lasts.
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { calendarKind } from "../../../../src/domain/automations/schedules/dueDateActor.ts"
import type { Activation } from "../../../../src/engine/actors/ActorKind.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { RelayWake } from "../../../../src/engine/outbox/RelayWake.ts"
import { layerDatabase } from "../../../support/database.ts"

const services = Outbox.layer.pipe(Layer.provide(RelayWake.layer), Layer.provideMerge(layerDatabase))

layer(services, { excludeTestServices: true })("a claim of the calendar", (it) => {
  it.effect("whose answer is lost is not made again, but ends the activation, and the next one claims the rows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO calendar_due (automation_id, record_id, app_id, org_id, due_at) VALUES (1, 2, 3, 4, now())`
      const kind = yield* calendarKind
      /** @param lost how many answers of what is committed are lost */
      const claimed = Effect.fnUntraced(function* (fence: number, lost: number) {
        const commitRepeatedly = <A, E>(effect: Effect.Effect<A, E>, left: number): Effect.Effect<A, any> =>
          Effect.flatMap(sql.withTransaction(effect), (answer) =>
            left > 0 ? commitRepeatedly(effect, left - 1) : Effect.succeed(answer)
          )
        const commit: Activation["commit"] = (effect) => commitRepeatedly(effect, lost)
        const commitOnce: Activation["commit"] = (effect) =>
          Effect.flatMap(
            sql.withTransaction(effect),
            (answer): Effect.Effect<any, any> =>
              lost > 0 ? Effect.fail("the connection is gone") : Effect.succeed(answer)
          )
        const work = yield* kind.activate({
          fence,
          commit,
          once: { commit: commitOnce },
          lookAt: () => Effect.void
        } as unknown as Activation)
        return yield* Effect.exit(work.claim({ limit: 10, now: new Date(), minClaims: 0, maxClaims: 9 }))
      })
      assert.isTrue(Exit.hasFails(yield* claimed(1, 1)))
      const next = yield* claimed(2, 0)
      assert.deepStrictEqual(
        Exit.isSuccess(next)
          ? next.value.flatMap(({ rows }) => rows.map(({ claims, row_id }) => [row_id, claims]))
          : next,
        [["1/2", 2]]
      )
    })
  )
})

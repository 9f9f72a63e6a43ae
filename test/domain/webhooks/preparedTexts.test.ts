// docs/architecture/database.md, "Asked together": a statement is prepared by its text. One that runs for each app or hook has one text for all of them.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeClaim } from "../../../src/domain/webhooks/claim.ts"
import { makeDueApps } from "../../../src/domain/webhooks/dueApps.ts"
import { makeRequeueDeliveries } from "../../../src/domain/webhooks/replays/requeueDeliveries.ts"
import { WebhookSettings } from "../../../src/domain/webhooks/WebhookSettings.ts"
import { askedBy } from "../../support/statements.ts"
import { bareActor, layerBare, result } from "./support/bareActor.ts"

layer(layerBare(), { excludeTestServices: true })("prepared statements", (it) => {
  it.effect("the texts are the same for each app and hook", () =>
    Effect.gen(function* () {
      const { askDeliveries } = yield* makeClaim(yield* WebhookSettings)
      const { nextDue } = yield* makeDueApps
      const { one } = yield* makeRequeueDeliveries
      const textsOf = Effect.gen(function* () {
        const { activation, app, claim, fan, hookId, updates, write } = yield* bareActor
        yield* fan(updates(1, 1))
        const [row] = yield* claim(1)
        yield* write([result(row!, true)])
        const claiming = { limit: 5, now: new Date(), minClaims: 0, maxClaims: 1 }
        const { asked } = yield* askedBy(
          Effect.gen(function* () {
            yield* askDeliveries(activation, claiming, new Map(), hookId)
            yield* nextDue(String(app.appId))
            yield* one(hookId, row!.event_id, null)
          })
        )
        return asked.map(({ statement }) => statement)
      })
      assert.deepStrictEqual(yield* textsOf, yield* textsOf)
    })
  )
})

// The worker role: relay, actors and Temporal workers over services and a pool of their own, apart from the API's.
import { Effect, Layer } from "effect"
import { actorActivities } from "../activities/actor.ts"
import { housekeepingActivities } from "../activities/housekeeping.ts"
import { outsideActivities, segmentActivities } from "../activities/runs.ts"
import { webhookActivities } from "../activities/webhooks.ts"
import { InProcessApi } from "./api/routes.ts"
import { OwnerRounds } from "./domain/automations/definitions/ownerNotices.ts"
import type { OutsidePlaces } from "./domain/automations/durable/OutsidePlaces.ts"
import type { RunDriver } from "./domain/automations/durable/RunDriver.ts"
import { Engine } from "./domain/automations/engineLayer.ts"
import type { PeriodicTicks } from "./domain/automations/schedules/PeriodicTicks.ts"
import type { TemporalSchedules } from "./domain/automations/schedules/TemporalSchedules.ts"
import { Housekeeping } from "./domain/housekeeping/Housekeeping.ts"
import * as HousekeepingSchedules from "./domain/housekeeping/Schedules.ts"
import { WebhookWorker } from "./domain/webhooks/layer.ts"
import { HookRounds } from "./domain/webhooks/noticeRounds.ts"
import type { Verification } from "./domain/webhooks/Verification.ts"
import { HealthProbes } from "./doors/http/health.ts"
import type { Activations } from "./engine/actors/Activations.ts"
import { gauges } from "./engine/actors/gauges.ts"
import * as Actors from "./engine/relay/layer.ts"
import { attempt } from "./engine/temporal/bridge.ts"
import { Draining } from "./engine/temporal/Draining.ts"
import { Temporal } from "./engine/temporal/Temporal.ts"
import * as Worker from "./engine/temporal/TemporalWorker.ts"
import * as kinds from "./kinds.ts"
import { Services } from "./services.ts"

/** Every activity by name; a room's factory is one line here. */
const Activities = Layer.effect(
  Worker.Activities,
  Effect.map(
    Effect.context<
      Activations | Housekeeping | OutsidePlaces | RunDriver | PeriodicTicks | TemporalSchedules | Verification
    >(),
    (context) => ({
      actors: {
        ...actorActivities(attempt(context)),
        ...webhookActivities(attempt(context)),
        ...segmentActivities(attempt(context)),
        ...housekeepingActivities(attempt(context))
      },
      outside: outsideActivities(attempt(context))
    })
  )
)

const Probes = Layer.effectDiscard(
  Effect.gen(function* () {
    const probes = yield* HealthProbes
    const temporal = yield* Temporal
    const context = yield* Effect.context<Effect.Services<typeof gauges>>()
    probes.add(
      "temporal",
      Effect.map(temporal.connected, (ok) =>
        ok ? { ok } : { ok, detail: `not reached at ${temporal.settings.connection.address}` }
      )
    )
    probes.add(
      "relay",
      gauges.pipe(
        Effect.provideContext(context),
        Effect.timeout("2 seconds"),
        Effect.match({
          onFailure: () => ({ ok: false, detail: "its lag is not known" }),
          onSuccess: (g) => ({
            ok: g.relayLagSeconds < 60,
            detail: `lag ${g.relayLagSeconds.toFixed(1)} s, ${g.outboxOpen} events open`
          })
        })
      )
    )
  })
)

/** Needs a pool, the configuration and the shared foundations of the process; to be built fresh beside an API. */
export const WorkerLayer = Layer.mergeAll(
  Worker.layer,
  Probes,
  HookRounds,
  OwnerRounds,
  HousekeepingSchedules.layer
).pipe(
  Layer.provide(Activities),
  Layer.provide(Actors.layer),
  Layer.provide(kinds.layer),
  Layer.provide(Layer.mergeAll(WebhookWorker, Housekeeping.layer)),
  Layer.provideMerge(Engine.pipe(Layer.provide(InProcessApi))),
  Layer.provide(Draining.layer),
  Layer.provide(Services)
)

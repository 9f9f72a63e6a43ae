// Worker role: relay, actors and Temporal workers over services and a pool of their own, separate from the API's.
import { Effect, Layer } from "effect"
import { actorActivities } from "../activities/actor.ts"
import { housekeepingActivities } from "../activities/housekeeping.ts"
import { jobActivities } from "../activities/jobs.ts"
import { outsideActivities, segmentActivities } from "../activities/runs.ts"
import { webhookActivities } from "../activities/webhooks.ts"
import { InProcessApi } from "./api/routes.ts"
import { FactorRounds } from "./domain/accounts/factors/factorMails.ts"
import { InvitationRounds } from "./domain/accounts/invitations/invitationMails.ts"
import { OwnerRounds } from "./domain/automations/definitions/ownerNotices.ts"
import type { OutsideSlots } from "./domain/automations/durable/OutsideSlots.ts"
import type { RunDriver } from "./domain/automations/durable/RunDriver.ts"
import { Engine } from "./domain/automations/engineLayer.ts"
import type { PeriodicTicks } from "./domain/automations/schedules/PeriodicTicks.ts"
import type { TemporalSchedules } from "./domain/automations/schedules/TemporalSchedules.ts"
import { Housekeeping } from "./domain/housekeeping/Housekeeping.ts"
import * as HousekeepingSchedules from "./domain/housekeeping/Schedules.ts"
import { JobBatches } from "./domain/jobs/JobBatches.ts"
import * as JobStarts from "./domain/jobs/JobStarts.ts"
import * as RelatedPass from "./domain/records/recalculation/relatedPass.ts"
import { HookRounds } from "./domain/webhooks/hookNoticeMails.ts"
import { WebhookWorker } from "./domain/webhooks/layer.ts"
import type { Verification } from "./domain/webhooks/Verification.ts"
import type { Activations } from "./engine/actors/Activations.ts"
import * as EpochFound from "./engine/epoch/EpochFound.ts"
import * as Actors from "./engine/relay/layer.ts"
import { relayHealth } from "./engine/relay/relayHealth.ts"
import { attempt } from "./engine/temporal/bridge.ts"
import { Draining } from "./engine/temporal/Draining.ts"
import { Epoch, shownEpoch } from "./engine/temporal/Epoch.ts"
import * as Worker from "./engine/temporal/TemporalWorker.ts"
import { makeLiveness } from "./engine/temporal/temporalLiveness.ts"
import { HealthProbes } from "./interfaces/http/health.ts"
import * as jobKinds from "./jobKinds.ts"
import * as kinds from "./kinds.ts"
import { AppConfig } from "./platform/config/Config.ts"
import { poolHealth } from "./platform/sql/poolUse.ts"
import { Sql } from "./platform/sql/Sql.ts"
import { Services } from "./services.ts"

/** Every activity by name; a module's factory is one line here. */
const Activities = Layer.effect(
  Worker.Activities,
  Effect.map(
    Effect.context<
      | Activations
      | Epoch
      | Housekeeping
      | JobBatches
      | OutsideSlots
      | RunDriver
      | PeriodicTicks
      | TemporalSchedules
      | Verification
    >(),
    (context) => ({
      actors: {
        ...actorActivities(attempt(context)),
        ...webhookActivities(attempt(context)),
        ...segmentActivities(attempt(context)),
        ...housekeepingActivities(attempt(context)),
        ...jobActivities(attempt(context))
      },
      outside: outsideActivities(attempt(context))
    })
  )
)

const Probes = Layer.effectDiscard(
  Effect.gen(function* () {
    const probes = yield* HealthProbes
    const { role } = yield* AppConfig
    // Needed for readiness in a pure worker only: next to an API writes go on without Temporal, and changes wait in the outbox.
    const needed = role === "worker"
    const sql = yield* Sql
    const liveness = yield* makeLiveness
    const context = yield* Effect.context<Effect.Services<typeof relayHealth>>()
    probes.add("temporal", liveness, needed)
    probes.add("relay", Effect.provideContext(relayHealth, context), needed)
    probes.add("worker pool", poolHealth(sql), needed)
    const epoch = yield* Epoch
    const epochHealth = Effect.map(epoch.state, (state) =>
      state === "lost"
        ? { ok: false, detail: "another database has taken this Temporal namespace over" }
        : { ok: true, detail: state === "looking" ? "not known before Temporal is reached" : shownEpoch(state) }
    )
    probes.add("epoch", epochHealth, needed)
  })
)

/** Worker whose housekeeping nobody calls by a clock: a test that calls its jobs is alone with them. */
export const WorkerLayerWithoutSchedules = Layer.mergeAll(
  Worker.layer,
  Probes,
  HookRounds,
  FactorRounds,
  InvitationRounds,
  OwnerRounds,
  JobStarts.layer,
  RelatedPass.layer
).pipe(
  Layer.provide(Activities),
  Layer.provide(Actors.layer),
  Layer.provide(kinds.layer),
  Layer.provide(
    Layer.mergeAll(WebhookWorker, Housekeeping.layer, JobBatches.layer.pipe(Layer.provide(jobKinds.layer)))
  ),
  Layer.provideMerge(Engine.pipe(Layer.provide(InProcessApi))),
  Layer.provide(Draining.layer),
  Layer.provideMerge(EpochFound.layer),
  Layer.provide(Services)
)

/** Needs a pool, the installation, the configuration and the shared foundations of the process; build it fresh next to an API. */
export const WorkerLayer = HousekeepingSchedules.layer.pipe(Layer.provideMerge(WorkerLayerWithoutSchedules))

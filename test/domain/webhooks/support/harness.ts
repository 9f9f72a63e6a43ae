// The webhook actor over the whole spine (outbox, relay, actors, Temporal) against real receivers, with short times.
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { actorActivities } from "../../../../activities/actor.ts"
import { webhookActivities } from "../../../../activities/webhooks.ts"
import { Access, type AccessGrant } from "../../../../src/domain/accounts/Access.ts"
import { Authorities, everything } from "../../../../src/domain/accounts/Authority.ts"
import { Revisions } from "../../../../src/domain/records/reading/Revisions.ts"
import { Deliveries } from "../../../../src/domain/webhooks/Deliveries.ts"
import { EventJudge, FilterRules } from "../../../../src/domain/webhooks/EventFilters.ts"
import type { HookType } from "../../../../src/domain/webhooks/Hook.ts"
import { HookConfigurations } from "../../../../src/domain/webhooks/HookConfigurations.ts"
import { HookNotices } from "../../../../src/domain/webhooks/HookNotices.ts"
import { Hooks } from "../../../../src/domain/webhooks/Hooks.ts"
import { sealContext } from "../../../../src/domain/webhooks/mailboxRows.ts"
import { HookReplays } from "../../../../src/domain/webhooks/replays/HookReplays.ts"
import { newSecret } from "../../../../src/domain/webhooks/signature.ts"
import { Verification } from "../../../../src/domain/webhooks/Verification.ts"
import { Verifications } from "../../../../src/domain/webhooks/Verifications.ts"
import { WebhookSettings, type WebhookSettingsShape } from "../../../../src/domain/webhooks/WebhookSettings.ts"
import { webhooksKind } from "../../../../src/domain/webhooks/webhooksActor.ts"
import type { Activations } from "../../../../src/engine/actors/Activations.ts"
import { ActorKinds } from "../../../../src/engine/actors/ActorKind.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { RelayWake } from "../../../../src/engine/outbox/RelayWake.ts"
import * as ActorsLayer from "../../../../src/engine/relay/layer.ts"
import { attempt } from "../../../../src/engine/temporal/bridge.ts"
import { Draining } from "../../../../src/engine/temporal/Draining.ts"
import type { Epoch } from "../../../../src/engine/temporal/Epoch.ts"
import { Temporal, TemporalSettings } from "../../../../src/engine/temporal/Temporal.ts"
import * as Worker from "../../../../src/engine/temporal/TemporalWorker.ts"
import { AuditLog } from "../../../../src/platform/audit/AuditLog.ts"
import { ActorTuning, defaultTuning, type Tuning } from "../../../../src/platform/config/Tuning.ts"
import { AuthenticationProviders } from "../../../../src/platform/mail/AuthenticationProviders.ts"
import { Outbound } from "../../../../src/platform/outbound/Outbound.ts"
import { policies } from "../../../../src/platform/outbound/policies.ts"
import { Cursors } from "../../../../src/platform/sealing/Cursors.ts"
import { make as makeSecrets, Secrets } from "../../../../src/platform/sealing/Secrets.ts"
import { Wakes } from "../../../../src/platform/sql/Wakes.ts"
import { layerDatabase } from "../../../support/database.ts"
import { layerFirstEpoch } from "../../../support/epochs.ts"
import { receiver } from "../../../support/receiver.ts"
import { freshName, temporalAddress } from "../../../support/temporal.ts"
import { seedApp } from "./seed.ts"

export const quickSettings: WebhookSettingsShape = {
  perWindow: 1_000_000,
  windowMillis: 60_000,
  policy: { ...policies.webhook, headers: Duration.millis(2_500), body: Duration.millis(200) },
  failuresAllowed: 50,
  retryDelays: [0.2, 0.3, 0.4],
  withheldDays: 7,
  keepDays: 30,
  codeHours: 24,
  codeGuesses: 10,
  slots: 128
}

const quickTuning: Partial<Tuning> = {
  heartbeatTimeoutMillis: 3_000,
  heartbeatEveryMillis: 300,
  lingerMillis: 500,
  sweepEveryMillis: 500,
  sweepCalledAfterMillis: 1_000,
  sweepAsleepAfterMillis: 500,
  relayPollMillis: 200
}

export interface Options {
  readonly settings?: Partial<WebhookSettingsShape>
  readonly tuning?: Partial<Tuning>
  readonly namespace?: string
  /** An authority that receivers' certificates may be of. */
  readonly ca?: string
}

/** OUTBOUND_ALLOW of the test process: receivers add themselves. */
const allowed = new Set<string>()

/** A receiver that the spine may call. */
export const target = (options: Parameters<typeof receiver>[0] = {}) =>
  Effect.tap(receiver(options), ({ hostPort }) => Effect.sync(() => allowed.add(hostPort)))

/** An address of this machine where nobody listens. */
export const nobody = Effect.sync(() => {
  allowed.add("127.0.0.1:1")
  return "http://127.0.0.1:1"
})

const secrets = makeSecrets(new Uint8Array(32).fill(7))

const layerActivities = Layer.effect(
  Worker.Activities,
  Effect.map(Effect.context<Activations | Epoch | Verification>(), (context) => ({
    actors: { ...actorActivities(attempt(context)), ...webhookActivities(attempt(context)) },
    outside: {}
  }))
)

/** For hooks without a filter: nobody asks. */
export const layerUnfiltered = Layer.merge(
  Layer.mock(FilterRules, {}),
  Layer.mock(EventJudge, { of: () => () => Effect.die("nobody asks") })
)

/** What POSTs of hooks with settings need; nobody reads a record. */
const layerUnread = Layer.mergeAll(
  AuthenticationProviders.layer,
  Access.layer,
  Authorities.layer,
  Layer.mock(Revisions, {})
)

/** One process with relay and worker on a database of the test's own. */
export const layerSpine = (options: Options = {}) =>
  Worker.layer.pipe(
    Layer.provide(layerActivities),
    Layer.provideMerge(ActorsLayer.layer),
    Layer.provideMerge(ActorKinds.layer([webhooksKind])),
    Layer.provideMerge(
      Layer.mergeAll(
        HookNotices.layer,
        Verifications.layer,
        Verification.layer,
        Hooks.layer,
        HookConfigurations.layer,
        Deliveries.layer,
        HookReplays.layer
      )
    ),
    Layer.provideMerge(Layer.mergeAll(Outbox.layer, Cursors.layer, AuditLog.layer, layerUnfiltered, layerUnread)),
    Layer.provideMerge(
      Layer.mergeAll(
        Temporal.layer,
        layerFirstEpoch,
        RelayWake.layer,
        Wakes.layer,
        Draining.layer,
        Outbound.layerWith({ allow: allowed, ...(options.ca === undefined ? {} : { ca: options.ca }) })
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        layerDatabase,
        Layer.succeed(Secrets, secrets),
        Layer.succeed(WebhookSettings, { ...quickSettings, ...options.settings }),
        Layer.succeed(TemporalSettings, {
          connection: { address: temporalAddress() },
          namespace: options.namespace ?? freshName("webhooks"),
          retentionDays: 1,
          queues: { actors: "millrace", outside: "millrace-outside" }
        }),
        Layer.succeed(ActorTuning, { ...defaultTuning, ...quickTuning, ...options.tuning })
      )
    ),
    Layer.fresh
  )

/** An organization with one app. */
export const seedOrgWithApp = Effect.fnUntraced(function* (limits: Record<string, unknown> = {}) {
  const sql = yield* SqlClient.SqlClient
  const [org] = yield* sql<{ org_id: number }>`
    INSERT INTO organizations (name, slug, limits, created_on)
    VALUES ('Harbor Works', ${freshName("org")}, ${JSON.stringify(limits)}::jsonb, now()) RETURNING org_id`
  return { orgId: org!.org_id, appId: (yield* seedApp(org!.org_id)).appId }
})

/** A hook as if created and, unless said otherwise, verified. */
export const seedHook = Effect.fnUntraced(function* (
  app: { readonly orgId: number; readonly appId: number },
  type: HookType,
  url: string,
  verified = true
) {
  const sql = yield* SqlClient.SqlClient
  const secret = newSecret()
  const [id] = yield* sql<{ hook_id: number }>`SELECT nextval(pg_get_serial_sequence('hooks', 'hook_id')) AS hook_id`
  const sealed = secrets.encrypt(secret, sealContext(id!.hook_id, "secret"))
  yield* sql`
    INSERT INTO hooks (hook_id, org_id, app_id, type, url, host, status, secret, verified_on, created_by, created_on) OVERRIDING SYSTEM VALUE
    VALUES (${id!.hook_id}, ${app.orgId}, ${app.appId}, ${type}, ${url}, ${new URL(url).host}, ${verified ? "active" : "inactive"},
      ${sealed}, ${verified ? new Date() : null}, 1, now())`
  return { hookId: id!.hook_id, secret }
})

/** What a check of the hook's admin gives. */
export const grantOf = (app: { readonly orgId: number; readonly appId: number }, hookId: number): AccessGrant => ({
  caller: {
    userId: 1,
    orgId: app.orgId,
    personId: 1,
    role: "owner",
    author: { type: "user", user_id: 1 },
    credential: { type: "automation", id: 1, clientId: null, expiresOn: null },
    ...everything
  },
  kind: "hook",
  id: hookId,
  orgId: app.orgId,
  workspaceId: 1,
  appId: app.appId,
  appVersion: 1,
  level: 5
})

export { eventually } from "../../../support/eventually.ts"

export const statuses = (hookId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ status: string; n: number }>`
      SELECT status, count(*)::int AS n FROM webhook_deliveries WHERE hook_id = ${hookId} GROUP BY status`
    return Object.fromEntries(rows.map(({ status, n }) => [status, n])) as Record<string, number>
  })

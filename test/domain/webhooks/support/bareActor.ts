// An app's webhook actor without relay, workflow or network: claims, results, fan-outs and rounds of replays, one call each.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeClaim } from "../../../../src/domain/webhooks/claim.ts"
import { claimOf } from "../../../../src/domain/webhooks/claimParts.ts"
import { Deliveries } from "../../../../src/domain/webhooks/Deliveries.ts"
import { HookNotices } from "../../../../src/domain/webhooks/HookNotices.ts"
import { makeFanOut } from "../../../../src/domain/webhooks/hookFanOut.ts"
import type { Result } from "../../../../src/domain/webhooks/judgeResults.ts"
import type { DeliveryRow } from "../../../../src/domain/webhooks/mailboxRows.ts"
import { HookReplays } from "../../../../src/domain/webhooks/replays/HookReplays.ts"
import { makeReplayRounds } from "../../../../src/domain/webhooks/replays/replayRounds.ts"
import { HookStatistics } from "../../../../src/domain/webhooks/statistics/HookStatistics.ts"
import { WebhookSettings, type WebhookSettingsShape } from "../../../../src/domain/webhooks/WebhookSettings.ts"
import { makeWriteResults } from "../../../../src/domain/webhooks/writeResults.ts"
import { type Activation, Fenced } from "../../../../src/engine/actors/ActorKind.ts"
import type { OutboxEvent } from "../../../../src/engine/outbox/Event.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { RelayWake } from "../../../../src/engine/outbox/RelayWake.ts"
import { AuditLog } from "../../../../src/platform/audit/AuditLog.ts"
import { Cursors } from "../../../../src/platform/sealing/Cursors.ts"
import { Secrets } from "../../../../src/platform/sealing/Secrets.ts"
import { configLayer } from "../../../support/app.ts"
import { layerDatabase } from "../../../support/database.ts"
import { layerUnfiltered, quickSettings, seedHook, seedOrgWithApp } from "./harness.ts"
import { recordEvent } from "./seed.ts"

export const FAILURES_ALLOWED = 10

export const layerBare = (settings: Partial<WebhookSettingsShape> = {}) =>
  Layer.mergeAll(HookNotices.layer, Deliveries.layer, HookReplays.layer, HookStatistics.layer).pipe(
    Layer.provideMerge(Outbox.layer),
    Layer.provideMerge(AuditLog.layer),
    Layer.provide(RelayWake.layer),
    Layer.provide(Cursors.layer),
    Layer.provide(Secrets.layer),
    Layer.provide(configLayer()),
    Layer.provideMerge(
      Layer.mergeAll(
        layerDatabase,
        layerUnfiltered,
        Layer.succeed(WebhookSettings, { ...quickSettings, failuresAllowed: FAILURES_ALLOWED, ...settings })
      )
    )
  )

/** An app with one verified hook for updates, and an activation of its actor without a workflow. */
export const bareActor = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const settings = yield* WebhookSettings
  const app = yield* seedOrgWithApp()
  const { hookId } = yield* seedHook(app, "record.update", "https://93.184.215.14/in")
  const key = `webhooks/app/${app.appId}`
  yield* sql`
    INSERT INTO actors (actor_key, kind, id, state, fence) VALUES (${key}, 'webhooks/app', ${String(app.appId)}, 'awake', 1)`
  const statement: Activation["statement"] = (effect, held) =>
    Effect.filterOrFail(effect, held, () => new Fenced({ actorKey: key }))
  const commit: Activation["commit"] = (effect) => sql.withTransaction(effect)
  const activation = {
    id: String(app.appId),
    key,
    fence: 1,
    orgId: app.orgId,
    orderly: false,
    statement,
    commit,
    claim: statement,
    once: { claim: statement, commit, statement },
    batched: () => Effect.die("not here"),
    lookAt: () => Effect.void,
    stop: Effect.void,
    stopping: Effect.succeed(false)
  } satisfies Activation as Activation
  const { askDeliveries } = yield* makeClaim(settings)
  const makeFan = yield* makeFanOut(new Map())
  const round = yield* makeReplayRounds(settings)
  const writeResults = yield* makeWriteResults(settings, yield* HookNotices)
  let event = 0
  const updates = (record: number, count: number): ReadonlyArray<OutboxEvent> =>
    Array.from({ length: count }, () => ({
      ...recordEvent({
        org_id: app.orgId,
        app_id: app.appId,
        record_id: record,
        type: "record.update",
        revision: event
      }),
      event_id: app.appId * 1_000_000 + event++,
      created_on: new Date()
    }))
  return {
    sql,
    app,
    hookId,
    activation,
    updates,
    fan: (events: ReadonlyArray<OutboxEvent>) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT set_config('millrace.apps', ${`{${app.appId}}`}, true)`
          const fanOut = yield* makeFan
          const { writes } = yield* fanOut(events)
          yield* Effect.all(writes)
        })
      ),
    claim: (limit: number) =>
      Effect.map(
        statement(
          askDeliveries(activation, { limit, now: new Date(), minClaims: 0, maxClaims: 1 }, new Map(), 0),
          (rows) => rows.length > 0
        ),
        (rows) => claimOf(settings, rows).rows
      ),
    /** Of replays. */
    round: Effect.suspend(() => round(activation, new Date())),
    write: (results: ReadonlyArray<Result>) =>
      writeResults(
        activation,
        results,
        new Date(),
        () => 0.5,
        () => Effect.void
      ),
    queue: sql<{ event_id: number; blocked: boolean }>`
      SELECT event_id, blocked FROM webhook_queue WHERE hook_id = ${hookId} ORDER BY event_id`,
    hook: Effect.map(
      sql<{ status: string; num_failed_executions: number; alerted: number }>`
        SELECT status, num_failed_executions, alerted FROM hooks WHERE hook_id = ${hookId}`,
      ([hook]) => hook!
    )
  }
})

export const result = (row: DeliveryRow, ok: boolean): Result => ({
  row,
  outcome: {
    ok,
    attemptedOn: new Date(),
    status: ok ? 200 : 500,
    latencyMillis: 3,
    error: ok ? null : "status",
    body: "",
    retryAfter: undefined
  }
})

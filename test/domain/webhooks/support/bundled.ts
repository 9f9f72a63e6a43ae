// An app whose webhook actor is awake, answers that wait for a word, and what the database has of deliveries.
import type { ServerResponse } from "node:http"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { HookType } from "../../../../src/domain/webhooks/Hook.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import type { Receiver } from "../../../support/receiver.ts"
import { eventually, seedHook, seedOrgWithApp, statuses, target } from "./harness.ts"
import { recordEvent } from "./seed.ts"

export type App = Effect.Success<ReturnType<typeof seedOrgWithApp>>

export type Told = readonly [type: HookType, record: number, revision: number]

/** In one transaction. */
export const tell = Effect.fnUntraced(function* (app: App, ...told: ReadonlyArray<Told>) {
  const outbox = yield* Outbox
  const about = { org_id: app.orgId, app_id: app.appId }
  yield* outbox.append(
    told.map(([type, record_id, revision]) =>
      recordEvent({ ...about, type: type as "record.create", record_id, revision })
    )
  )
})

/** Answers that wait for a word. */
export const holding = (receiver: Receiver, path: string) => {
  const heldResponses: Array<ServerResponse> = []
  receiver.on(path, (_, response) => void heldResponses.push(response))
  return (status: number) => {
    for (const response of heldResponses.splice(0)) response.writeHead(status).end()
  }
}

/** An app whose actor is awake, and lingers. */
export const awake = Effect.fnUntraced(function* (limits: Record<string, unknown> = {}) {
  const app = yield* seedOrgWithApp(limits)
  const receiver = yield* target()
  const { hookId } = yield* seedHook(app, "record.delete", `${receiver.origin}/first`)
  yield* tell(app, ["record.delete", 1, 1])
  yield* eventually("the first one is over", statuses(hookId), ({ delivered }) => delivered === 1)
  return { app, receiver }
})

export const bundlesOf = (app: App) =>
  SqlClient.SqlClient.use(
    (sql) =>
      sql<{
        hooks: ReadonlyArray<string>
      }>`SELECT to_jsonb(hooks) AS hooks FROM webhook_bundles WHERE app_id = ${app.appId}`
  )

export const queueOf = (app: App) =>
  SqlClient.SqlClient.use(
    (sql) => sql<{ hook_id: number; event_id: number; blocked: boolean; claims: number }>`
      SELECT hook_id, event_id, blocked, claims FROM webhook_queue WHERE app_id = ${app.appId} ORDER BY event_id`
  )

export const logOf = (hookId: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql<{ event_id: number; status: string; payload: string; num_attempts: number; attempts: number }>`
      SELECT event_id, status, payload, num_attempts, (SELECT count(*)::int FROM webhook_attempts a
        WHERE a.hook_id = d.hook_id AND a.event_id = d.event_id) AS attempts
      FROM webhook_deliveries d WHERE hook_id = ${hookId} ORDER BY event_id`
  )

// Shared by the webhook measurements: a machine whose hooks post to a receiver of ours, apps with verified hooks written straight to its
// database, and events appended to the outbox as a change appends them.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { sealContext } from "../../src/domain/webhooks/mailboxRows.ts"
import { newSecret } from "../../src/domain/webhooks/signature.ts"
import { defaultSwitches, type NewEvent } from "../../src/engine/outbox/Event.ts"
import { Outbox } from "../../src/engine/outbox/Outbox.ts"
import { Secrets } from "../../src/platform/sealing/Secrets.ts"
import { type MachineOptions, makeMachine, operatorOf } from "./machine.ts"
import { BenchFailed } from "./Row.ts"
import { type BenchReceiver, startBenchReceiver } from "./receiver.ts"

export interface HookApp {
  readonly orgId: number
  readonly appId: number
}

const LIFTED = { WEBHOOK_PER_MINUTE: "100000000", WEBHOOK_FAILURES_ALLOWED: "100000000" }

/** Runs an effect with the operator's services on the machine's database. */
export type Operate = <A, E>(
  effect: Effect.Effect<A, E, SqlClient.SqlClient | Outbox | Secrets>
) => Effect.Effect<A, BenchFailed>

/** The machine with limits lifted, its receiver, and the operator's services kept open. */
export const hookBed = Effect.fnUntraced(function* (options: Partial<MachineOptions> = {}) {
  const receiver: BenchReceiver = yield* startBenchReceiver
  const machine = yield* makeMachine({
    name: "bench",
    ...options,
    env: { OUTBOUND_ALLOW: receiver.hostPort, ...LIFTED, ...options.env }
  })
  const services = yield* Layer.build(operatorOf(machine)).pipe(
    Effect.mapError((error) => new BenchFailed({ message: String(error) }))
  )
  const operate: Operate = (effect) =>
    effect.pipe(
      Effect.provideContext(Context.pick(SqlClient.SqlClient, Outbox, Secrets)(services)),
      Effect.mapError((error) => new BenchFailed({ message: String(error) }))
    )
  return { machine, receiver, operate }
})

/** Creates apps in an organization of their own. */
export const seedApps = Effect.fnUntraced(function* (name: string, count: number) {
  const sql = yield* SqlClient.SqlClient
  const [org] = yield* sql<{ org_id: number }>`
    INSERT INTO organizations (name, slug, created_on) VALUES (${name}, ${name.toLowerCase()}, now()) RETURNING org_id`
  const orgId = org!.org_id
  const [workspace] = yield* sql<{ workspace_id: number }>`
    INSERT INTO workspaces (org_id, name, slug, type, created_on) VALUES (${orgId}, 'Bench', 'bench', 'open', now())
    RETURNING workspace_id`
  const apps = yield* sql<{ app_id: number }>`
    INSERT INTO apps (org_id, workspace_id, slug, name, item_name, position, created_on)
    SELECT ${orgId}::bigint, ${workspace!.workspace_id}::bigint, 'app-' || i, 'App ' || i, 'Item', i, now()
    FROM generate_series(1, ${count}::int) AS i RETURNING app_id`
  return apps.map(({ app_id }): HookApp => ({ orgId, appId: app_id }))
})

/** A verified hook for created records. @param path of its URL at the receiver */
export const seedHook = Effect.fnUntraced(function* (app: HookApp, port: number, path: string) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const secret = newSecret()
  const [id] = yield* sql<{ hook_id: number }>`SELECT nextval(pg_get_serial_sequence('hooks', 'hook_id')) AS hook_id`
  const sealed = secrets.encrypt(secret, sealContext(id!.hook_id, "secret"))
  yield* sql`
    INSERT INTO hooks (hook_id, org_id, app_id, type, url, host, status, secret, verified_on, created_by, created_on)
    OVERRIDING SYSTEM VALUE
    VALUES (${id!.hook_id}, ${app.orgId}, ${app.appId}, 'record.create', ${`http://127.0.0.1:${port}${path}`},
      ${`127.0.0.1:${port}`}, 'active', ${sealed}, now(), 1, now())`
  return { hookId: id!.hook_id, secret }
})

/** Events of records `first`, `first + 1`, …, created in the app. */
export const creations = (app: HookApp, first: number, count: number): ReadonlyArray<NewEvent> =>
  Array.from({ length: count }, (_, i) => ({
    type: "record.create",
    org_id: app.orgId,
    app_id: app.appId,
    record_id: first + i,
    switches: defaultSwitches,
    depth: 0,
    cause: null,
    payload: { revision: 0, author: { type: "user", user_id: 1 }, cells: {}, title: `Item ${first + i}` }
  }))

export const append = (events: ReadonlyArray<NewEvent>) => Outbox.use((outbox) => outbox.append(events))

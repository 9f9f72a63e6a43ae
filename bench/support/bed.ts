// Sets up the rows about automations: the whole service with Temporal, two apps, automations made through the public API, and records
// written to the database together with their events, so that HTTP is no part of the measurement.
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Client, makeClient } from "../../demo/client.ts"
import { makeTenant } from "../../demo/operator.ts"
import { Secrets } from "../../src/platform/sealing/Secrets.ts"
import { type Machine, type MachineOptions, makeMachine, operatorOf } from "./machine.ts"
import { BenchFailed, benchFailed } from "./Row.ts"

export interface AppOf {
  readonly appId: number
  readonly fields: Readonly<Record<string, number>>
}

/** Actions on one organization of a bed. */
export interface Tenancy {
  readonly client: Client
  /** Its credential. */
  readonly token: string
  readonly orgId: number
  readonly workspaceId: number
  /** Makes an app with a text, its title, a number and another text. */
  readonly app: (name: string) => Effect.Effect<AppOf, BenchFailed>
  /** Makes and activates an automation. */
  readonly automation: (appId: number, definition: object) => Effect.Effect<number, BenchFailed>
  /** Creates new records in one commit, with the events that a write would cause. Answers their ids. */
  readonly records: (app: AppOf, count: number, events: boolean) => Effect.Effect<ReadonlyArray<number>, BenchFailed>
}

export interface Bed extends Tenancy {
  readonly machine: Machine
  readonly sql: SqlClient.SqlClient
  /** Another organization on the same machine. */
  readonly organization: (name: string) => Effect.Effect<Tenancy, BenchFailed>
  /** Runs an effect with the operator's services on the machine's database. */
  readonly operate: <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient | Secrets>) => Effect.Effect<A, BenchFailed>
  /** Waits until the number that the effect yields is reached. */
  readonly until: (
    what: string,
    probe: Effect.Effect<number, unknown>,
    goal: number,
    everyMillis?: number
  ) => Effect.Effect<void, BenchFailed>
}

const WAIT_MILLIS = 240_000

export const makeBed = Effect.fnUntraced(function* (name: string, options: Partial<MachineOptions> = {}) {
  const machine = yield* makeMachine({
    name,
    ...options,
    env: { RUN_ACTIONS_MAX: "1000000", CREDITS_PER_HOUR: "1000000000", ...options.env }
  })
  const services = yield* Layer.build(operatorOf(machine)).pipe(Effect.mapError(benchFailed))
  const sql = yield* Effect.provideContext(SqlClient.SqlClient, services)
  const organization = (title: string) =>
    tenancy(machine, sql, title).pipe(Effect.provideContext(services), Effect.mapError(benchFailed))
  const operate: Bed["operate"] = (effect) =>
    Effect.mapError(Effect.provideContext(effect, Context.pick(SqlClient.SqlClient, Secrets)(services)), benchFailed)

  const until: Bed["until"] = Effect.fnUntraced(function* (what, probe, goal, everyMillis = 50) {
    const limit = (yield* Clock.currentTimeMillis) + WAIT_MILLIS
    for (;;) {
      const count = yield* Effect.mapError(probe, benchFailed)
      if (count >= goal) return
      if ((yield* Clock.currentTimeMillis) > limit) {
        return yield* new BenchFailed({ message: `${what}: ${count} of ${goal} after ${WAIT_MILLIS / 1000} s` })
      }
      yield* Effect.sleep(everyMillis)
    }
  })

  return { ...(yield* organization("Bench")), machine, sql, organization, operate, until } satisfies Bed as Bed
})

const tenancy = Effect.fnUntraced(function* (machine: Machine, sql: SqlClient.SqlClient, name: string) {
  const tenant = yield* makeTenant(name, 1, 1_000_000).pipe(Effect.mapError(benchFailed))
  const client = makeClient({ baseUrl: machine.baseUrl, token: tenant.tokens[0]!, patienceMillis: 30_000 })
  const { workspaces } = yield* Effect.mapError(client.get("GET", "/v1/workspace/org"), benchFailed)
  const workspaceId = workspaces[0].workspace_id as number
  const [user] = yield* sql<{ user_id: number }>`SELECT user_id FROM users WHERE org_id = ${tenant.orgId} LIMIT 1`.pipe(
    Effect.mapError(benchFailed)
  )
  const author = JSON.stringify({ type: "user", user_id: user!.user_id })

  const app: Bed["app"] = Effect.fnUntraced(function* (title: string) {
    const fields = [
      { field_type: "single_text", config: { label: "Name" } },
      { field_type: "number", config: { label: "Count" } },
      { field_type: "single_text", config: { label: "Note" } }
    ]
    const createdApp = yield* client.get("POST", "/v1/app", {
      body: { workspace_id: workspaceId, name: title, fields }
    })
    const ids = createdApp.fields.map((one: any) => [one.slug, one.field_id] as const)
    return { appId: createdApp.app_id as number, fields: Object.fromEntries(ids) as Record<string, number> }
  }, Effect.mapError(benchFailed))

  const automation: Bed["automation"] = Effect.fnUntraced(function* (appId: number, definition: object) {
    const body = { name: "Bench", filter: null, ...definition }
    const { automation } = yield* client.get("POST", `/v1/automation/app/${appId}`, { body })
    yield* client.get("POST", `/v1/automation/${automation.id}/activate`)
    return automation.id as number
  }, Effect.mapError(benchFailed))

  const records: Bed["records"] = Effect.fnUntraced(function* (
    { appId, fields }: AppOf,
    count: number,
    events: boolean
  ) {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    const cells = sql`jsonb_build_object(${String(fields["name"])}::text, jsonb_build_array('row ' || n),
      ${String(fields["count"])}::text, jsonb_build_array(n))`
    const rows = yield* sql<{ record_id: number }>`
      WITH c AS (
        UPDATE app_counters SET last_app_record_id = last_app_record_id + ${count}::int WHERE app_id = ${appId}
        RETURNING last_app_record_id - ${count}::int AS base
      ), i AS MATERIALIZED (
        SELECT base + n AS number, ${cells} AS cells, 'row ' || n AS title FROM c, generate_series(1, ${count}::int) AS n
      ), r AS (
        INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
        SELECT ${appId}, ${tenant.orgId}, number, title, cells, ${nowDate}, ${author}::jsonb FROM i
        RETURNING record_id, cells, title
      ), v AS (
        INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta)
        SELECT record_id, 0, 'creation', ${nowDate}, ${author}::jsonb, '{}' FROM r
      ), o AS (
        INSERT INTO outbox (type, org_id, app_id, record_id, hook, workflow, silent, depth, cause, payload, created_on)
        SELECT 'record.create', ${tenant.orgId}, ${appId}, record_id, true, true, false, 0, null,
          jsonb_build_object('revision', 0, 'author', ${author}::jsonb, 'cells', cells, 'title', title, 'changed', '[]'::jsonb), ${nowDate}
        FROM r WHERE ${events} ORDER BY record_id
      ), told AS (SELECT pg_notify('outbox', '') WHERE ${events})
      SELECT record_id FROM r LEFT JOIN told ON true ORDER BY record_id`
    return rows.map(({ record_id }) => record_id)
  }, Effect.mapError(benchFailed))

  return {
    client,
    token: tenant.tokens[0]!,
    orgId: tenant.orgId,
    workspaceId,
    app,
    automation,
    records
  } satisfies Tenancy as Tenancy
})

/** Sets the text field of a step's own record. */
export const setText = (fieldId: number, value: string) => ({
  field_type: "single_text",
  variable_def: { kind: "variable", source: "field", field_id: fieldId, field_type: "single_text" },
  assignment_type: "set",
  field_value: [value]
})

export const created = { type: "record_created", config: {} }

/** A step that sets the note of its own record and fires nothing. */
export const update = (app: AppOf, value: string) => ({
  type: "current_record_update",
  config: { field_assignments: [setText(app.fields["note"]!, value)], trigger_other_flows: false }
})

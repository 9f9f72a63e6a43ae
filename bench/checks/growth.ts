// Measures the cost of ten times as many rows (design: what fast means, growth): the same calls and events, before and after.
import { Effect } from "effect"
import { type AppOf, type Bed, created, makeBed, update } from "../support/bed.ts"
import type { Check } from "../support/Check.ts"
import { callTimes } from "../support/callTimes.ts"
import { seedHook } from "../support/hooks.ts"
import { latencyOf, postLatencyOf } from "../support/latency.ts"
import { BenchFailed } from "../support/Row.ts"
import { startBenchReceiver } from "../support/receiver.ts"

/** Rows in full, after the growth; a tenth of them before. */
const TOKENS = 1_000_000
const RECORDS = 1_000_000
const HOOKS = 10_000
const AUTOMATIONS = 10_000
const APPS = 1_000
/** Share of the check's length that each of the five measurements takes, before and after. */
const PART = 1 / 10

/**
 * Adds a share of the further rows: tokens of one user, records and revisions of one app, hooks and active automations spread over apps.
 */
const grow = Effect.fnUntraced(
  function* ({ orgId, sql, workspaceId }: Bed, { appId, fields }: AppOf, share: number) {
    const [user] = yield* sql<{ user_id: number }>`SELECT user_id FROM users WHERE org_id = ${orgId} LIMIT 1`
    const nowDate = new Date()
    yield* sql`
      INSERT INTO api_credentials (user_id, kind, token_hash, hint, name, scopes, created_on)
      SELECT ${user!.user_id}, 'personal_access_token', sha256((random()::text || n)::bytea), 'none', 'grown', ARRAY['data:read'], ${nowDate}
      FROM generate_series(1, ${TOKENS * share}::int) AS n`
    yield* sql`
      WITH c AS (
        UPDATE app_counters SET last_app_record_id = last_app_record_id + ${RECORDS * share}::int WHERE app_id = ${appId}
        RETURNING last_app_record_id - ${RECORDS * share}::int AS base
      ), r AS (
        INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
        SELECT ${appId}, ${orgId}, base + n, 'row ' || n,
          jsonb_build_object(${String(fields["name"])}::text, jsonb_build_array('row ' || n)),
          ${nowDate}, '{"type":"user","user_id":1}'
        FROM c, generate_series(1, ${RECORDS * share}::int) AS n RETURNING record_id
      )
      INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta)
      SELECT record_id, 0, 'creation', ${nowDate}, '{"type":"user","user_id":1}', '{}' FROM r`
    yield* sql`
      WITH a AS (
        INSERT INTO apps (org_id, workspace_id, slug, name, item_name, position, created_on)
        SELECT ${orgId}, ${workspaceId}, 'grown-' || ${share}::text || '-' || n, 'Grown', 'Item', n, ${nowDate}
        FROM generate_series(1, ${APPS * share}::int) AS n RETURNING app_id
      ), h AS (
        INSERT INTO hooks (org_id, app_id, type, url, host, status, secret, verified_on, created_by, created_on)
        SELECT ${orgId}, app_id, 'record.create', 'http://127.0.0.1:9/', '127.0.0.1:9', 'active', ''::bytea, ${nowDate}, 1, ${nowDate}
        FROM a, generate_series(1, ${HOOKS / APPS}::int)
      )
      INSERT INTO automations (org_id, app_id, owner_id, name, timezone, paused, revision_id, trigger, actions, field_ids, app_ids,
        automation_ids, created_on, updated_on)
      SELECT ${orgId}, app_id, ${user!.user_id}, 'Grown', 'UTC', false, 0, '{"type":"record_created","config":{}}', '[]',
        '{}', ARRAY[app_id], '{}', ${nowDate}, ${nowDate}
      FROM a, generate_series(1, ${AUTOMATIONS / APPS}::int)`
    yield* sql`ANALYZE`
  },
  Effect.mapError(({ message }) => new BenchFailed({ message }))
)

export const growth: Check = {
  name: "growth",
  work: `calls and events with ${RECORDS / 10} records and tokens, ${HOOKS / 10} hooks and automations, and with ten times as many`,
  seconds: 100,
  run: Effect.fnUntraced(function* (seconds, say) {
    const receiver = yield* startBenchReceiver
    const bed = yield* makeBed("bench-growth", {
      env: { OUTBOUND_ALLOW: receiver.hostPort, WEBHOOK_PER_MINUTE: "100000000" }
    })
    const big = yield* bed.app("Big")
    const busy = yield* bed.app("Busy")
    const id = yield* bed.automation(busy.appId, { trigger: created, actions: [update(busy, "stamped")] })
    yield* bed.operate(seedHook({ orgId: bed.orgId, appId: busy.appId }, receiver.port, "/hook"))
    const [known] = yield* bed.records(big, 1, false)
    const body = { fields: { name: "Another", count: 7 } }
    const measures = {
      "GET /v1/user": (part: number) => callTimes(part, bed.client.get("GET", "/v1/user")),
      "POST of a record": (part: number) =>
        callTimes(part, bed.client.get("POST", `/v1/record/app/${big.appId}`, { body })),
      "GET of a record": (part: number) => callTimes(part, bed.client.get("GET", `/v1/record/${known}`)),
      "event to step": latencyOf(bed, busy, id, 50),
      "event to POST": postLatencyOf(receiver, bed.records(busy, 1, true), 50)
    }
    const measure = Effect.forEach(Object.values(measures), (one) => one(seconds * PART))
    yield* grow(bed, big, 0.1)
    yield* Effect.forEach(Object.values(measures), (one) => one(2))
    const initialTimes = yield* measure
    say("a tenth is measured")
    yield* grow(bed, big, 0.9)
    yield* Effect.forEach(Object.values(measures), (one) => one(2))
    const grownTimes = yield* measure
    const listing = bed.client.get("POST", `/v1/record/filter/app/${big.appId}?limit=30`, { body: { filters: [] } })
    const { p50 } = yield* callTimes(seconds * PART, listing)
    const rows = Object.keys(measures).flatMap((what, i) => [
      { what: `${what}, p50 before`, value: initialTimes[i]!["p50"]!, unit: "ms" },
      { what: `${what}, p50 after`, value: grownTimes[i]!["p50"]!, unit: "ms" },
      { what: `${what}, p99 before`, value: initialTimes[i]!["p99"]!, unit: "ms" },
      { what: `${what}, p99 after`, value: grownTimes[i]!["p99"]!, unit: "ms" },
      {
        what: `${what}, p99 after / before`,
        value: grownTimes[i]!["p99"]! / initialTimes[i]!["p99"]!,
        unit: "",
        atMost: 1.5
      }
    ])
    // Its total is counted (developer-api.md 1.4), which takes as long as there are records.
    return [...rows, { what: "first page of all records, p50 after", value: p50, unit: "ms" }]
  }, Effect.scoped)
}

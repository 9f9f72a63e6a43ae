// Operator commands for webhooks: hooks with their health, the delivery log, replay (decisions P1, W8).
import { Clock, Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { waitingByHook } from "../../domain/webhooks/bundles/allDeliveries.ts"
import { Deliveries } from "../../domain/webhooks/Deliveries.ts"
import { deliveryStatuses } from "../../domain/webhooks/Delivery.ts"
import { HookStatus, HookType } from "../../domain/webhooks/Hook.ts"
import { makeOverview, whyOf } from "../../domain/webhooks/hookDetails.ts"
import { HookReplays } from "../../domain/webhooks/replays/HookReplays.ts"
import { replayedByDefault } from "../../domain/webhooks/replays/Replay.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { failWith, instant, json, print } from "./output.ts"
import { webhookExport } from "./webhookExport.ts"
import { webhookListen } from "./webhookListen.ts"
import { webhookStatistics } from "./webhookStatistics.ts"

const hookId = Argument.Int("hook_id")
const deliveryId = Argument.String("delivery_id")
const status = Flag.Literals("status", deliveryStatuses).pipe(Flag.optional)
/** Newest deliveries that are shown with a hook. */
const NEWEST = 10
/** Characters of a response body that the table of attempts shows. */
const BODY_SHOWN = 80

const requireExisting = Effect.fnUntraced(function* (kind: "app" | "hook", id: number) {
  const sql = yield* Sql
  const rows = yield* sql`SELECT 1 FROM ${sql(`${kind}s`)} WHERE ${sql(`${kind}_id`)} = ${String(id)}::numeric`
  if (rows.length === 0) return yield* failWith({ message: `No ${kind} with id ${id}.` })
})

const HookLine = Schema.Struct({
  hook_id: Schema.Int,
  app_id: Schema.Int,
  type: HookType,
  host: Schema.String,
  status: HookStatus,
  num_failed_executions: Schema.Int,
  waiting: Schema.Int,
  lost_on: Schema.NullOr(Schema.Date)
})

const list = Command.make(
  "list",
  {
    appId: Argument.Int("app_id").pipe(Argument.optional),
    failing: Flag.Boolean("failing").pipe(
      Flag.withDescription("Only hooks that fail or have lost their verification"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fnUntraced(function* ({ appId, failing, json }) {
    const sql = yield* Sql
    if (Option.isSome(appId)) yield* requireExisting("app", appId.value)
    const which = sql`${Option.isSome(appId) ? sql`h.app_id = ${appId.value}` : sql`true`}
        AND (${!failing} OR h.num_failed_executions > 0 OR (h.status = 'inactive' AND h.verified_on IS NOT NULL))`
    const rows = yield* rowsOf(HookLine)(sql`
      SELECT hook_id, app_id, type, host, status, num_failed_executions, q.waiting, lost_on
      FROM hooks h JOIN ${waitingByHook(sql, which)} q USING (hook_id) ORDER BY app_id, hook_id`)
    // The last loss is news only while it lasts.
    yield* print(
      json,
      rows.map((row) => (row.status === "active" ? { ...row, lost_on: null } : row))
    )
  })
).pipe(Command.withDescription("List an app's hooks, or all, with their failures in a row and what waits"))

const Standing = Schema.Struct({
  org_id: Schema.Int,
  code_expires_on: Schema.NullOr(Schema.Date),
  verified_on: Schema.NullOr(Schema.Date),
  lost_on: Schema.NullOr(Schema.Date),
  created_on: Schema.Date,
  description: Schema.NullOr(Schema.String),
  filter_problem: Schema.NullOr(Schema.String),
  connection_ended_on: Schema.NullOr(Schema.Date),
  record_withheld_on: Schema.NullOr(Schema.Date),
  mismatched: Schema.Int,
  window_start: Schema.NullOr(Schema.Date),
  used: Schema.NullOr(Schema.Int),
  cap: Schema.NullOr(Schema.Int)
})

const show = Command.make(
  "show",
  { hookId, json },
  Effect.fnUntraced(function* ({ hookId, json }) {
    const sql = yield* Sql
    yield* requireExisting("hook", hookId)
    const [standing] = yield* rowsOf(Standing)(sql`
      SELECT h.org_id, h.code_expires_on, h.verified_on, h.lost_on, h.created_on, h.description, h.filter_problem,
        h.connection_ended_on, h.record_withheld_on,
        coalesce(m.count, 0) AS mismatched, w.window_start, w.used, w.cap
      FROM hooks h LEFT JOIN webhook_windows w USING (app_id) LEFT JOIN hook_mismatches m USING (hook_id) WHERE h.hook_id = ${hookId}`)
    const hook = (yield* (yield* makeOverview).ofHook(hookId))!
    const newest = yield* Deliveries.use((service) => service.list(hookId, {}, { limit: NEWEST }))
    const nowMillis = yield* Clock.currentTimeMillis
    const { webhookFailuresAllowed, webhookWindowSeconds } = yield* AppConfig
    const { window_start, used, cap, mismatched, description, filter_problem, ...times } = standing!
    const isWindowOpen = window_start !== null && nowMillis < window_start.getTime() + webhookWindowSeconds * 1_000
    const about = {
      hook: hook.hook_id,
      app: `${hook.app_id} "${hook.app_name}", organization ${times.org_id}`,
      type: hook.type,
      host: hook.host,
      status: hook.status,
      why: whyOf(
        hook,
        0,
        { start: window_start?.getTime() ?? 0, used: used ?? 0, cap: cap ?? 1 },
        webhookWindowSeconds * 1_000,
        nowMillis
      ),
      description,
      filter_problem,
      paused_with_its_connection: times.connection_ended_on,
      without_the_record_since: times.record_withheld_on,
      left_out_by_filter: mismatched === 0 ? null : `${mismatched} events`,
      failures_in_a_row: `${hook.num_failed_executions} of ${webhookFailuresAllowed} allowed`,
      last_failure: hook.cause === null ? null : `${hook.cause} at ${formatDateTime(hook.failed_on!)}`,
      waiting: `${hook.waiting}, of them ${hook.retries} retries, ${hook.behind} behind their record's earlier ones`,
      window: isWindowOpen ? `${used} of ${cap} executions used since ${formatDateTime(window_start)}` : "not in use",
      verified_on: times.verified_on,
      lost_on: hook.status === "active" ? null : times.lost_on,
      code_expires_on: times.code_expires_on,
      created_on: times.created_on
    }
    const latest = newest.deliveries.map(({ payload: _, ...delivery }) => delivery)
    if (json) return yield* print(true, { ...about, ...hook, latest_deliveries: latest })
    yield* print(false, Object.fromEntries(Object.entries(about).filter(([, value]) => value !== null)))
    yield* Console.log("")
    yield* print(false, latest)
  })
).pipe(Command.withDescription("One hook: why it fails or waits, its verification, and its newest deliveries"))

const deliveries = Command.make(
  "deliveries",
  {
    hookId,
    status,
    since: Flag.String("since").pipe(Flag.optional),
    before: Flag.String("before").pipe(Flag.withDescription("A time, not included"), Flag.optional),
    limit: Flag.Int("limit").pipe(Flag.withDescription("1 to 500"), Flag.withDefault(100)),
    json
  },
  Effect.fnUntraced(function* ({ before, hookId, json, limit, since, status }) {
    if (limit < 1 || limit > 500) return yield* failWith({ message: "--limit: expected 1 to 500." })
    yield* requireExisting("hook", hookId)
    const service = yield* Deliveries
    const filter = {
      ...(Option.isSome(status) ? { status: status.value } : {}),
      ...(Option.isSome(since) ? { since: yield* instant(since.value) } : {}),
      ...(Option.isSome(before) ? { before: yield* instant(before.value) } : {})
    }
    const page = yield* service.list(hookId, filter, { limit })
    yield* print(json, json ? [...page.deliveries] : page.deliveries.map(({ payload: _, ...delivery }) => delivery))
  })
).pipe(Command.withDescription("List a hook's deliveries, newest first"))

const delivery = Command.make(
  "delivery",
  { deliveryId, json },
  Effect.fnUntraced(function* ({ deliveryId, json }) {
    const deliveryView = yield* Deliveries.use((service) => service.get(deliveryId))
    if (json) return yield* print(true, deliveryView)
    const { attempts, ...about } = deliveryView
    yield* print(false, about)
    yield* print(
      false,
      attempts.map(({ response_body, ...attempt }) => ({
        ...attempt,
        response_body: response_body?.replaceAll(/\s+/g, " ").slice(0, BODY_SHOWN) ?? null
      }))
    )
  })
).pipe(Command.withDescription("Show one delivery with every attempt; --json with the answers in full"))

const replay = Command.make("replay", { deliveryId, json }, ({ deliveryId, json }) =>
  Effect.flatMap(
    Deliveries.use((service) => service.replay(deliveryId, null)),
    (replayed) => print(json, { replayed })
  )
).pipe(Command.withDescription("Send one delivery again"))

const replaySince = Command.make(
  "replay-since",
  {
    hookId,
    since: Argument.String("since"),
    before: Flag.String("before").pipe(Flag.withDescription("A time, not included"), Flag.optional),
    status,
    error: Flag.String("error").pipe(
      Flag.withDescription("Only those whose last attempt ended with this class of error, such as timeout"),
      Flag.optional
    ),
    perMinute: Flag.Int("per-minute").pipe(
      Flag.withDescription("Executions it begins in a minute at most"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* ({ before, error, hookId, json, perMinute, since, status }) {
    const service = yield* HookReplays
    const replay = yield* service.start(
      hookId,
      {
        since: yield* instant(since),
        before: Option.isSome(before) ? yield* instant(before.value) : undefined,
        statuses: Option.match(status, { onNone: () => replayedByDefault, onSome: (one) => [one] }),
        errors: Option.getOrUndefined(Option.map(error, (one) => [one])),
        perMinute: Option.getOrUndefined(perMinute)
      },
      "operator"
    )
    yield* print(json, replay)
  })
).pipe(
  Command.withDescription("Send again what failed or was withheld since a time (UTC), or what has --status: a job")
)

const replayId = Argument.Int("replay_id")

const replays = Command.make("replays", { hookId, json }, ({ hookId, json }) =>
  Effect.gen(function* () {
    yield* requireExisting("hook", hookId)
    const list = yield* HookReplays.use((service) => service.list(hookId))
    yield* print(
      json,
      json
        ? list
        : list.map(({ begun, counted, created_on, ended_on, replay_id, replayed, state, waiting }) => ({
            ...{ replay_id, state, replayed: counted ? replayed : `${replayed} so far` },
            ...{ begun, waiting, created_on, ended_on }
          }))
    )
  })
).pipe(Command.withDescription("The replays of a hook, the latest first: what they chose, and how far they are"))

const replayCancel = Command.make("replay-cancel", { replayId, json }, ({ json, replayId }) =>
  Effect.flatMap(
    HookReplays.use((service) => service.cancel(replayId, null)),
    (replay) => print(json, replay)
  )
).pipe(Command.withDescription("Cancel a replay: what it has not begun is what it was before"))

export const webhookCommands = [
  Command.make("webhook").pipe(
    Command.withDescription("Webhooks: hooks, deliveries, replay"),
    Command.withSubcommands([
      list,
      show,
      deliveries,
      delivery,
      webhookExport,
      replay,
      replaySince,
      replays,
      replayCancel,
      webhookStatistics,
      webhookListen
    ])
  )
]

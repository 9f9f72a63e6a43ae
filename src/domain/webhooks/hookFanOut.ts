// Fans events out to deliveries and the queue in the relay's transaction (service.md 6; decisions W3, W5, W10).
import { DateTime, Effect, Schema } from "effect"
import type { FannedOut, FanOut } from "../../engine/actors/ActorKind.ts"
import { batchApps } from "../../engine/actors/batchVariables.ts"
import type { OutboxEvent } from "../../engine/outbox/Event.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { rightsColumn } from "../accounts/Authority.ts"
import { type Directs, makeDirectFanOut } from "./bundles/directFanOut.ts"
import { HEALTHY_HOOK, SUBSCRIBED_HOOK } from "./claimParts.ts"
import { FilterTarget, makeFilterEvents } from "./filterEvents.ts"
import { type HookCommand, isHookCommand } from "./hookActorCommands.ts"
import { READER } from "./hookReadRights.ts"
import { bodyOf, isOwn, type NotifiedEvent, notifies } from "./notifiedEvents.ts"
import { makeQueueDeliveries, type NewDelivery, type OfRecord } from "./queueDeliveries.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

const Target = Schema.Struct({
  ...FilterTarget.fields,
  type: Schema.String,
  /** Null if the hook has only its `type`. */
  types: Schema.NullOr(Schema.Array(Schema.String)),
  active: Schema.Boolean,
  paused: Schema.Boolean,
  /** The hook has no pacing limits, and its last delivery succeeded. */
  plain: Schema.Boolean,
  events_from: Schema.NullOr(Schema.Int)
})

type Target = typeof Target.Type

/** Events by app and type, each list in event order. */
const byEvent = (facts: ReadonlyArray<NotifiedEvent>) => Map.groupBy(facts, ({ app_id, type }) => `${app_id} ${type}`)

/** Events that the hook is notified of, in event order. */
const factsOf = ({ app_id, events_from, hook_id, type, types }: Target, facts: ReturnType<typeof byEvent>) => {
  const hookFacts = (types ?? [type])
    .flatMap((one) => facts.get(`${app_id} ${one}`) ?? [])
    .filter((fact) => fact.event_id >= (events_from ?? 0) && !isOwn(hook_id, fact))
  return types === null ? hookFacts : hookFacts.sort((a, b) => a.event_id - b.event_id)
}

export const makeFanOut = Effect.fnUntraced(function* (directs: Directs) {
  const sql = yield* Sql
  const sift = yield* makeFilterEvents
  const { holdRecords, insertDeliveries } = makeQueueDeliveries(sql)
  const directly = yield* makeDirectFanOut(yield* WebhookSettings, directs)

  /** Locks hooks against deletion, and against a loss of their verification while deliveries are added (settleOneByOne.ts). */
  const targets = rowsOf(Target)(sql`
    SELECT hook_id, app_id, org_id, type, types, status = 'active' AS active, paused_on IS NOT NULL AS paused, events_from,
      filter::text AS filter, only_fields, filter_problem, ${sql.literal(HEALTHY_HOOK)} AS plain, ${sql.literal(READER)},
      CASE WHEN filter IS NOT NULL THEN ${rightsColumn(sql, "coalesce(h.author_id, h.created_by)", "h.app_id")} END AS rights
    FROM hooks h WHERE app_id = ${batchApps(sql)} AND ${sql.literal(SUBSCRIBED_HOOK)}
    ORDER BY hook_id FOR KEY SHARE`)

  const insertCommands = (commands: ReadonlyArray<HookCommand>, now: Date) => sql`
    INSERT INTO webhook_commands (event_id, app_id, hook_id, verification, step, due_at)
    SELECT event_id, app_id, hook_id, verification, step, ${now}
    FROM jsonb_to_recordset(${JSON.stringify(commands)}::jsonb)
      AS x(event_id bigint, app_id bigint, hook_id bigint, verification integer, step text)
    ON CONFLICT DO NOTHING`

  const fanOut = Effect.fnUntraced(function* (hooks: ReadonlyArray<Target>, events: ReadonlyArray<OutboxEvent>) {
    const nowDate = DateTime.toDateUtc(yield* DateTime.now)
    /** Organizations of the apps whose actors get something, and those of them that do not get all of it directly. */
    const orgs = new Map<number, number>()
    const wokenApps = new Set<number>()
    const changedApps = new Set(events.flatMap(({ app_id, type }) => (type === "app.update" ? [app_id] : [])))
    const notified = events.filter(notifies)
    const ofApps = byEvent(notified)
    const { handing, takes } = directly(notified, nowDate)
    const rows: Array<NewDelivery> = []
    const goingDirect: Array<OfRecord> = []
    const concernedHooks = hooks
      .map((target) => ({ target, own: factsOf(target, ofApps), appChanged: changedApps.has(target.app_id) }))
      .filter(({ appChanged, own }) => own.length > 0 || appChanged)
    const { left, passes, paused } = yield* sift(concernedHooks, events, nowDate)
    for (const { own, target: hook } of concernedHooks) {
      const sentEvents = own.filter((event) => !left.has(event.event_id) && passes(hook.hook_id, event))
      const isDelivering = sentEvents.length > 0 && hook.active && !hook.paused && !paused.has(hook.hook_id)
      if (isDelivering) orgs.set(hook.app_id, hook.org_id)
      for (const event of sentEvents) {
        if (isDelivering && hook.plain && takes(hook.app_id, hook.hook_id, event)) {
          goingDirect.push({ hook_id: hook.hook_id, app_id: hook.app_id, record_id: event.record_id, type: event.type })
          continue
        }
        const row: NewDelivery = {
          hook_id: hook.hook_id,
          event_id: event.event_id,
          app_id: hook.app_id,
          record_id: event.record_id,
          type: event.type,
          status: hook.active ? "queued" : "withheld",
          payload: JSON.stringify(bodyOf(hook.hook_id, event)),
          created_on: event.created_on,
          traceparent: event.traceparent ?? null
        }
        rows.push(row)
        if (isDelivering) wokenApps.add(hook.app_id)
      }
    }
    const commands = events.filter(isHookCommand).filter(({ event_id }) => !left.has(event_id))
    for (const { app_id, org_id } of commands) {
      if (app_id === null) continue
      orgs.set(app_id, org_id)
      wokenApps.add(app_id)
    }
    const steps = commands.flatMap((event) =>
      event.type === "command.hook.verify" && event.app_id !== null
        ? [{ ...event.payload, event_id: event.event_id, app_id: event.app_id } as unknown as HookCommand]
        : []
    )
    const { ended, writes: bundling } = handing()
    const statements = [
      ...holdRecords(rows, goingDirect),
      ...(rows.length === 0 ? [] : [insertDeliveries(rows, nowDate)]),
      ...bundling,
      ...(steps.length === 0 ? [] : [insertCommands(steps, nowDate)])
    ]
    const addresses = [...orgs].map(([appId, org_id]) => ({ id: String(appId), org_id, due_at: null }))
    const actors = new Set([...orgs.keys()].filter((appId) => !wokenApps.has(appId)).map(String))
    return { addresses, writes: statements, direct: { actors, ended }, left } satisfies FannedOut
  })

  return Effect.map(
    targets,
    (hooks): FanOut =>
      (events) =>
        fanOut(hooks, events)
  )
})

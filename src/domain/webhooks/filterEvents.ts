// Filters events of a hook: drops those that its filter does not match, and updates that change none of its fields (decisions W13). Dropped
// events are counted, not stored. Runs in the relay's transaction, which also carries the events of others, so the time for an
// organization's filters is bounded. A hook without filter and fields costs nothing here.
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { OutboxEvent, RecordChange } from "../../engine/outbox/Event.ts"
import { ActorTuning } from "../../platform/config/Tuning.ts"
import { makeGivingWay } from "../../platform/primitives/slices.ts"
import { jsonb } from "../../platform/sql/columns.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { FoundRights } from "../accounts/Authority.ts"
import { EventJudge, FilterRules, FilterUnusable } from "./EventFilters.ts"
import { AboutHook, aboutOf, HookNotices } from "./HookNotices.ts"
import { ReaderColumns, readingProblem } from "./hookReadRights.ts"

/** Filter settings and reader of a hook in the fan-out. */
export const FilterTarget = Schema.Struct({
  hook_id: Schema.Int,
  app_id: Schema.Int,
  org_id: Schema.Int,
  filter: Schema.NullOr(Schema.String),
  only_fields: Schema.NullOr(jsonb<ReadonlyArray<number>>()),
  /** Reason that the filter can no longer be used: events pass, and wait. */
  filter_problem: Schema.NullOr(Schema.String),
  ...ReaderColumns,
  /** Rights that the person who saved the hook last has now; null without a filter. */
  rights: Schema.NullOr(FoundRights)
})
type SievedTarget = typeof FilterTarget.Type

/** Hook with the events that it would be sent. */
interface Sieved {
  readonly target: SievedTarget
  readonly own: ReadonlyArray<OutboxEvent>
  /** The app's fields may have changed since the last batch. */
  readonly appChanged: boolean
}

/** Result of filtering the events. */
interface Sifted {
  readonly passes: (hookId: number, event: OutboxEvent) => boolean
  /** Hooks whose filter has just been found unusable; they are paused. */
  readonly paused: ReadonlySet<number>
  /** Events left for the next batch: judging those before them took long enough. */
  readonly left: ReadonlySet<number>
}

const concernsFields = ({ payload, type }: OutboxEvent, { only_fields }: SievedTarget) =>
  only_fields === null ||
  type !== "record.update" ||
  only_fields.some((id) => (payload as RecordChange).changed?.includes(id) === true)

/** Apps have no record to judge. */
const isJudged = ({ record_id }: OutboxEvent) => record_id !== null

export const makeFilterEvents = Effect.gen(function* () {
  const sql = yield* Sql
  const rules = yield* FilterRules
  const eventJudge = yield* EventJudge
  const notices = yield* HookNotices
  const { relayJudgingMillis } = yield* ActorTuning

  const pause = Effect.fnUntraced(function* (hookId: number, reason: string, now: Date) {
    const [hook] = yield* rowsOf(AboutHook)(sql`
      UPDATE hooks SET paused_on = coalesce(paused_on, ${now}), filter_problem = ${reason}
      WHERE hook_id = ${hookId} RETURNING hook_id, app_id, org_id, host, type, num_failed_executions`)
    if (hook === undefined) return
    yield* notices.tell({ ...aboutOf(hook), notice: { kind: "paused", reason } })
  })

  const count = (hookId: number, left: number, now: Date) => sql`
    INSERT INTO hook_mismatches (hook_id, count, last_on) VALUES (${hookId}, ${left}, ${now})
    ON CONFLICT (hook_id) DO UPDATE SET count = hook_mismatches.count + excluded.count, last_on = excluded.last_on`

  /**
   * Judges the events of one organization in event order. Returns the id of the last judged event if later ones are left for the next
   * batch.
   */
  const judgeAll = Effect.fnUntraced(function* (
    hooks: ReadonlyArray<Sieved>,
    decided: (
      target: SievedTarget,
      event: OutboxEvent,
      matches: boolean | FilterUnusable
    ) => Effect.Effect<void, SqlError>
  ) {
    const asking = Map.groupBy(
      hooks.flatMap(({ own, target }) =>
        own.filter((event) => isJudged(event) && concernsFields(event, target)).map((event) => ({ event, target }))
      ),
      ({ event }) => event
    )
    const events = [...asking.keys()].sort((a, b) => a.event_id - b.event_id)
    const ofApps = new Map(
      hooks.map(({ target: { app_id, org_id } }) => [
        app_id,
        eventJudge.of(
          { app_id, org_id },
          events.filter((event) => event.app_id === app_id)
        )
      ])
    )
    const givingWay = makeGivingWay()
    const clock = yield* Clock.Clock
    const end = clock.monotonicTimeNanosUnsafe() + BigInt(relayJudgingMillis) * 1_000_000n
    for (const event of events) {
      for (const { target } of asking.get(event)!) {
        yield* givingWay
        const matches = ofApps.get(target.app_id)!(event, target.filter!)
        yield* decided(
          target,
          event,
          yield* Effect.catchTag(matches, "FilterUnusable", (error) => Effect.succeed(error))
        )
      }
      if (clock.monotonicTimeNanosUnsafe() >= end && event !== events.at(-1)) return event.event_id
    }
    return undefined
  })

  /** @param events all events of the batch */
  return Effect.fnUntraced(function* (hooks: ReadonlyArray<Sieved>, events: ReadonlyArray<OutboxEvent>, now: Date) {
    const [paused, left] = [new Set<number>(), new Set<number>()]
    const out = new Map<number, Set<number>>()
    const leaveOut = (hookId: number, event: OutboxEvent) => {
      const leftOutIds = out.get(hookId) ?? new Set()
      out.set(hookId, leftOutIds.add(event.event_id))
    }
    const unusable = Effect.fnUntraced(function* ({ hook_id }: SievedTarget, { message }: FilterUnusable) {
      if (paused.has(hook_id)) return
      paused.add(hook_id)
      yield* pause(hook_id, message, now)
    })
    const sieves = hooks.filter(
      ({ target }) => target.filter_problem === null && (target.filter !== null || target.only_fields !== null)
    )
    for (const { appChanged, own, target } of sieves) {
      const { filter, only_fields } = target
      for (const event of own) if (isJudged(event) && !concernsFields(event, target)) leaveOut(target.hook_id, event)
      // Checks that the person who saved the hook last may read the records that the filter judges (W17).
      const unread = filter === null ? undefined : readingProblem(target, target.rights)
      if (unread !== undefined) yield* unusable(target, new FilterUnusable({ message: unread }))
      if (!appChanged || paused.has(target.hook_id)) continue
      yield* Effect.catchTag(
        rules.usable(target, { filter: filter === null ? null : JSON.parse(filter), only_fields }),
        "FilterUnusable",
        (error) => unusable(target, error)
      )
    }
    const judged = sieves.filter(({ target }) => target.filter !== null && !paused.has(target.hook_id))
    for (const [orgId, ofOrg] of Map.groupBy(judged, ({ target }) => target.org_id)) {
      const lastJudgedId = yield* judgeAll(ofOrg, (target, event, matches) => {
        if (typeof matches === "object") return unusable(target, matches)
        if (!matches) leaveOut(target.hook_id, event)
        return Effect.void
      })
      // Leaves all later events of the organization, so that they keep their order.
      if (lastJudgedId !== undefined)
        for (const { event_id, org_id } of events) if (org_id === orgId && event_id > lastJudgedId) left.add(event_id)
    }
    for (const [hookId, ids] of out) {
      const mismatches = [...ids].filter((id) => !left.has(id)).length
      if (mismatches > 0 && !paused.has(hookId)) yield* count(hookId, mismatches, now)
    }
    return {
      passes: (hookId, { event_id }) => paused.has(hookId) || out.get(hookId)?.has(event_id) !== true,
      paused,
      left
    } satisfies Sifted
  })
})

// Which events a hook is not sent: those that its filter does not match, and updates that touch none of its fields (decisions W13). They
// are counted, not stored. In the relay's transaction; a hook without either costs nothing here.
import { Effect, Schema } from "effect"
import type { OutboxEvent, RecordChange } from "../../engine/outbox/Event.ts"
import { jsonb } from "../../ground/sql/columns.ts"
import { rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { EventJudge, FilterRules, type FilterUnusable } from "./EventFilters.ts"
import { HookNotices } from "./HookNotices.ts"

/** What a target of the fan-out says of its sieve. */
export const SievedTarget = Schema.Struct({
  hook_id: Schema.Int,
  app_id: Schema.Int,
  org_id: Schema.Int,
  filter: Schema.NullOr(Schema.String),
  only_fields: Schema.NullOr(jsonb<ReadonlyArray<number>>()),
  /** Why the filter cannot be used any more: events pass, and wait. */
  filter_problem: Schema.NullOr(Schema.String)
})
type SievedTarget = typeof SievedTarget.Type

const PausedHook = Schema.Struct({
  hook_id: Schema.Int,
  app_id: Schema.Int,
  org_id: Schema.Int,
  host: Schema.String,
  type: Schema.String,
  num_failed_executions: Schema.Int
})

/** What became of the events of one hook. */
export interface Sifted {
  readonly passes: (event: OutboxEvent) => boolean
  /** Its filter has just been found unusable, and the hook was paused. */
  readonly paused: boolean
}

const everything: Sifted = { passes: () => true, paused: false }

const touches = ({ payload, type }: OutboxEvent, fields: ReadonlyArray<number>) =>
  type !== "record.update" || fields.some((id) => (payload as RecordChange).changed?.includes(id) === true)

/** Apps have no record to judge. */
const isJudged = ({ record_id }: OutboxEvent) => record_id !== null

export const makeSift = Effect.gen(function* () {
  const sql = yield* Sql
  const rules = yield* FilterRules
  const judge = yield* EventJudge
  const notices = yield* HookNotices

  const pause = Effect.fnUntraced(function* (hookId: number, reason: string, now: Date) {
    const [hook] = yield* rowsOf(PausedHook)(sql`
      UPDATE hooks SET paused_on = coalesce(paused_on, ${now}), filter_problem = ${reason}
      WHERE hook_id = ${hookId} RETURNING hook_id, app_id, org_id, host, type, num_failed_executions`)
    if (hook === undefined) return
    const { num_failed_executions: failures, ...about } = hook
    yield* notices.tell({ ...about, failures, allowed: failures, notice: { kind: "paused", reason } })
  })

  const count = (hookId: number, left: number, now: Date) => sql`
    INSERT INTO hook_mismatches (hook_id, count, last_on) VALUES (${hookId}, ${left}, ${now})
    ON CONFLICT (hook_id) DO UPDATE SET count = hook_mismatches.count + excluded.count, last_on = excluded.last_on`

  const judged = Effect.fnUntraced(function* (
    target: SievedTarget,
    events: ReadonlyArray<OutboxEvent>,
    appChanged: boolean
  ) {
    const { filter, only_fields } = target
    if (appChanged) yield* rules.usable(target, { filter: filter === null ? null : JSON.parse(filter), only_fields })
    const about = events.filter(isJudged)
    const touched = only_fields === null ? about : about.filter((event) => touches(event, only_fields))
    const matching = filter === null ? touched.map(() => true) : yield* judge.matches(target, filter, touched)
    const kept = new Set(touched.filter((_, index) => matching[index] === true))
    return new Set(about.filter((event) => !kept.has(event)))
  })

  /** @param appChanged the app's fields may have changed since the last batch */
  return Effect.fnUntraced(function* (
    target: SievedTarget,
    events: ReadonlyArray<OutboxEvent>,
    appChanged: boolean,
    now: Date
  ) {
    if (target.filter_problem !== null || (target.filter === null && target.only_fields === null)) return everything
    const left = yield* judged(target, events, appChanged).pipe(
      Effect.catchTag("FilterUnusable", (error: FilterUnusable) => Effect.succeed(error))
    )
    if (!(left instanceof Set)) {
      yield* pause(target.hook_id, left.message, now)
      return { ...everything, paused: true } satisfies Sifted
    }
    if (left.size > 0) yield* count(target.hook_id, left.size, now)
    return { passes: (event: OutboxEvent) => !left.has(event), paused: false } satisfies Sifted
  })
})

// A sleeping actor is nudged ahead of the commit of its rows (docs/architecture.md, "One flow"): what a nudge sets off takes longer than the
// rest of the relay's transaction.
import { Effect, Schema, Struct } from "effect"
import { rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { ActorKinds, type Address, actorKey } from "./ActorKind.ts"
import { Called } from "./Actors.ts"
import { eachAppAtHand } from "./atHand.ts"
import { openColumn } from "./calling.ts"
import { type Nudged, Nudges } from "./Nudges.ts"

const Sleeper = Schema.Struct(Struct.pick(Called.fields, ["actor_key", "open", "fence"]))
type Sleeper = typeof Sleeper.Type

export const makeNudgeAhead = Effect.gen(function* () {
  const sql = yield* Sql
  const nudges = yield* Nudges
  const perApp = (yield* ActorKinds).filter((kind) => kind.perApp).map(({ name }) => name)

  /** Idle actors of the batch's apps, by their keys. */
  const sleepers = Effect.map(
    rowsOf(Sleeper)(sql`
      SELECT actor_key, ${openColumn(sql)}, fence FROM actors
      WHERE state = 'asleep' AND actor_key IN (
        SELECT kind || '/' || app_id FROM unnest(${perApp}::text[]) AS kind, ${eachAppAtHand(sql)} AS app_id)`),
    (rows) => new Map(rows.map((row) => [row.actor_key, row]))
  )

  /**
   * Whoever has begun before the rows were committed finds them when it is woken; where nothing is committed, or it has gone back to sleep by
   * then, an activation has found nothing.
   * @returns whether one that was called needs no other nudge: it has not begun since
   */
  const nudgeAhead = Effect.fnUntraced(function* (
    addressed: ReadonlyArray<readonly [kind: string, Address]>,
    asleep: ReadonlyMap<string, Sleeper>,
    now: Date
  ) {
    const ahead = new Map<string, Nudged & Sleeper>()
    for (const [kind, { due_at, id, org_id }] of addressed) {
      const sleeper = asleep.get(actorKey(kind, id))
      if (sleeper !== undefined && (due_at === null || due_at <= now))
        ahead.set(sleeper.actor_key, { ...sleeper, kind, id, org_id })
    }
    // Its call is made before the statements that write the rows.
    if (ahead.size > 0) yield* Effect.andThen(nudges.offer([...ahead.values()]), Effect.yieldNow)
    return ({ actor_key, fence }: Called) => ahead.get(actor_key)?.fence === fence
  })

  return { sleepers, nudgeAhead }
})

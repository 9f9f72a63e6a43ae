// Nudges an idle actor before its rows are committed (docs/architecture/flow.md, "One flow"): what a nudge sets off takes longer than the rest
// of the relay's transaction.
import { Effect, Schema, Struct } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { ActorKinds, type Address, actorKey } from "./ActorKind.ts"
import { Called } from "./Actors.ts"
import { type ActorWake, ActorWakes } from "./ActorWakes.ts"
import { eachBatchApp } from "./batchVariables.ts"
import { openColumn } from "./callActors.ts"

const Sleeper = Schema.Struct(Struct.pick(Called.fields, ["actor_key", "open", "fence"]))
type Sleeper = typeof Sleeper.Type

export const makeWakeAhead = Effect.gen(function* () {
  const sql = yield* Sql
  const actorWakes = yield* ActorWakes
  const perApp = (yield* ActorKinds).filter((kind) => kind.perApp).map(({ name }) => name)

  /** Idle actors of the batch's apps, by their keys. */
  const sleepers = Effect.map(
    rowsOf(Sleeper)(sql`
      SELECT actor_key, ${openColumn(sql)}, fence FROM actors
      WHERE state = 'asleep' AND actor_key IN (
        SELECT kind || '/' || app_id FROM unnest(${perApp}::text[]) AS kind, ${eachBatchApp(sql)} AS app_id)`),
    (rows) => new Map(rows.map((row) => [row.actor_key, row]))
  )

  /**
   * Nudges the idle ones of the addressed actors. An activation that begins before the commit finds the rows when it is woken. If nothing
   * is committed, or the actor has gone idle again by then, the activation has found nothing.
   * @returns whether a called actor needs no other nudge: it has not begun since
   */
  const wakeAhead = Effect.fnUntraced(function* (
    addressed: ReadonlyArray<readonly [kind: string, Address]>,
    asleep: ReadonlyMap<string, Sleeper>,
    now: Date
  ) {
    const dueSleepers = new Map<string, ActorWake & Sleeper>()
    for (const [kind, { due_at, id, org_id }] of addressed) {
      const sleeper = asleep.get(actorKey(kind, id))
      if (sleeper !== undefined && (due_at === null || due_at <= now))
        dueSleepers.set(sleeper.actor_key, { ...sleeper, kind, id, org_id })
    }
    // Yields, so that the nudge is sent before the statements that write the rows.
    if (dueSleepers.size > 0) yield* Effect.andThen(actorWakes.offer([...dueSleepers.values()]), Effect.yieldNow)
    return ({ actor_key, fence }: Called) => dueSleepers.get(actor_key)?.fence === fence
  })

  return { sleepers, wakeAhead }
})

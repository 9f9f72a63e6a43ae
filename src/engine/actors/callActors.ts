// Statement that calls actors (design: actors, point 1), to be run after their mailbox rows or in one with others.
import type { Slots } from "../../platform/sql/compiledOnce.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { type Address, actorKey } from "./ActorKind.ts"

/** Parameters of the statement. */
export interface CallValues {
  /** JSON of `addressedOf`. */
  readonly addressed: string
  readonly now: Date
}

interface Addressed {
  readonly actor_key: string
  readonly kind: string
  readonly id: string
  readonly org_id: number | null
  readonly due: string | null
}

/** Column `open` of `Called`: true for an actor that has had an activation and waits on a timer. */
export const openColumn = (sql: Sql) => sql.literal("fence > 0 AND wake_at IS NOT NULL AS open")

/** JSON of the actors, each once, with the earliest due time that it is addressed for. */
export const addressedOf = (addressed: ReadonlyArray<readonly [kind: string, Address]>): string => {
  const earliest = new Map<string, Addressed>()
  for (const [kind, { id, org_id, due_at }] of addressed) {
    const actor_key = actorKey(kind, id)
    const due = due_at === null ? null : due_at.toISOString()
    const earlierEntry = earliest.get(actor_key)
    if (earlierEntry === undefined || (earlierEntry.due !== null && (due === null || due < earlierEntry.due))) {
      earliest.set(actor_key, { actor_key, kind, id, org_id, due })
    }
  }
  return JSON.stringify([...earliest.values()])
}

/**
 * Turns the addressed actors that are idle past the rows' due time into `called` and returns those. `DO UPDATE` locks every addressed row,
 * also those that its WHERE leaves alone, in the order of the keys.
 */
export const callActors = (sql: Sql, { addressed, now }: Slots<CallValues>) => sql`
    INSERT INTO actors (actor_key, kind, id, org_id, state, wake_at, called_at)
    SELECT actor_key, kind, id, org_id, 'called', due, ${now}
    FROM jsonb_to_recordset(${addressed}::jsonb)
      AS x (actor_key text, kind text, id text, org_id bigint, due timestamptz)
    ORDER BY actor_key
    ON CONFLICT (actor_key) DO UPDATE SET state = 'called', called_at = excluded.called_at
    WHERE actors.state = 'asleep' AND coalesce(excluded.wake_at, '-infinity') < coalesce(actors.wake_at, 'infinity')
    RETURNING actor_key, kind, id, org_id, ${openColumn(sql)}, fence`

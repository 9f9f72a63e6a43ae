// Appends events in the transaction of their change and wakes the relay once it has committed (decisions W10).
// Whoever changes a record holds its row lock before appending, so outbox ids are in order per record.
import { Clock, Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Sql } from "../../platform/sql/Sql.ts"
import { currentTraceparent } from "../../platform/telemetry/traceContext.ts"
import type { NewEvent } from "./Event.ts"
import { RelayWake } from "./RelayWake.ts"

/** SQL that draws an event id which no event uses; all later events have greater ids. */
export const nextEvent = (sql: Pick<Sql, "literal">) => sql.literal("nextval('outbox_event_id_seq')")

export class Outbox extends Context.Service<
  Outbox,
  {
    /** Appends events in the caller's transaction, in the order given. */
    readonly append: (events: ReadonlyArray<NewEvent>) => Effect.Effect<void, SqlError>
    /**
     * Body of a CTE that appends events, in the order given, for a statement that writes what causes them.
     * @param when SQL condition without which it appends none
     */
    readonly appending: (
      events: ReadonlyArray<NewEvent>,
      when?: Statement.Fragment
    ) => Effect.Effect<Statement.Fragment>
    /** Wakes the relay after the commit. For statements that insert their outbox rows themselves. */
    readonly announce: Effect.Effect<void>
  }
>()("millrace/outbox/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const sql = yield* Sql
      const wake = yield* RelayWake
      const announce = sql.afterCommit(wake.poke)
      const appending = Effect.fnUntraced(function* (
        events: ReadonlyArray<NewEvent>,
        when: Statement.Fragment = sql.literal("true")
      ) {
        const nowDate = new Date(yield* Clock.currentTimeMillis)
        const callerTraceparent = yield* currentTraceparent
        const rows = events.map(({ switches, traceparent = callerTraceparent, ...event }) => ({
          ...event,
          ...switches,
          traceparent
        }))
        return sql`
          INSERT INTO outbox (type, org_id, app_id, record_id, hook, workflow, silent, depth, cause, payload, traceparent, created_on)
          SELECT e.type, e.org_id, e.app_id, e.record_id, e.hook, e.workflow, e.silent, e.depth,
                 nullif(e.cause, 'null'::jsonb), e.payload, e.traceparent, ${nowDate}
          FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS (
            type text, org_id bigint, app_id bigint, record_id bigint, hook boolean, workflow boolean, silent boolean,
            depth integer, cause jsonb, payload jsonb, traceparent text)) WITH ORDINALITY
            AS e (type, org_id, app_id, record_id, hook, workflow, silent, depth, cause, payload, traceparent, ord)
          WHERE ${when} ORDER BY e.ord`
      })
      const append = Effect.fnUntraced(function* (events: ReadonlyArray<NewEvent>) {
        if (events.length === 0) return
        yield* sql`${yield* appending(events)}`
        yield* announce
      })
      return Outbox.of({ append, appending, announce })
    })
  )
}

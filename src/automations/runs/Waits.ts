// Requests that wait for their run (developer-api.md 7.9 sync, 7.10 click): they watch its rows, since no request calls Temporal.
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { RunStatus } from "../engine/Run.ts"

const LOOK_EVERY_MILLIS = 50

export interface Waited {
  /** Why there is no run: `mismatch`, `inactive`, … */
  readonly refused: string | null
  readonly run_id: string | null
  readonly status: RunStatus | null
  /** Composed page or resolved response; null while there is none. */
  readonly html: string | null
  readonly redirect: string | null
}

export const isOver = ({ refused, status }: Waited): boolean =>
  refused !== null || status === "completed" || status === "failed" || status === "cancelled"

export class Waits extends Context.Service<
  Waits,
  {
    /** In the transaction that stores the event. */
    readonly open: (key: string) => Effect.Effect<void, SqlError>
    /** Until `enough`, at most so long; what is there then. Null: no such wait. */
    readonly until: (key: string, millis: number, enough: (waited: Waited) => boolean) => Effect.Effect<Waited | null>
  }
>()("millrace/automations/runs/Waits") {
  static readonly layer = Layer.effect(
    Waits,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const look = (key: string) =>
        Effect.map(
          sql<Waited>`
            SELECT w.refused, w.run_id::text, r.status, p.html, p.redirect
            FROM run_waits w LEFT JOIN runs r USING (run_id) LEFT JOIN run_pages p USING (run_id)
            WHERE w.wait_key = ${key}`,
          ([row]) => row ?? null
        ).pipe(Effect.catchTag("SqlError", Effect.die))
      return Waits.of({
        open: Effect.fnUntraced(function* (key) {
          const now = new Date(yield* Clock.currentTimeMillis)
          yield* sql`INSERT INTO run_waits (wait_key, created_on) VALUES (${key}, ${now})`
        }),
        until: Effect.fnUntraced(function* (key, millis, enough) {
          const end = (yield* Clock.currentTimeMillis) + millis
          for (;;) {
            const waited = yield* look(key)
            if (waited === null || enough(waited) || (yield* Clock.currentTimeMillis) >= end) return waited
            yield* Effect.sleep(LOOK_EVERY_MILLIS)
          }
        })
      })
    })
  )
}

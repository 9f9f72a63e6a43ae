// Hooks whose app's connection has lapsed (decisions W17; service.md 8): it counts as ended, though nothing has ended it. What is ended
// pauses its hooks in the transaction that ends it (migrations/0057_hook_reach.ts).
import { Clock, Effect, Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { lapsesIn } from "./Connection.ts"

const Paused = Schema.Struct({ hooks: Schema.Int })

/** Resolves to how many hooks were paused. */
export const pauseLapsedHooks = Effect.gen(function* () {
  const sql = yield* Sql
  const nowMillis = yield* Clock.currentTimeMillis
  const rows = yield* rowsOf(Paused)(sql`
    SELECT hooks_connection_ended(c.connection_id, ${new Date(nowMillis)}) AS hooks FROM connections c
    WHERE c.ended_on IS NULL AND ${lapsesIn(sql)} <= ${new Date(nowMillis)}
      AND EXISTS (SELECT FROM hooks h WHERE h.connection_id = c.connection_id AND h.connection_ended_on IS NULL)`)
  return rows.reduce((sum, { hooks }) => sum + hooks, 0)
}).pipe(orSqlDefect, Effect.withSpan("connections.pauseLapsedHooks"))

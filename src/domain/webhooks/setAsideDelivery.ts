// Fails the delivery of a row that ended its process ten times (docs/architecture/actors.md, "Poison"), with a readable cause.
import { Clock, Effect } from "effect"
import { Sql } from "../../platform/sql/Sql.ts"
import type { WorkRow } from "./mailboxRows.ts"
import { makeResultStatements } from "./resultStatements.ts"

export const makeSetAsideDelivery = Effect.gen(function* () {
  const sql = yield* Sql
  const { release } = yield* makeResultStatements

  return Effect.fnUntraced(function* (row: WorkRow, cause: string) {
    if (row.kind === "command") return yield* sql`DELETE FROM webhook_commands WHERE event_id = ${row.event_id}`
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    yield* sql`
      WITH gone AS (DELETE FROM webhook_queue WHERE hook_id = ${row.hook_id} AND event_id = ${row.event_id}),
      log AS (
        INSERT INTO webhook_attempts (hook_id, event_id, attempt, attempted_on, latency_ms, error)
        VALUES (${row.hook_id}, ${row.event_id}, ${row.num_attempts + 1}, ${nowDate}, 0, ${cause}) ON CONFLICT DO NOTHING)
      UPDATE webhook_deliveries SET status = 'failed', next_attempt_on = NULL, num_attempts = ${row.num_attempts + 1}
      WHERE hook_id = ${row.hook_id} AND event_id = ${row.event_id}`
    if (row.ordered) yield* release([row])
  }, Effect.asVoid)
})

// Fails the delivery of a row that ended its process ten times (docs/architecture/actors.md, "Poison"), with a readable cause.
import { Clock, Effect } from "effect"
import { Sql } from "../../platform/sql/Sql.ts"
import { failedAttempt } from "./attempt.ts"
import { failedFor } from "./judgeResults.ts"
import type { WorkRow } from "./mailboxRows.ts"
import { makeResultStatements } from "./resultStatements.ts"

export const makeSetAsideDelivery = Effect.gen(function* () {
  const sql = yield* Sql
  const { release, write } = yield* makeResultStatements

  return Effect.fnUntraced(function* (row: WorkRow, cause: string) {
    if (row.kind === "command") return yield* sql`DELETE FROM webhook_commands WHERE event_id = ${row.event_id}`
    const outcome = failedAttempt(yield* Clock.currentTimeMillis, cause)
    yield* write([failedFor(row, outcome)], outcome.attemptedOn)
    if (row.ordered) yield* release([row])
  }, Effect.asVoid)
})

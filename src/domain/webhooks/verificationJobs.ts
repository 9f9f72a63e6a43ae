// Job of a claimed verification step: starts or signals its workflow, or retries later (decisions W6).
import { Clock, Effect } from "effect"
import type { Activation, Job } from "../../engine/actors/ActorKind.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import type { CommandRow } from "./mailboxRows.ts"
import { Verifications } from "./Verifications.ts"

/** Milliseconds until the next try if a verification's workflow could not be started or signalled. */
const COMMAND_RETRY_MILLIS = 5_000

export const makeVerificationJobs = Effect.gen(function* () {
  const sql = yield* Sql
  const verifications = yield* Verifications

  return (activation: Activation) =>
    (row: CommandRow): Job<CommandRow> => ({
      rows: [row],
      run: verifications.carryOut(row).pipe(
        Effect.matchEffect({
          onSuccess: () => activation.commit(sql`DELETE FROM webhook_commands WHERE event_id = ${row.event_id}`),
          onFailure: (error) =>
            Effect.gen(function* () {
              yield* Effect.logWarning("a verification could not be carried out", {
                hook_id: row.hook_id,
                reason: error.message
              })
              const due = new Date((yield* Clock.currentTimeMillis) + COMMAND_RETRY_MILLIS)
              yield* activation.commit(
                sql`UPDATE webhook_commands SET fence = 0, claims = 0, due_at = ${due} WHERE event_id = ${row.event_id}`
              )
              yield* activation.lookAt(due.getTime())
            })
        }),
        Effect.asVoid
      )
    })
})

// Handles mailbox rows that are commands: wake a run, start the next queued run of an automation, or apply a change of an automation's
// state. None of them creates a run.
import { Effect } from "effect"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { RunWorkflows } from "../durable/RunWorkflows.ts"
import type { AutomationChanged } from "../model/automationChanged.ts"
import { type NextTurn, RUN_TURN, RUN_WAKE } from "../model/fireCommand.ts"
import { ConcurrencyLimits } from "../run/ConcurrencyLimits.ts"
import { type InboxEvent, makeRowReleases } from "./inboxRows.ts"
import { RUNLESS_COMMANDS } from "./mailboxFanOut.ts"
import { makeStateChanges } from "./stateChanges.ts"
import { TRY_AGAIN_MILLIS } from "./workflowStarts.ts"

export const isCommand = ({ event }: InboxEvent): boolean =>
  (RUNLESS_COMMANDS as ReadonlyArray<string>).includes(event.type)

export const makeCommandRows = Effect.gen(function* () {
  const sql = yield* Sql
  const workflows = yield* RunWorkflows
  const concurrencyLimits = yield* ConcurrencyLimits
  const carryOut = yield* makeStateChanges
  const { later, remove } = makeRowReleases(sql)

  const wake = Effect.fnUntraced(function* (row: InboxEvent, appId: number) {
    const { automation_id, run_id } = row.event.payload as { automation_id: number; run_id: string }
    // The mailbox row of an open run stays parked: the run waits for something else.
    const parked = yield* sql`
      UPDATE automation_inbox i SET parked = NOT r.over, due_at = CASE WHEN r.over THEN ${row.event.created_on}::timestamptz ELSE i.due_at END
      FROM (SELECT run_id, completed_on IS NOT NULL AS over FROM runs WHERE run_id = ${run_id}::bigint) AS r
      WHERE i.run_id = r.run_id AND i.parked RETURNING i.row_id`
    if (parked.length > 0) return
    // A called run that has begun keeps its row until its activation learns of it (workflowStarts.ts); its workflow goes on with it.
    const [rowToClaim] = yield* sql`
      UPDATE automation_inbox i SET due_at = ${row.event.created_on} FROM runs r
      WHERE i.app_id = ${appId} AND i.automation_id = ${automation_id} AND i.run_id = ${run_id}::bigint AND NOT i.parked AND r.run_id = i.run_id
        AND NOT (r.durable AND r.workflow_started_on IS NOT NULL)
      RETURNING i.row_id`
    if (rowToClaim === undefined) yield* workflows.wake({ run_id, automation_id })
  })

  /** Creates the handler of an activation. */
  return (activation: Activation, app: { readonly app_id: number; readonly org_id: number }) =>
    Effect.fnUntraced(function* (row: InboxEvent) {
      if (row.event.type === RUN_TURN) {
        return yield* activation.commit(
          Effect.andThen(concurrencyLimits.handOn(row.event.payload as NextTurn), remove(row))
        )
      }
      const work =
        row.event.type === RUN_WAKE
          ? wake(row, app.app_id)
          : carryOut(row.event.payload as AutomationChanged, app.org_id)
      yield* work.pipe(
        Effect.matchEffect({
          onSuccess: () => activation.commit(remove(row)),
          onFailure: (error) =>
            error._tag === "SqlError"
              ? Effect.fail(error)
              : Effect.andThen(
                  Effect.logWarning("a command to automations waits", { reason: error.message }),
                  activation.commit(later(row, TRY_AGAIN_MILLIS))
                )
        })
      )
    })
})

// Asks for a run anew with the trigger data of a failed or cancelled one (developer-api.md 7.11): from its start, or from the step that failed.
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Outbox } from "../../../engine/outbox/Outbox.ts"
import { Conflict } from "../../../platform/primitives/errors.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { type CallerShape, chainLinkOf } from "../../accounts/Caller.ts"
import { type FireData, fireEvent } from "../model/fireCommand.ts"
import type { TriggerData } from "../model/RunScope.ts"
import { makeWaitingRequests } from "../run/waitingRequests.ts"
import { makeCurrentDefinition } from "./currentDefinition.ts"
import { makeRunIds, withRunId } from "./runIds.ts"
import type { RunRecord } from "./runViews.ts"

export const RetryBody = Schema.Struct({
  from: Schema.optionalKey(Schema.Literals(["start", "failed_step"])),
  definition: Schema.optionalKey(Schema.Literals(["current", "original"]))
})
export type RetryBody = typeof RetryBody.Type

type FormerRun = RunRecord & { readonly org_id: number }

const Earlier = Schema.Struct({ run_id: Schema.NullOr(Schema.String) })

const Filtered = Schema.Struct({ filtered: Schema.Boolean })

const StoredTrigger = Schema.Struct({ data: jsonb<TriggerData>() })

export const makeRunRetries = (sql: Sql, outbox: Outbox["Service"]) => {
  const { claimRetry, openFor } = makeWaitingRequests(sql)
  const givenRunId = makeRunIds(sql)
  const mendedRevision = makeCurrentDefinition(sql)

  /** True if the definition of a retry from the start has a filter. */
  const filteredAgain = Effect.fnUntraced(function* (
    { automation_id, revision_id }: Pick<FormerRun, "automation_id" | "revision_id">,
    definition: "current" | "original"
  ) {
    const row = yield* rowOf(Filtered)(
      definition === "original"
        ? sql`SELECT coalesce(filter, 'null') <> 'null' AS filtered FROM automation_revisions
            WHERE revision_id = ${revision_id}::bigint`
        : sql`SELECT coalesce(filter, 'null') <> 'null' AS filtered FROM automations
            WHERE automation_id = ${automation_id}`
    )
    return row?.filtered ?? true
  })

  /** Refuses to do what a run has left a second time: a conflict if a retry of it is open or has completed. */
  const checkUnretried = Effect.fnUntraced(function* (runId: string) {
    const earlier = yield* rowOf(Earlier)(sql`
      SELECT min(run_id)::text AS run_id FROM runs
      WHERE retry_of_run_id = ${runId}::bigint AND status NOT IN ('failed', 'cancelled')`)
    if (earlier!.run_id === null) return
    return yield* new Conflict({
      message: `Run ${earlier!.run_id} retries it already. What is left is done once; a retry from the start does everything again.`
    })
  })

  /**
   * Asks for the retry of a run that the caller may see; call it in a transaction. Returns the id of the future run, or null if the filter
   * may still reject it. @param once true: a conflict if a retry that was asked for so is not decided yet, or has made its run
   */
  return Effect.fnUntraced(function* (
    caller: Pick<CallerShape, "origin" | "waitKey">,
    run: FormerRun,
    body: RetryBody,
    once = false
  ): Effect.fn.Return<string | null, Conflict | SqlError> {
    const start = body.from ?? "start"
    const definition = body.definition ?? "current"
    if (run.type === "simulation") return yield* new Conflict({ message: "A simulation is not retried." })
    if (run.status !== "failed" && run.status !== "cancelled") {
      return yield* new Conflict({ message: `The run is ${run.status}; only failed and cancelled ones are retried.` })
    }
    const triggerRow = yield* rowOf(StoredTrigger)(sql`
      SELECT t.data FROM runs r JOIN run_triggers t USING (run_id) WHERE r.run_id = ${run.run_id}::bigint FOR KEY SHARE OF r`)
    if (triggerRow === undefined) return yield* new Conflict({ message: "The run was deleted meanwhile." })
    const { changed: _, comment: __, previous: ___, record: ____, type: _____, ...data } = triggerRow.data
    const revision_id =
      definition === "original" ? run.revision_id : start === "start" ? undefined : yield* mendedRevision(run)
    const goesOn = start === "failed_step"
    if (goesOn) yield* checkUnretried(run.run_id)
    const claims = once || (goesOn && caller.waitKey === undefined)
    const wait = claims ? yield* claimRetry(run.run_id, !once) : yield* openFor(caller)
    if (wait === null) return yield* new Conflict({ message: "A retry of it was asked for already." })
    const id = yield* givenRunId(start === "start" && (yield* filteredAgain(run, definition)))
    yield* outbox.append([
      fireEvent(
        {
          ...wait,
          ...withRunId(id),
          automation_id: run.automation_id,
          run_type: "manual",
          expects: null,
          data: data as FireData,
          retry: { run_id: run.run_id, from: start },
          ...(revision_id === undefined ? {} : { revision_id })
        },
        { org_id: run.org_id, app_id: run.app_id, record_id: run.record_id, ...chainLinkOf(caller) }
      )
    ])
    return id
  })
}

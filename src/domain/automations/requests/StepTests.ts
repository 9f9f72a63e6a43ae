// Tests a single step (developer-api.md 7.13 `test-step`), with the data of a record or of an earlier run, dry or real. The run executes a
// definition of that step alone. It has the rights of the automation's author, limited to those of the user who asks, each within the reach
// of their credential (decisions A24).
import { isDeepStrictEqual } from "node:util"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import {
  Conflict,
  NotFound,
  type OwnerLost,
  type RecordNotFound,
  type ValidationError
} from "../../../platform/primitives/errors.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { type CallerShape, chainLinkOf } from "../../accounts/Caller.ts"
import { makeAutomationRevisions } from "../definitions/automationRevisions.ts"
import { DefinitionChecks } from "../definitions/DefinitionChecks.ts"
import type { AutomationRow } from "../definitions/StoredAutomation.ts"
import { askersOf } from "../model/askers.ts"
import type { Action } from "../model/Definition.ts"
import { type FireData, fireEvent } from "../model/fireCommand.ts"
import { makeWaitingRequests } from "../run/waitingRequests.ts"
import { allActions } from "../schema/walk.ts"
import { triggers } from "../triggers/registry.ts"
import { makeRunBodyChecks, mismatch } from "./runBodyChecks.ts"
import { makeRunIds, withRunId } from "./runIds.ts"

export interface StepTestBody {
  readonly action_id: string
  readonly record_id?: number
  /** Run of the automation whose trigger data, variables, outputs and files are used. */
  readonly run_id?: string
  readonly real?: boolean
}

const TestedRun = Schema.Struct({
  author_id: Schema.NullOr(Schema.Int),
  actions: jsonb<ReadonlyArray<Action>>(),
  record_id: Schema.NullOr(Schema.Int)
})

export class StepTests extends Context.Service<
  StepTests,
  {
    /** Returns the id of the future run; null if there may be none. */
    readonly test: (
      grant: AccessGrant,
      body: StepTestBody
    ) => Effect.Effect<string | null, NotFound | RecordNotFound | ValidationError | Conflict | OwnerLost>
  }
>()("millrace/automations/requests/StepTests") {
  static readonly layer = Layer.effect(
    StepTests,
    Effect.gen(function* () {
      const sql = yield* Sql
      const outbox = yield* Outbox
      const checks = yield* DefinitionChecks
      const { dataOf, find, lastPayload } = makeRunBodyChecks(sql)
      const { openFor } = makeWaitingRequests(sql)
      const givenRunId = makeRunIds(sql)
      const { authorNow, insertSnapshot } = makeAutomationRevisions(sql)

      /** Mistakes of other steps do not matter: the values that the step needs from them may be in the run whose data it uses. */
      const checked = Effect.fnUntraced(function* (automation: AutomationRow, action: Action, caller: CallerShape) {
        if (automation.broken) return yield* new Conflict({ message: "The automation is broken." })
        const ids = new Set([...allActions([action])].map(({ id }) => id))
        const { errors: all } = yield* checks.of(automation, caller)
        const errors = all.filter(({ action_id, deactivated }) => deactivated !== true && ids.has(action_id ?? ""))
        if (errors.length > 0) return yield* new Conflict({ message: "The step does not validate.", errors })
      })

      /** Values that were read with another author's rights may only enter the unchanged step that used them. */
      const earlierRun = Effect.fnUntraced(function* (grant: AccessGrant, runId: string, action: Action) {
        const missing = new NotFound({ message: `No automation run with id ${runId}.` })
        if (!/^[1-9]\d{0,17}$/.test(runId)) return yield* missing
        const run = yield* rowOf(TestedRun)(sql`
          SELECT v.author_id, v.actions, r.record_id FROM runs r JOIN automation_revisions v ON v.revision_id = r.revision_id
          WHERE r.run_id = ${runId}::bigint AND r.automation_id = ${grant.id}`)
        if (run === undefined) return yield* missing
        const savedStep = [...allActions(run.actions)].find(({ id }) => id === action.id)
        if (run.author_id !== grant.caller.userId && !isDeepStrictEqual(savedStep, action)) {
          return yield* new Conflict({
            message: "run_id: the run's definition was saved by somebody else, and the step is not as it was then."
          })
        }
        return run.record_id
      })

      const dataFor = Effect.fnUntraced(function* (automation: AutomationRow, { record_id }: StepTestBody) {
        const type = automation.trigger?.type
        if (type === "webhook_received") {
          if (record_id !== undefined) return yield* mismatch("record_id: the trigger has no record.")
          return yield* lastPayload(automation.automation_id).pipe(
            Effect.catchTag("ValidationError", () => Effect.succeed<FireData>({}))
          )
        }
        if (type !== undefined && triggers[type].context !== "none" && record_id === undefined) {
          return yield* mismatch("record_id or run_id: one of them is required for this trigger.")
        }
        return yield* dataOf(automation, record_id === undefined ? {} : { record_id })
      })

      const test = Effect.fn("StepTests.test")(
        function* (grant: AccessGrant, body: StepTestBody) {
          const { caller } = grant
          if (body.record_id !== undefined && body.run_id !== undefined) {
            return yield* mismatch("Send either `record_id` or `run_id`.")
          }
          const automation = yield* find(grant.id)
          const action = [...allActions(automation.actions)].find(({ id }) => id === body.action_id)
          if (action === undefined) return yield* mismatch("action_id: the automation has no step with this id.")
          yield* checked(automation, action, caller)
          const { run_id } = body
          const recordId = run_id === undefined ? (body.record_id ?? null) : yield* earlierRun(grant, run_id, action)
          const data = run_id === undefined ? yield* dataFor(automation, body) : {}
          const { deactivate: _, ...live } = action
          const revision_id = yield* insertSnapshot(
            automation,
            { trigger: automation.trigger, filter: null, actions: [live] },
            yield* authorNow(automation),
            DateTime.toDate(yield* DateTime.now)
          )
          const wait = yield* openFor(caller)
          const runId = yield* givenRunId(false, automation)
          yield* outbox.append([
            fireEvent(
              {
                ...wait,
                automation_id: automation.automation_id,
                run_type: "simulation",
                expects: null,
                revision_id,
                data: { ...data, test: { real: body.real === true }, asked_by: askersOf(caller) },
                ...(run_id === undefined ? {} : { values_of: run_id }),
                ...withRunId(runId)
              },
              { org_id: automation.org_id, app_id: automation.app_id, record_id: recordId, ...chainLinkOf(caller) }
            )
          ])
          return runId
        },
        sql.withTransaction,
        orSqlDefect
      )
      return StepTests.of({ test })
    })
  )
}

// Runs that users and programs request (developer-api.md 7.3 run body, 7.8 calls; decisions A18). Each request stores an event like any
// other: 202 means stored, and the actor of the app does the rest.
import { Context, Effect, Layer } from "effect"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import {
  Conflict,
  type NotFound,
  type OwnerLost,
  type RecordNotFound,
  type ValidationError
} from "../../../platform/primitives/errors.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../platform/sql/transact.ts"
import { Access, type AccessGrant } from "../../accounts/Access.ts"
import { type CallerShape, chainLinkOf } from "../../accounts/Caller.ts"
import { pinMistake } from "../actions/pinnedAnswers.ts"
import { makeAutomationRevisions } from "../definitions/automationRevisions.ts"
import { DefinitionChecks } from "../definitions/DefinitionChecks.ts"
import type { AutomationRow } from "../definitions/StoredAutomation.ts"
import { askersOf } from "../model/askers.ts"
import { type Fire, type FireData, fireEvent } from "../model/fireCommand.ts"
import type { RunType } from "../model/RunScope.ts"
import { makeSealed } from "../model/sealedValues.ts"
import { makeWebhookPayloads } from "../model/webhookPayloads.ts"
import { makeWaitingRequests } from "../run/waitingRequests.ts"
import { pathText } from "../schema/path.ts"
import { allActions } from "../schema/walk.ts"
import { isValid } from "../validation/validateDefinition.ts"
import { makeRunBodyChecks, mismatch, type RunBody } from "./runBodyChecks.ts"
import { makeRunIds, withRunId } from "./runIds.ts"

export interface SimulateBody extends RunBody {
  /** Pinned answers of outside steps, by step id (7.13). */
  readonly pinned?: Readonly<Record<string, unknown>>
  /** Earlier revision to run instead of the present definition. */
  readonly revision_id?: string
}

export interface CallBody {
  readonly trigger_on_record_id: number
  readonly triggered_by_record_id?: number
  readonly triggered_by_workflow_def_id?: number
  readonly trigger_with_arguments?: Readonly<Record<string, unknown>>
  readonly is_manual_run?: boolean
  readonly is_simulation?: boolean
}

export const runTypeOf = (body: Pick<CallBody, "is_manual_run" | "is_simulation">): RunType =>
  body.is_simulation === true ? "simulation" : body.is_manual_run === true ? "manual" : "regular"

export class RunRequests extends Context.Service<
  RunRequests,
  {
    /** Returns the id of the future run, or null if the filter may still reject it. */
    readonly manualRun: (
      grant: AccessGrant,
      body: RunBody
    ) => Effect.Effect<string | null, NotFound | RecordNotFound | ValidationError | Conflict | OwnerLost>
    readonly simulate: (
      grant: AccessGrant,
      body: SimulateBody
    ) => Effect.Effect<string | null, NotFound | RecordNotFound | ValidationError | Conflict | OwnerLost>
    /** Reports every problem as a `ValidationError` (7.8). */
    readonly call: (caller: CallerShape, automationId: number, body: CallBody) => Effect.Effect<void, ValidationError>
    /** Checks the records and automations that a call or weblink names, and returns the target. */
    readonly targetOf: (
      caller: CallerShape,
      automationId: number,
      body: CallBody
    ) => Effect.Effect<{ readonly automation: AutomationRow; readonly data: FireData }, ValidationError>
  }
>()("millrace/automations/requests/RunRequests") {
  static readonly layer = Layer.effect(
    RunRequests,
    Effect.gen(function* () {
      const sql = yield* Sql
      const access = yield* Access
      const outbox = yield* Outbox
      const checks = yield* DefinitionChecks
      const payloads = yield* makeWebhookPayloads
      const { sealEach } = yield* makeSealed
      const { savedDefinition } = makeAutomationRevisions(sql)
      const { dataOf, find, liveRecord } = makeRunBodyChecks(sql)
      const inOne = transact(sql)
      const { openFor } = makeWaitingRequests(sql)
      const givenRunId = makeRunIds(sql)

      /** A script's call is the next link of its run's chain (7.5 rule 4). */
      const append = (
        caller: CallerShape,
        automation: AutomationRow,
        fire: Omit<Fire, "automation_id">,
        recordId: number | null
      ) =>
        inOne(
          Effect.flatMap(openFor(caller), (wait) =>
            outbox.append([
              fireEvent(
                { ...fire, ...wait, automation_id: automation.automation_id },
                { org_id: automation.org_id, app_id: automation.app_id, record_id: recordId, ...chainLinkOf(caller) }
              )
            ])
          )
        )

      /** Returns the definition to run: the present one, or that of a revision. */
      const definitionFor = Effect.fnUntraced(function* (automation: AutomationRow, revisionId: string | undefined) {
        if (revisionId === undefined) return automation
        const { author_id, definition, revision_id, unreadable } = yield* savedDefinition(
          automation.automation_id,
          revisionId
        )
        const saved = { owner_id: author_id ?? 0, revision_id: Number(revision_id) }
        return { ...automation, ...saved, ...definition, unreadable }
      })

      const pinnedOf = Effect.fnUntraced(function* ({ actions }: AutomationRow, pinned: SimulateBody["pinned"]) {
        if (pinned === undefined) return {}
        const steps = new Map([...allActions(actions)].map((action) => [action.id, action]))
        for (const [id, answer] of Object.entries(pinned)) {
          const action = steps.get(id)
          const wrong = action === undefined ? ": the definition has no step with this id." : pinMistake(action, answer)
          if (wrong !== undefined) return yield* mismatch(`${pathText(["pinned", id])}${wrong}`)
        }
        return { pinned: sealEach(pinned) }
      })

      const ask = (runType: "manual" | "simulation") =>
        Effect.fnUntraced(
          function* (grant: AccessGrant, { pinned, revision_id, ...body }: SimulateBody) {
            const automation = yield* definitionFor(yield* find(grant.id), revision_id)
            const runData = { ...(yield* dataOf(automation, body)), ...(yield* pinnedOf(automation, pinned)) }
            if (automation.broken) return yield* new Conflict({ message: "The automation is broken." })
            const { errors } = yield* checks.of(automation, grant.caller)
            if (!isValid(errors)) return yield* new Conflict({ message: "The automation does not validate.", errors })
            const revisionPart = revision_id === undefined ? {} : { revision_id }
            // A simulation with nothing of the caller's own shows what a run with the author's rights would do. With data of the caller's
            // own it is limited to the caller's rights as well.
            const brings = pinned !== undefined || revision_id !== undefined || Object.keys(body).length > 0
            const asked_by = runType === "simulation" && brings ? { asked_by: askersOf(grant.caller) } : {}
            const data = { ...(yield* payloads.carried(runData)), ...asked_by }
            const runId = yield* givenRunId(runType === "manual" && automation.filter !== null, automation)
            const fire = { run_type: runType, expects: null, data, ...revisionPart, ...withRunId(runId) }
            yield* append(grant.caller, automation, fire, body.record_id ?? null)
            return runId
          },
          inOne,
          orSqlDefect
        )

      const targetOf = Effect.fnUntraced(
        function* (caller: CallerShape, automationId: number, body: CallBody) {
          const automation = yield* access
            .check(caller, "automation", automationId, 5, true)
            .pipe(Effect.andThen(find(automationId)))
          const onRecord = body.trigger_on_record_id
          yield* access.check(caller, "record", onRecord, 1)
          yield* liveRecord(automation.app_id, onRecord)
          const initiator = body.triggered_by_record_id
          if (initiator !== undefined) yield* access.check(caller, "record", initiator, 1)
          const by = body.triggered_by_workflow_def_id
          if (by !== undefined) yield* access.check(caller, "automation", by, 5, true)
          const data: FireData = {
            ...(runTypeOf(body) === "simulation" ? { asked_by: askersOf(caller) } : {}),
            arguments: sealEach(body.trigger_with_arguments ?? {}),
            ...(initiator === undefined ? {} : { triggering_record_id: initiator })
          }
          return { automation, data }
        },
        Effect.catchTags({
          NotFound: ({ message }) => mismatch(message),
          RecordNotFound: ({ recordId }) => mismatch(`No record with id ${recordId} in the automation's app.`),
          Restricted: ({ message }) => mismatch(message)
        }),
        orSqlDefect
      )

      const call = Effect.fn("RunRequests.call")(function* (caller: CallerShape, automationId: number, body: CallBody) {
        const { automation, data } = yield* targetOf(caller, automationId, body)
        const fire = {
          run_type: runTypeOf(body),
          expects: "automation_called" as const,
          data,
          triggered_by_automation_id: body.triggered_by_workflow_def_id ?? null
        }
        yield* append(caller, automation, fire, body.trigger_on_record_id)
      }, orSqlDefect)

      return RunRequests.of({ manualRun: ask("manual"), simulate: ask("simulation"), call, targetOf })
    })
  )
}

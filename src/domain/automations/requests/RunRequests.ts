// Runs that people and programs ask for (developer-api.md 7.3 run body, 7.8 calls; decisions A18). Each is an event like any other:
// 202 means stored, the actor of the app does the rest.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { Conflict, NotFound, RecordNotFound, ValidationError } from "../../../ground/primitives/errors.ts"
import { orSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import { Access, type AccessGrant } from "../../accounts/Access.ts"
import { type CallerShape, chainLinkOf } from "../../accounts/Caller.ts"
import {
  type AutomationRow,
  automationColumns,
  readRow,
  type StoredAutomation
} from "../definitions/StoredAutomation.ts"
import { ValidationModels } from "../definitions/ValidationModels.ts"
import { type Fire, type FireData, fireEvent } from "../model/fireCommand.ts"
import type { RunType } from "../model/RunScope.ts"
import { makeSealed } from "../model/sealedValues.ts"
import { triggers } from "../triggers/registry.ts"
import { checkRow, isValid } from "../validation/validate.ts"

export interface RunBody {
  readonly record_id?: number
  readonly webhook_payload?: unknown
  readonly use_last_received_webhook_payload?: boolean
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
    readonly manualRun: (
      grant: AccessGrant,
      body: RunBody
    ) => Effect.Effect<void, NotFound | RecordNotFound | ValidationError | Conflict>
    readonly simulate: (
      grant: AccessGrant,
      body: RunBody
    ) => Effect.Effect<void, NotFound | RecordNotFound | ValidationError | Conflict>
    /** Every problem is a `ValidationError` here (7.8). */
    readonly call: (caller: CallerShape, automationId: number, body: CallBody) => Effect.Effect<void, ValidationError>
    /** The records and automations that a call or weblink names, checked; answers the target. */
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
      const sql = yield* SqlClient.SqlClient
      const access = yield* Access
      const outbox = yield* Outbox
      const models = yield* ValidationModels
      const { sealEach } = yield* makeSealed

      const find = Effect.fnUntraced(function* (id: number) {
        const [row] = yield* sql<StoredAutomation>`
          SELECT ${sql.literal(automationColumns)} FROM automations x JOIN apps a USING (app_id)
          WHERE x.automation_id = ${id} AND x.deleted_on IS NULL`
        return row === undefined ? yield* new NotFound({ message: `No automation with id ${id}.` }) : readRow(row)
      })

      const liveRecord = Effect.fnUntraced(function* (appId: number, recordId: number) {
        const [row] = yield* sql`
          SELECT 1 FROM records WHERE record_id = ${recordId} AND app_id = ${appId} AND deleted_on IS NULL`
        if (row === undefined) return yield* new RecordNotFound({ recordId })
      })

      const lastPayload = Effect.fnUntraced(function* (automationId: number) {
        const [row] = yield* sql<{ payload: unknown; files: FireData["webhook_files"] | null }>`
          SELECT payload, files FROM webhook_catches WHERE automation_id = ${automationId} AND received_on IS NOT NULL`
        if (row === undefined) {
          return yield* new ValidationError({
            message: "use_last_received_webhook_payload: nothing has been received yet."
          })
        }
        return { webhook_payload: row.payload, webhook_files: row.files ?? [] } satisfies FireData
      })

      const mismatch = (message: string) => new ValidationError({ message })

      /** The body must fit the trigger (7.3). */
      const dataOf = Effect.fnUntraced(function* (automation: AutomationRow, body: RunBody) {
        const type = automation.trigger?.type
        if (type === "webhook_received") {
          if (body.record_id !== undefined) return yield* mismatch("record_id: the trigger has no record.")
          const last = body.use_last_received_webhook_payload === true
          if (last === "webhook_payload" in body) {
            return yield* mismatch("Send either `webhook_payload` or `use_last_received_webhook_payload: true`.")
          }
          return last ? yield* lastPayload(automation.automation_id) : { webhook_payload: body.webhook_payload }
        }
        if ("webhook_payload" in body || body.use_last_received_webhook_payload !== undefined) {
          return yield* mismatch("webhook_payload: the trigger receives no webhook.")
        }
        if (type === undefined || triggers[type].context === "none") {
          if (body.record_id !== undefined) return yield* mismatch("record_id: the trigger has no record.")
          return {}
        }
        if (body.record_id === undefined) return yield* mismatch("record_id: is required for this trigger.")
        yield* liveRecord(automation.app_id, body.record_id)
        return {}
      })

      /** A script's call is the next link of its run's chain (7.5 rule 4). */
      const append = (
        caller: CallerShape,
        automation: AutomationRow,
        fire: Omit<Fire, "automation_id">,
        recordId: number | null
      ) =>
        sql.withTransaction(
          outbox.append([
            fireEvent(
              { ...fire, automation_id: automation.automation_id },
              { org_id: automation.org_id, app_id: automation.app_id, record_id: recordId, ...chainLinkOf(caller) }
            )
          ])
        )

      const ask = (runType: "manual" | "simulation") =>
        Effect.fnUntraced(function* (grant: AccessGrant, body: RunBody) {
          const automation = yield* find(grant.id)
          const data = yield* dataOf(automation, body)
          if (automation.broken) return yield* new Conflict({ message: "The automation is broken." })
          const errors = checkRow(automation, yield* models.load(automation))
          if (!isValid(errors)) return yield* new Conflict({ message: "The automation does not validate.", errors })
          const fire = { run_type: runType, expects: null, data }
          yield* append(grant.caller, automation, fire, body.record_id ?? null)
        }, orSqlDefect)

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

// Carries the steps of a verification to its workflow, `webhooks/verify/<hook_id>/<n>` (decisions W6). The actor calls it.
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from "@temporalio/common"
import { Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Epoch } from "../../engine/temporal/Epoch.ts"
import { interventionDetails } from "../../engine/temporal/interventions.ts"
import {
  aboutOf,
  typedAttributes,
  type VerificationEnd,
  type VerifyHookInput,
  verificationEnded
} from "../../engine/temporal/messages.ts"
import { Temporal } from "../../engine/temporal/Temporal.ts"
import { ignoring, type TemporalFailed } from "../../engine/temporal/TemporalFailed.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import type { VerifyPayload } from "./hookActorCommands.ts"

export const verificationWorkflowId = (hookId: number, verification: number): string =>
  `webhooks/verify/${hookId}/${verification}`

const CodedHook = Schema.Struct({
  app_id: Schema.Int,
  org_id: Schema.Int,
  host: Schema.String,
  code_expires_on: Schema.NullOr(Schema.Date)
})

export class Verifications extends Context.Service<
  Verifications,
  {
    /** Starts the workflow, or signals its end. Repeatable: leaves a workflow that exists or has completed alone. */
    readonly carryOut: (step: VerifyPayload) => Effect.Effect<void, TemporalFailed | SqlError>
  }
>()("millrace/webhooks/Verifications") {
  static readonly layer = Layer.effect(
    Verifications,
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const epoch = yield* Epoch
      const idOf = (hookId: number, verification: number) => epoch.id(verificationWorkflowId(hookId, verification))
      const sql = yield* Sql

      const tell = (hookId: number, verification: number, how: VerificationEnd) =>
        Effect.flatMap(idOf(hookId, verification), (id) =>
          temporal.call((client) => client.workflow.getHandle(id).signal(verificationEnded, how))
        ).pipe(ignoring((cause) => cause instanceof WorkflowNotFoundError))

      const start = Effect.fnUntraced(function* (hookId: number, verification: number) {
        const hook = yield* rowOf(CodedHook)(sql`
          SELECT app_id, org_id, host, code_expires_on FROM hooks WHERE hook_id = ${hookId} AND verification = ${verification}`)
        // Deleted, replaced or used meanwhile: there is no code to send.
        if (hook?.code_expires_on == null) return
        const input: VerifyHookInput = { hookId, verification, expiresAt: hook.code_expires_on.getTime() }
        const workflowId = yield* idOf(hookId, verification)
        const summary = `verify hook ${hookId} at ${hook.host}`
        yield* temporal
          .call((client) =>
            client.workflow.start("verifyHook", {
              workflowId,
              taskQueue: temporal.settings.queues.actors,
              args: [input],
              workflowIdReusePolicy: "REJECT_DUPLICATE",
              workflowIdConflictPolicy: "FAIL",
              staticSummary: summary,
              staticDetails: interventionDetails("verifyHook"),
              typedSearchAttributes: typedAttributes({
                About: aboutOf(summary),
                Organization: String(hook.org_id),
                App: String(hook.app_id)
              })
            })
          )
          .pipe(ignoring((cause) => cause instanceof WorkflowExecutionAlreadyStartedError))
      })

      return Verifications.of({
        carryOut: Effect.fnUntraced(function* ({ hook_id, verification, step }) {
          if (step !== "requested") return yield* tell(hook_id, verification, step)
          if (verification > 1) yield* tell(hook_id, verification - 1, "superseded")
          yield* start(hook_id, verification)
        })
      })
    })
  )
}

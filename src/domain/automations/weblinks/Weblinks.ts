// Weblinks that are created over the API (developer-api.md 7.10). Steps create theirs themselves (model/WeblinkMint.ts).
import { Context, Effect, Layer } from "effect"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { type CallerShape, chainLinkOf } from "../../accounts/Caller.ts"
import { type Expiration, WeblinkMint, type WeblinkView } from "../model/WeblinkMint.ts"
import { type CallBody, RunRequests, runTypeOf } from "../requests/RunRequests.ts"

export interface WeblinkBody extends CallBody {
  readonly trigger_workflow_def_id: number
  readonly expiration_type?: "NEVER" | "ONE_DAY" | "ONE_WEEK" | "ONE_MONTH" | "ONE_YEAR"
  readonly expire_after_first_click?: boolean
}

export class Weblinks extends Context.Service<
  Weblinks,
  {
    readonly generate: (caller: CallerShape, body: WeblinkBody) => Effect.Effect<WeblinkView, ValidationError>
  }
>()("millrace/automations/weblinks/Weblinks") {
  static readonly layer = Layer.effect(
    Weblinks,
    Effect.gen(function* () {
      const { mint } = yield* WeblinkMint
      const requests = yield* RunRequests

      const generate = Effect.fn("Weblinks.generate")(function* (caller: CallerShape, body: WeblinkBody) {
        const { automation, data } = yield* requests.targetOf(caller, body.trigger_workflow_def_id, body)
        if (automation.trigger?.type !== "weblink_clicked") {
          return yield* new ValidationError({
            message: "trigger_workflow_def_id: the automation is not triggered by a weblink."
          })
        }
        return yield* mint({
          automation_id: automation.automation_id,
          record_id: body.trigger_on_record_id,
          triggering_record_id: data.triggering_record_id ?? null,
          arguments: data.arguments ?? {},
          run_type: runTypeOf(body),
          expiration: (body.expiration_type ?? "NEVER").toLowerCase() as Expiration,
          once: body.expire_after_first_click === true,
          ...(data.asked_by === undefined ? {} : { asked_by: data.asked_by }),
          ...chainLinkOf(caller),
          triggered_by_automation_id: body.triggered_by_workflow_def_id ?? null
        })
      }, orSqlDefect)

      return Weblinks.of({ generate })
    })
  )
}

// Ends a run: successfully after its last step, or with an ending that no step has caused (developer-api.md 7.9, 7.11).
import { Clock, Effect } from "effect"
import type { Committed, Committer } from "../commit/Committer.ts"
import type { Values } from "../model/Resolver.ts"
import { newGathered } from "../run/Gathered.ts"
import { answers, type RunContext } from "../run/RunContext.ts"
import type { Ending } from "../run/RunRow.ts"
import { completed, exceptionOf } from "../run/runEntries.ts"
import { guarded } from "../run/stepGuard.ts"
import { meansJson } from "../values/resolveJson.ts"

export const end = ({ save }: Committer, context: RunContext, ending: Ending): Committed<void> =>
  save(context, { cursor: context.run.cursor, ending, logs: exceptionOf(ending) })

/** Ends a run successfully; resolves the response of a sync webhook (7.9). */
export const makeComplete = (values: Values["Service"]) =>
  Effect.fnUntraced(function* (committer: Committer, context: RunContext) {
    const trigger = context.revision.definition.trigger
    if (!answers(context) || trigger?.type !== "webhook_received") return yield* end(committer, context, completed)
    const scope = context.scope(new Date(yield* Clock.currentTimeMillis), [])
    const { response_body, response_content_type } = trigger.config
    const target = meansJson(response_body, response_content_type) ? "json" : "text"
    const html = yield* guarded(values.text(response_body, scope, target)).pipe(
      Effect.catchTag("StepFailed", ({ message }) => Effect.as(Effect.logInfo("no response body", message), ""))
    )
    const gathered = newGathered()
    gathered.pages.push({ join: "replace_previous", html, fullscreen: false, removeBranding: false })
    yield* committer.save(context, { cursor: null, ending: completed, gathered })
  })

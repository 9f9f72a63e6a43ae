// Runtimes of the actions by type (developer-api.md 7.6): one line each; the executor handles conditional, for_loop, delay and exit.
import { Effect, Layer } from "effect"
import { Pdf } from "../../../platform/pdf/Pdf.ts"
import { Matching } from "../filter/evaluateMany.ts"
import { RunVisibility } from "../model/RunVisibility.ts"
import { type StepRuntime, Steps } from "../model/Step.ts"
import { makeSealed } from "../model/sealedValues.ts"
import { ValueParts } from "../values/resolveLayer.ts"
import { run as authenticated_http_call } from "./authenticated_http_call/run.ts"
import { withAuthorRights } from "./authorRights.ts"
import { run as clear_record_collection } from "./clear_record_collection/run.ts"
import { run as collect_app_records } from "./collect_app_records/run.ts"
import { run as collect_app_view_records } from "./collect_app_view_records/run.ts"
import { run as collect_referenced_records } from "./collect_referenced_records/run.ts"
import { run as collected_records_call_automation } from "./collected_records_call_automation/run.ts"
import { run as collected_records_collect_referenced_records } from "./collected_records_collect_referenced_records/run.ts"
import { run as collected_records_comment_create } from "./collected_records_comment_create/run.ts"
import { run as collected_records_send_email } from "./collected_records_send_email/run.ts"
import { run as collected_records_update } from "./collected_records_update/run.ts"
import { run as create_pdf } from "./create_pdf/run.ts"
import { run as current_record_call_automation } from "./current_record_call_automation/run.ts"
import { run as current_record_comment_create } from "./current_record_comment_create/run.ts"
import { run as current_record_comment_or_reply_delete } from "./current_record_comment_or_reply_delete/run.ts"
import { run as current_record_comment_or_reply_reply_create } from "./current_record_comment_or_reply_reply_create/run.ts"
import { run as current_record_delete } from "./current_record_delete/run.ts"
import { run as current_record_generate_automation_weblink } from "./current_record_generate_automation_weblink/run.ts"
import { run as current_record_get_previous_revision } from "./current_record_get_previous_revision/run.ts"
import { run as current_record_restore } from "./current_record_restore/run.ts"
import { run as current_record_update } from "./current_record_update/run.ts"
import { run as custom_code } from "./custom_code/run.ts"
import { run as custom_variable } from "./custom_variable/run.ts"
import { run as display_webpage } from "./display_webpage/run.ts"
import { run as filter_record_collection } from "./filter_record_collection/run.ts"
import { run as http_call } from "./http_call/run.ts"
import { pinnedRuntime } from "./pinnedAnswers.ts"
import { run as record_create } from "./record_create/run.ts"
import { run as redirect_user } from "./redirect_user/run.ts"
import { run as referenced_records_update } from "./referenced_records_update/run.ts"
import type { ActionConfig, OutsideType, RuntimeType } from "./registry.ts"
import { run as rollup_iterable_values } from "./rollup_iterable_values/run.ts"
import { once } from "./runtime.ts"
import { run as send_email } from "./send_email/run.ts"
import { AppRecords } from "./shared/AppRecords.ts"
import { Assignments } from "./shared/Assignments.ts"
import { Collections } from "./shared/Collections.ts"
import { HttpCalls } from "./shared/HttpCalls.ts"
import { Mutations } from "./shared/Mutations.ts"
import { RunFiles } from "./shared/RunFiles.ts"
import { run as sort_record_collection } from "./sort_record_collection/run.ts"

/** Complete by its type: every type that the executor does not handle itself. */
type Runtimes = { readonly [T in RuntimeType]: StepRuntime<ActionConfig<T>> }

const runs = {
  custom_code,
  custom_variable,
  record_create,
  current_record_update,
  current_record_delete,
  current_record_restore,
  current_record_get_previous_revision,
  current_record_comment_create,
  current_record_comment_or_reply_reply_create,
  current_record_comment_or_reply_delete,
  collect_app_records,
  collect_app_view_records,
  collect_referenced_records,
  collected_records_collect_referenced_records,
  filter_record_collection,
  sort_record_collection,
  clear_record_collection,
  collected_records_update,
  referenced_records_update,
  collected_records_comment_create,
  rollup_iterable_values,
  current_record_call_automation,
  collected_records_call_automation,
  current_record_generate_automation_weblink,
  display_webpage,
  redirect_user,
  send_email,
  collected_records_send_email,
  create_pdf,
  http_call,
  authenticated_http_call
}

const steps = Effect.gen(function* () {
  const allRuntimes: Runtimes = yield* Effect.all(runs)
  const visibility = yield* RunVisibility
  const guarded = new Map(
    Object.entries(allRuntimes).map(([type, runtime]) => [
      type,
      withAuthorRights(visibility, type as RuntimeType, runtime as StepRuntime)
    ])
  )
  const { open } = yield* makeSealed
  const pinned = (type: string, answer: unknown) =>
    Effect.map(open(answer), (opened) => pinnedRuntime(type as OutsideType, opened, guarded.get(type)!))
  return Steps.of({
    of: (type) => guarded.get(type),
    pinned: (type, answer) => once((step) => Effect.flatMap(pinned(type, answer), (run) => run(step)))
  })
})

const Shared = Layer.mergeAll(Collections.layer, AppRecords.layer, Assignments.layer, HttpCalls.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Mutations.layer, RunFiles.layer)),
  Layer.provideMerge(Matching.layer),
  Layer.provideMerge(ValueParts),
  Layer.provideMerge(Layer.mergeAll(Pdf.layer, RunVisibility.layer))
)

export const StepsLive = Layer.effect(Steps, steps).pipe(Layer.provide(Shared))

// The run time of the actions by type (developer-api.md 7.6): one line each; conditional, for_loop, delay and exit are the engine's.
import { Effect, Layer } from "effect"
import { InProcessApi } from "../../../api/routes.ts"
import { Pdf } from "../../../ground/pdf/Pdf.ts"
import { Matching } from "../filter/evaluateMany.ts"
import { Sight } from "../model/Sight.ts"
import { type StepRuntimes, Steps } from "../model/Step.ts"
import { ValueParts } from "../values/resolveLayer.ts"
import { createPdf } from "./create_pdf/run.ts"
import { currentRecordDelete } from "./current_record_delete/run.ts"
import { currentRecordGetPreviousRevision } from "./current_record_get_previous_revision/run.ts"
import { currentRecordRestore } from "./current_record_restore/run.ts"
import { currentRecordUpdate } from "./current_record_update/run.ts"
import { customCode } from "./custom_code/run.ts"
import * as variables from "./custom_variable/run.ts"
import * as pages from "./display_webpage/run.ts"
import { authenticatedHttpCall, httpCall } from "./http_call/run.ts"
import { permitted } from "./permitted.ts"
import { recordCreate } from "./record_create/run.ts"
import { AppRecords } from "./shared/AppRecords.ts"
import { Assignments } from "./shared/Assignments.ts"
import * as calls from "./shared/automationCalls.ts"
import { Collections } from "./shared/Collections.ts"
import { HttpCalls } from "./shared/HttpCalls.ts"
import { Mutations } from "./shared/Mutations.ts"
import { RunFiles } from "./shared/RunFiles.ts"
import * as mail from "./shared/sendMail.ts"
import * as comments from "./shared/triggeringComment.ts"
import * as updates from "./shared/updateRecord.ts"
import * as collect from "./shared/visibleApp.ts"
import * as reshape from "./sort_record_collection/run.ts"

const runtimes = Effect.gen(function* () {
  const runtimes = {
    custom_code: yield* customCode,
    custom_variable: yield* variables.customVariable,
    record_create: yield* recordCreate,
    current_record_update: yield* currentRecordUpdate,
    current_record_delete: yield* currentRecordDelete,
    current_record_restore: yield* currentRecordRestore,
    current_record_get_previous_revision: yield* currentRecordGetPreviousRevision,
    current_record_comment_create: yield* comments.currentRecordCommentCreate,
    current_record_comment_or_reply_reply_create: yield* comments.currentRecordCommentOrReplyReplyCreate,
    current_record_comment_or_reply_delete: yield* comments.currentRecordCommentOrReplyDelete,
    collect_app_records: yield* collect.collectAppRecords,
    collect_app_view_records: yield* collect.collectAppViewRecords,
    collect_referenced_records: yield* collect.collectReferencedRecords,
    collected_records_collect_referenced_records: yield* collect.collectedRecordsCollectReferencedRecords,
    filter_record_collection: yield* reshape.filterRecordCollection,
    sort_record_collection: yield* reshape.sortRecordCollection,
    clear_record_collection: yield* reshape.clearRecordCollection,
    collected_records_update: yield* updates.collectedRecordsUpdate,
    referenced_records_update: yield* updates.referencedRecordsUpdate,
    collected_records_comment_create: yield* comments.collectedRecordsCommentCreate,
    rollup_iterable_values: yield* variables.rollupIterableValues,
    current_record_call_automation: yield* calls.currentRecordCallAutomation,
    collected_records_call_automation: yield* calls.collectedRecordsCallAutomation,
    current_record_generate_automation_weblink: yield* calls.currentRecordGenerateAutomationWeblink,
    display_webpage: yield* pages.displayWebpage,
    redirect_user: yield* pages.redirectUser,
    send_email: yield* mail.sendEmail,
    collected_records_send_email: yield* mail.collectedRecordsSendEmail,
    create_pdf: yield* createPdf,
    http_call: yield* httpCall,
    authenticated_http_call: yield* authenticatedHttpCall
  } satisfies StepRuntimes
  return permitted(yield* Sight, runtimes)
})

const Shared = Layer.mergeAll(Collections.layer, AppRecords.layer, Assignments.layer, HttpCalls.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Mutations.layer, RunFiles.layer)),
  Layer.provideMerge(Matching.layer),
  Layer.provideMerge(ValueParts),
  Layer.provideMerge(Layer.mergeAll(Pdf.layer, InProcessApi, Sight.layer))
)

export const StepsLive = Layer.effect(Steps, runtimes).pipe(Layer.provide(Shared))

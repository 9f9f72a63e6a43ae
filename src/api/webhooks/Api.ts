// The hook endpoints: service.md 4.4; decisions W6, W7, W8. Everything here needs `webhooks:manage` and workspace admin.

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Delivery, DeliveryStatus, DeliveryWithAttempts } from "../../domain/webhooks/Delivery.ts"
import { HookListItem, HookRecord, HookType } from "../../domain/webhooks/Hook.ts"
import { HookSettings } from "../../domain/webhooks/HookSettings.ts"
import { TestAnswer } from "../../domain/webhooks/HookTests.ts"
import { HookSample } from "../../domain/webhooks/hookSamples.ts"
import { SettingsInput } from "../../domain/webhooks/hookSettingsInput.ts"
import { ROTATION_OVERLAP_SECONDS } from "../../domain/webhooks/signature.ts"
import { VerificationAttempt } from "../../domain/webhooks/verificationAttempts.ts"
import { line, list, token } from "../../platform/bounds/sized.ts"
import { Id } from "../../platform/primitives/commonSchemas.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { hostOf } from "../middleware/hostLookup.ts"
import { pageOf } from "../middleware/pageOf.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

/** Deliveries of a page (developer-api.md 1.4). */
const MAX_PAGE = 500
const scope = "webhooks:manage" as const
const ofApp = { scope, guard: { kind: "app", level: 5 } } as const
const ofHook = { scope, guard: { kind: "hook", level: 5 } } as const
/** A delivery leads to its hook, which the handler checks. */
const ofDelivery = { scope, unguarded: "behind another id" } as const

const appId = { app_id: Id }
const hookId = { hook_id: Id }
const deliveryId = { delivery_id: Schema.String }
const Secret = Schema.Struct({ secret: Schema.String }).annotate({ identifier: "HookSecret" })
const Rotation = Schema.Struct({
  overlap_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: ROTATION_OVERLAP_SECONDS })).annotate({
      description: "So long the former secrets sign as well, 86400 unless given; 0 retires them at once"
    })
  )
}).annotate({ identifier: "HookSecretRotation" })
const Replayed = Schema.Struct({ replayed: Schema.Int }).pipe(HttpApiSchema.status(202))
/** `replayed` is null while the log is still looked through: the replay says how many they are (W16). */
const ReplayStarted = Schema.Struct({
  replay_id: Schema.Int,
  job_id: Schema.Int,
  replayed: Schema.NullOr(Schema.Int)
}).pipe(HttpApiSchema.status(202))
const PerMinute = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("create", "/v1/hook/app/:app_id", {
      params: appId,
      payload: Schema.Struct({ type: HookType, url: line }),
      success: HookListItem,
      error: fails("ValidationError", "Restricted", "NotFound")
    }).pipe(
      requires({ ...ofApp, looksUp: hostOf("url") }),
      withSummary(
        "Create a hook",
        "A hook sends one type of change of an app to a URL. It is inactive until the URL is verified."
      )
    ),
    HttpApiEndpoint.get("list", "/v1/hook/app/:app_id", {
      params: appId,
      success: Schema.Struct({ webhooks: Schema.Array(HookListItem), total: Schema.Int })
    }).pipe(requires(ofApp), withSummary("List hooks of an app", "All hooks of the app with their state.")),
    HttpApiEndpoint.get("get", "/v1/hook/:hook_id", {
      params: hookId,
      success: HookListItem,
      error: fails("NotFound")
    }).pipe(requires(ofHook), withSummary("Get a hook", "One hook with the app that it belongs to.")),
    HttpApiEndpoint.put("update", "/v1/hook/:hook_id", {
      params: hookId,
      payload: Schema.Struct({
        url: Schema.optionalKey(line),
        type: Schema.optionalKey(HookType),
        headers: SettingsInput.fields.headers,
        authentication: SettingsInput.fields.authentication
      }),
      success: HookListItem,
      error: fails("ValidationError", "Restricted", "NotFound")
    }).pipe(
      requires({ ...ofHook, looksUp: hostOf("url") }),
      withSummary(
        "Change a hook",
        "Another URL makes it inactive until that is verified; deliveries are withheld meanwhile. Log, secret and settings stay, but another origin clears secret headers and authentication that are not sent with it."
      )
    ),
    HttpApiEndpoint.get("settings", "/v1/hook/:hook_id/settings", {
      params: hookId,
      success: HookSettings,
      error: fails("NotFound")
    }).pipe(
      requires(ofHook),
      withSummary(
        "Get the settings of a hook",
        "What is set beside the hook record, with the defaults of the rest; secret values show as `{ set: true }`."
      )
    ),
    HttpApiEndpoint.put("settingsUpdate", "/v1/hook/:hook_id/settings", {
      params: hookId,
      payload: SettingsInput,
      success: HookSettings,
      error: fails("InputInvalid", "ValidationError", "Restricted", "NotFound")
    }).pipe(
      requires(ofHook),
      withSummary(
        "Change the settings of a hook",
        "Replaces what is sent; the rest stays as it is. Whoever changes a hook takes it over: `include_record` and `filter` read with their rights, within their credential."
      )
    ),
    HttpApiEndpoint.post("test", "/v1/hook/:hook_id/test", {
      params: hookId,
      payload: Schema.Struct({ type: Schema.optionalKey(HookType) }),
      success: TestAnswer,
      error: fails("NotFound", "Conflict", "TooManyRequests")
    }).pipe(
      requires({ ...ofHook, outside: true }),
      withSummary(
        "Test a hook",
        "Sends one marked sample, which counts nowhere and is not tried again, and answers with what the receiver said."
      )
    ),
    HttpApiEndpoint.get("samples", "/v1/hook/:hook_id/sample", {
      params: hookId,
      success: Schema.Struct({ samples: Schema.Array(HookSample) }),
      error: fails("NotFound")
    }).pipe(
      requires(ofHook),
      withSummary(
        "List sample bodies",
        "Each type of event with the body that a test of it sends: ids of the newest items of the app, 0 where it has none. Nothing is sent."
      )
    ),
    HttpApiEndpoint.get("verification", "/v1/hook/:hook_id/verification", {
      params: hookId,
      success: Schema.Struct({ attempts: Schema.Array(VerificationAttempt) })
    }).pipe(
      requires(ofHook),
      withSummary(
        "List attempts of a verification",
        "What became of the last attempts to bring the code to the URL, without the code."
      )
    ),
    HttpApiEndpoint.post("verifyRequest", "/v1/hook/:hook_id/verify/request", {
      params: hookId,
      success: HookRecord,
      error: fails("NotFound")
    }).pipe(
      requires(ofHook),
      withSummary("Ask for a verification", "Sends a code to the URL of the hook, as a body of the type `hook.verify`.")
    ),
    HttpApiEndpoint.post("verifyValidate", "/v1/hook/:hook_id/verify/validate", {
      params: hookId,
      payload: Schema.Struct({ code: token }),
      success: HookRecord,
      error: fails("HookVerificationCodeInvalid", "NotFound")
    }).pipe(
      requires(ofHook),
      withSummary(
        "Verify a hook",
        "The code that the URL was sent makes the hook active. It is valid for 24 hours, for ten guesses."
      )
    ),
    HttpApiEndpoint.delete("remove", "/v1/hook/:hook_id", {
      params: hookId,
      success: HookRecord,
      error: fails("NotFound")
    }).pipe(requires(ofHook), withSummary("Delete a hook", "Nothing more is sent; its log goes with it.")),
    HttpApiEndpoint.get("secret", "/v1/hook/:hook_id/secret", {
      params: hookId,
      success: Secret,
      error: fails("NotFound")
    }).pipe(
      requires(ofHook),
      withSummary("Get the secret of a hook", "The secret that signs its deliveries (Standard Webhooks).")
    ),
    HttpApiEndpoint.post("secretRotate", "/v1/hook/:hook_id/secret/rotate", {
      params: hookId,
      payload: Rotation,
      success: Secret,
      error: fails("NotFound")
    }).pipe(
      requires({ ...ofHook, bodyOptional: true }),
      withSummary(
        "Rotate the secret of a hook",
        "Makes a new one; for 24 hours, or as long as the body says, deliveries carry both signatures."
      )
    ),
    HttpApiEndpoint.get("deliveries", "/v1/hook/:hook_id/delivery", {
      params: hookId,
      query: {
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_PAGE }))),
        cursor: Schema.optionalKey(Schema.String),
        status: Schema.optionalKey(DeliveryStatus),
        type: Schema.optionalKey(HookType),
        record_id: Schema.optionalKey(Id),
        since: Schema.optionalKey(Schema.String),
        until: Schema.optionalKey(Schema.String)
      },
      success: pageOf("deliveries", Delivery),
      error: fails("ValidationError")
    }).pipe(
      requires(ofHook),
      withSummary("List deliveries", "The log of a hook, newest first, by status, type, record and time, in pages.")
    ),
    HttpApiEndpoint.get("delivery", "/v1/hook/delivery/:delivery_id", {
      params: deliveryId,
      success: DeliveryWithAttempts,
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires(ofDelivery),
      withSummary(
        "Get a delivery",
        "One delivery with every attempt: time, status, latency, the beginning of the answer."
      )
    ),
    HttpApiEndpoint.post("deliveryReplay", "/v1/hook/delivery/:delivery_id/replay", {
      params: deliveryId,
      success: Replayed,
      error: fails("Restricted", "NotFound", "Conflict")
    }).pipe(
      requires(ofDelivery),
      withSummary("Replay a delivery", "Sends one delivery again, with the same `webhook-id`.")
    ),
    HttpApiEndpoint.post("replay", "/v1/hook/:hook_id/replay", {
      params: hookId,
      payload: Schema.Struct({
        since: token,
        until: Schema.optionalKey(token),
        status: Schema.optionalKey(list(DeliveryStatus, 20)),
        error: Schema.optionalKey(list(token, 20)),
        type: Schema.optionalKey(list(HookType, 20)),
        per_minute: Schema.optionalKey(PerMinute)
      }),
      success: ReplayStarted,
      error: fails("ValidationError", "NotFound", "Conflict")
    }).pipe(
      requires(ofHook),
      withSummary(
        "Replay many deliveries",
        "Queues what failed or was withheld since an instant, or what the body names, as a job that keeps the order of records and half of the app's executions free."
      )
    )
  )
  .middleware(DevApi)
  .annotateMerge(groupSummary("Webhooks", "Hooks, their verification, settings and deliveries.")) {}

// The hook endpoints: service.md 4.4; decisions W6, W7, W8. Everything here needs `webhooks:manage` and workspace admin.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Id } from "../../domain/accounts/accountSchemas.ts"
import { Delivery, DeliveryStatus, DeliveryWithAttempts } from "../../domain/webhooks/Delivery.ts"
import { HookListItem, HookRecord, HookType } from "../../domain/webhooks/Hook.ts"
import { HookSettings } from "../../domain/webhooks/HookSettings.ts"
import { SettingsInput } from "../../domain/webhooks/hookSettingsInput.ts"
import { line, list, token } from "../../ground/bounds/sized.ts"
import { DevApi } from "../door/DevApi.ts"
import { requires } from "../door/Requires.ts"
import { fails } from "../door/wire.ts"

const scope = "webhooks:manage" as const
const ofApp = { scope, guard: { kind: "app", level: 5 } } as const
const ofHook = { scope, guard: { kind: "hook", level: 5 } } as const
/** A delivery leads to its hook, which the handler checks. */
const ofDelivery = { scope, unguarded: "behind another id" } as const

const appId = { app_id: Id }
const hookId = { hook_id: Id }
const deliveryId = { delivery_id: Schema.String }
const Secret = Schema.Struct({ secret: Schema.String })
const Replayed = Schema.Struct({ replayed: Schema.Int }).pipe(HttpApiSchema.status(202))
/** `replayed` is null while the log is still looked through: the replay says how many they are (W16). */
const ReplayStarted = Schema.Struct({ replay_id: Schema.Int, replayed: Schema.NullOr(Schema.Int) }).pipe(
  HttpApiSchema.status(202)
)
const PerMinute = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("create", "/v1/hook/app/:app_id", {
      params: appId,
      payload: Schema.Struct({ type: HookType, url: line }),
      success: HookListItem,
      error: fails("ValidationError", "NotFound")
    }).pipe(requires(ofApp)),
    HttpApiEndpoint.get("list", "/v1/hook/app/:app_id", {
      params: appId,
      success: Schema.Struct({ webhooks: Schema.Array(HookListItem), total: Schema.Int })
    }).pipe(requires(ofApp)),
    HttpApiEndpoint.get("get", "/v1/hook/:hook_id", {
      params: hookId,
      success: HookListItem,
      error: fails("NotFound")
    }).pipe(requires(ofHook)),
    HttpApiEndpoint.put("update", "/v1/hook/:hook_id", {
      params: hookId,
      payload: Schema.Struct({ url: Schema.optionalKey(line), type: Schema.optionalKey(HookType) }),
      success: HookListItem,
      error: fails("ValidationError", "NotFound")
    }).pipe(requires(ofHook)),
    HttpApiEndpoint.get("settings", "/v1/hook/:hook_id/settings", {
      params: hookId,
      success: HookSettings,
      error: fails("NotFound")
    }).pipe(requires(ofHook)),
    HttpApiEndpoint.put("settingsUpdate", "/v1/hook/:hook_id/settings", {
      params: hookId,
      payload: SettingsInput,
      success: HookSettings,
      error: fails("InputInvalid", "ValidationError", "NotFound")
    }).pipe(requires(ofHook)),
    HttpApiEndpoint.post("verifyRequest", "/v1/hook/:hook_id/verify/request", {
      params: hookId,
      success: HookRecord,
      error: fails("NotFound")
    }).pipe(requires(ofHook)),
    HttpApiEndpoint.post("verifyValidate", "/v1/hook/:hook_id/verify/validate", {
      params: hookId,
      payload: Schema.Struct({ code: token }),
      success: HookRecord,
      error: fails("HookVerificationCodeInvalid", "NotFound")
    }).pipe(requires(ofHook)),
    HttpApiEndpoint.delete("remove", "/v1/hook/:hook_id", {
      params: hookId,
      success: HookRecord,
      error: fails("NotFound")
    }).pipe(requires(ofHook)),
    HttpApiEndpoint.get("secret", "/v1/hook/:hook_id/secret", {
      params: hookId,
      success: Secret,
      error: fails("NotFound")
    }).pipe(requires(ofHook)),
    HttpApiEndpoint.post("secretRotate", "/v1/hook/:hook_id/secret/rotate", {
      params: hookId,
      success: Secret,
      error: fails("NotFound")
    }).pipe(requires(ofHook)),
    HttpApiEndpoint.get("deliveries", "/v1/hook/:hook_id/delivery", {
      params: hookId,
      query: {
        limit: Schema.optionalKey(Schema.Int),
        cursor: Schema.optionalKey(Schema.String),
        status: Schema.optionalKey(DeliveryStatus),
        since: Schema.optionalKey(Schema.String),
        until: Schema.optionalKey(Schema.String)
      },
      success: Schema.Struct({
        total: Schema.Int,
        cursor: Schema.NullOr(Schema.String),
        deliveries: Schema.Array(Delivery)
      }),
      error: fails("ValidationError")
    }).pipe(requires(ofHook)),
    HttpApiEndpoint.get("delivery", "/v1/hook/delivery/:delivery_id", {
      params: deliveryId,
      success: DeliveryWithAttempts,
      error: fails("Restricted", "NotFound")
    }).pipe(requires(ofDelivery)),
    HttpApiEndpoint.post("deliveryReplay", "/v1/hook/delivery/:delivery_id/replay", {
      params: deliveryId,
      success: Replayed,
      error: fails("Restricted", "NotFound", "Conflict")
    }).pipe(requires(ofDelivery)),
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
    }).pipe(requires(ofHook))
  )
  .middleware(DevApi) {}

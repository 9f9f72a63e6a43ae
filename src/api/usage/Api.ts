// What uses a field or an app, asked before it is removed (decisions, "The console").
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Id } from "../../domain/accounts/accountSchemas.ts"
import { AppUsage, FieldUsage } from "../../domain/usage/usageSchemas.ts"
import { DevApi } from "../door/DevApi.ts"
import { requires } from "../door/Requires.ts"
import { room, told } from "../door/told.ts"
import { fails } from "../door/wire.ts"

const ofField = HttpApiEndpoint.get("ofField", "/v1/field/:field_id/usage", {
  params: { field_id: Id },
  success: FieldUsage,
  error: fails("NotFound")
}).pipe(
  requires({ scope: "apps:read", cost: 5, guard: { kind: "field", level: 5 } }),
  told(
    "Get what uses a field",
    "How many records hold a value in it, and the views, automations and hooks that name it: what its removal would take with it or break."
  )
)

const ofApp = HttpApiEndpoint.get("ofApp", "/v1/app/:app_id/usage", {
  params: { app_id: Id },
  success: AppUsage,
  error: fails("NotFound")
}).pipe(
  requires({ scope: "apps:read", cost: 5, guard: { kind: "app", level: 5 } }),
  told(
    "Get what uses an app",
    "How much goes with the app when it is deleted, and which automations and relation fields of other apps name it."
  )
)

export class UsageApi extends HttpApiGroup.make("usage")
  .add(ofField, ofApp)
  .middleware(DevApi)
  .annotateMerge(room("Usage", "What uses a field or an app, before it is removed.")) {}

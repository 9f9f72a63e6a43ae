// The endpoints of secrets (developer-api.md 7.13): those of an app or a workspace need workspace admin, as hooks do; those of the
// organization are seen by its users and managed by its owners and admins. No answer holds a value.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { NewOrganizationSecret, NewSecret, SecretPatch, SecretView } from "../../domain/secrets/Secret.ts"
import { Id } from "../../platform/primitives/commonSchemas.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

const read = "secrets:read" as const
const manage = "secrets:manage" as const
const inApp = { kind: "app", level: 5 } as const
const inWorkspace = { kind: "workspace", level: 5 } as const
const ofOrganization = "of the organization" as const
/** A secret leads to what it belongs to, which the handler checks. */
const behindOtherId = "behind another id" as const

const appId = { app_id: Id }
const workspaceId = { workspace_id: Id }
const secretId = { secret_id: Id }
const Page = Schema.Struct({ total: Schema.Int, secrets: Schema.Array(SecretView) }).annotate({
  identifier: "SecretList"
})

export class SecretsApi extends HttpApiGroup.make("secrets")
  .add(
    HttpApiEndpoint.post("organizationCreate", "/v1/secret/org", {
      payload: NewOrganizationSecret,
      success: SecretView,
      error: fails("ValidationError", "Restricted", "NotFound", "Conflict")
    }).pipe(
      requires({ scope: manage, unguarded: ofOrganization }),
      withSummary(
        "Add a secret of the organization",
        "Automations of the workspaces in `allowed` can use it by name; left out, of none. Its value is encrypted and never read back."
      )
    ),
    HttpApiEndpoint.get("organizationList", "/v1/secret/org", {
      success: Page,
      error: fails("NotFound")
    }).pipe(
      requires({ scope: read, unguarded: ofOrganization }),
      withSummary(
        "List secrets of the organization",
        "Names, descriptions and who may use them; no answer holds a value."
      )
    ),
    HttpApiEndpoint.post("workspaceCreate", "/v1/secret/workspace/:workspace_id", {
      params: workspaceId,
      payload: NewSecret,
      success: SecretView,
      error: fails("ValidationError", "NotFound", "Conflict")
    }).pipe(
      requires({ scope: manage, guard: inWorkspace }),
      withSummary(
        "Add a secret of a workspace",
        "Automations of its apps can use it by name. Its value is encrypted and never read back."
      )
    ),
    HttpApiEndpoint.get("workspaceList", "/v1/secret/workspace/:workspace_id", {
      params: workspaceId,
      success: Page
    }).pipe(
      requires({ scope: read, guard: inWorkspace }),
      withSummary("List secrets of a workspace", "Names and descriptions; no answer holds a value.")
    ),
    HttpApiEndpoint.post("appCreate", "/v1/secret/app/:app_id", {
      params: appId,
      payload: NewSecret,
      success: SecretView,
      error: fails("ValidationError", "NotFound", "Conflict")
    }).pipe(
      requires({ scope: manage, guard: inApp }),
      withSummary(
        "Add a secret of an app",
        "Automations of the app can use it by name. Its value is encrypted and never read back."
      )
    ),
    HttpApiEndpoint.get("appList", "/v1/secret/app/:app_id", {
      params: appId,
      success: Page
    }).pipe(
      requires({ scope: read, guard: inApp }),
      withSummary("List secrets of an app", "Names and descriptions; no answer holds a value.")
    ),
    HttpApiEndpoint.get("get", "/v1/secret/:secret_id", {
      params: secretId,
      success: SecretView,
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires({ scope: read, unguarded: behindOtherId }),
      withSummary("Get a secret", "Name, description and where it belongs; never the value.")
    ),
    HttpApiEndpoint.put("update", "/v1/secret/:secret_id", {
      params: secretId,
      payload: SecretPatch,
      success: SecretView,
      error: fails("ValidationError", "Restricted", "NotFound")
    }).pipe(
      requires({ scope: manage, unguarded: behindOtherId }),
      withSummary(
        "Change a secret",
        "Gives it another value or description, or says which workspaces may use one of the organization; steps that begin from now on find what is new."
      )
    ),
    HttpApiEndpoint.delete("remove", "/v1/secret/:secret_id", {
      params: secretId,
      success: SecretView,
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires({ scope: manage, unguarded: behindOtherId }),
      withSummary("Delete a secret", "Automations that name it fail at the step that needs it.")
    )
  )
  .middleware(DevApi)
  .annotateMerge(groupSummary("Secrets", "Values that automations use by name and nobody reads back.")) {}

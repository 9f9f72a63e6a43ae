// Action `authenticated_http_call` (developer-api.md 7.6): like http_call, with the provider's Authorization; skipped without a valid
// provider.
import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { unset } from "../../schema/combinators.ts"
import { CustomDefs } from "../../schema/dynamicValues.ts"
import { requestGaps, requestRefusal } from "../shared/httpChecks.ts"
import { request, requestNeeds } from "../shared/httpConfig.ts"
import { action } from "../spec.ts"

export const authenticated_http_call = action({
  type: "authenticated_http_call",
  label: "Authenticated HTTP request",
  scopes: [],
  description: "Sends an HTTP request with the access token of an authentication provider",
  kind: "outside",
  statuses: true,
  needs: requestNeeds,
  refuses: requestRefusal,
  check: requestGaps,
  declares: (config) => config.custom_variable_defs,
  config: { ...request, custom_variable_defs: CustomDefs, authentication_provider_id: unset(Id) }
})

// Action `http_call` (developer-api.md 7.6): one request through the guarded client.
import { CustomDefs } from "../../schema/dynamicValues.ts"
import { requestGaps, requestRefusal } from "../shared/httpChecks.ts"
import { login, request, requestNeeds } from "../shared/httpConfig.ts"
import { action } from "../spec.ts"

export const http_call = action({
  type: "http_call",
  label: "HTTP request",
  scopes: [],
  description: "Sends an HTTP request and keeps the answer in variables",
  kind: "outside",
  statuses: true,
  needs: requestNeeds,
  refuses: requestRefusal,
  check: requestGaps,
  declares: (config) => config.custom_variable_defs,
  config: { ...request, ...login, custom_variable_defs: CustomDefs }
})

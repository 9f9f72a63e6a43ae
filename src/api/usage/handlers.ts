// Translates what is in use between HTTP and its services.
import { Effect } from "effect"
import { Granted } from "../../domain/accounts/Access.ts"
import { Caller } from "../../domain/accounts/Caller.ts"
import { OrganizationUsages } from "../../domain/usage/OrganizationUsages.ts"
import { UsageReports } from "../../domain/usage/UsageReports.ts"
import { group } from "../middleware/requestContext.ts"
import { UsageApi } from "./Api.ts"

export const UsageHandlers = group(
  UsageApi,
  Effect.fnUntraced(function* (handlers) {
    const usage = yield* UsageReports
    const organizations = yield* OrganizationUsages
    return handlers.handleAll({
      ofField: () => Effect.flatMap(Granted, usage.ofField),
      ofApp: () => Effect.flatMap(Granted, usage.ofApp),
      ofOrganization: () => Effect.flatMap(Caller, organizations.of)
    })
  })
)

// Translates what uses a field or an app between HTTP and its service.
import { Effect } from "effect"
import { Granted } from "../../domain/accounts/Access.ts"
import { UsageReports } from "../../domain/usage/UsageReports.ts"
import { group } from "../door/lean.ts"
import { UsageApi } from "./Api.ts"

export const UsageHandlers = group(
  UsageApi,
  Effect.fnUntraced(function* (handlers) {
    const usage = yield* UsageReports
    return handlers.handleAll({
      ofField: () => Effect.flatMap(Granted, usage.ofField),
      ofApp: () => Effect.flatMap(Granted, usage.ofApp)
    })
  })
)

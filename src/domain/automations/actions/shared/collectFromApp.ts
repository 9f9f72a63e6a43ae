// App from which a step collects, as its author sees it, and the maximum of records (service.md 2.7): at most 1000 whatever the limit says.
import { Effect } from "effect"
import type { Step } from "../../model/Step.ts"
import { Sources } from "../../values/referencedRecords.ts"
import { failed } from "../runtime.ts"
import { COLLECTED_AT_MOST } from "./Collections.ts"
import { Mutations } from "./Mutations.ts"

export const limitOf = ({ limit, limit_enabled }: { readonly limit: number; readonly limit_enabled: boolean }) =>
  limit_enabled ? Math.min(limit, COLLECTED_AT_MOST) : COLLECTED_AT_MOST

/** Returns the definition of an app that the owner may see. */
export const appOf = Effect.fnUntraced(function* (step: Step, appId: number | undefined) {
  const sources = yield* Sources
  const mutations = yield* Mutations
  if (appId === undefined) return yield* failed("No app is set.")
  const definition = yield* sources.definition(appId, step)
  const visible = definition !== null && (yield* mutations.mayRead(step, appId))
  return visible ? definition : yield* failed(`There is no app ${appId}.`)
})

export const dependencies = Effect.context<Sources | Mutations>()

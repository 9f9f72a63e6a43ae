// Finds the scopes that the requests of a POST need and the caller lacks, and the resource that a call names. Scopes are checked before
// anything runs, because the step-up of service.md 4.2 is an HTTP answer (403), not a JSON-RPC one.

import type { Requirement } from "../../api/middleware/Requires.ts"
import { resourceAmong } from "../../api/middleware/resourceGuard.ts"
import type { CallerShape } from "../../domain/accounts/Caller.ts"
import type { Resource } from "../../domain/accounts/resourceFacts.ts"
import type { Scope } from "../../domain/accounts/Scope.ts"
import { isObject } from "./jsonSchema.ts"
import { urisOf } from "./listening/subscriptions.ts"
import { promptRequirements } from "./prompts.ts"
import { resourceRequirement } from "./resources.ts"
import type { Message } from "./rpcEnvelope.ts"
import { tools } from "./tools/registry.ts"
import type { ToolOffer } from "./toolsets.ts"

/** Arguments of a prompt, as far as they are what they should be. */
const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  )

/** Requirements that one request has of the caller; none if it names nothing that exists. */
const requirementsOf = ({ method, params }: Message, { tools }: ToolOffer): ReadonlyArray<Requirement> => {
  const name = String(params?.["name"])
  switch (method) {
    case "tools/call":
      return [tools.get(name)?.requirement].filter((one) => one !== undefined)
    case "resources/read":
      return [resourceRequirement(String(params?.["uri"]))].filter((one) => one !== undefined)
    case "prompts/get":
      return promptRequirements(name, textsOf(params?.["arguments"]))
    case "subscriptions/listen":
      return urisOf(params).flatMap((uri) => resourceRequirement(uri) ?? [])
    default:
      return []
  }
}

/**
 * Resource whose rights the only request of a POST asks for: the one that the arguments of its tool name. Whatever else a call reaches is
 * looked up when it is reached.
 */
export const resourceOfCall = (requests: ReadonlyArray<Message>): Resource | undefined => {
  const [only, ...others] = requests
  if (only?.method !== "tools/call" || others.length > 0) return undefined
  const guard = tools.get(String(only.params?.["name"]))?.requirement.guard
  const args = only.params?.["arguments"]
  return guard === undefined || !isObject(args) ? undefined : resourceAmong(guard, args)
}

export interface Missing {
  readonly scopes: ReadonlyArray<Scope>
  /** Credits that the refused requests cost all the same (developer-api.md 1.5), as a multiple of the base cost. */
  readonly cost: number
}

export const missingScopes = (
  caller: CallerShape,
  requests: ReadonlyArray<Message>,
  offer: ToolOffer
): Missing | undefined => {
  const heldScopes = caller.scopes
  if (heldScopes === "all") return undefined
  const requirements = requests.flatMap((one) => requirementsOf(one, offer))
  const missingRequirements = requirements.filter(({ scope }) => scope !== undefined && !heldScopes.has(scope))
  if (missingRequirements.length === 0) return undefined
  return {
    scopes: [...new Set(missingRequirements.map((one) => one.scope!))],
    cost: missingRequirements.reduce((sum, one) => sum + (one.cost ?? 1), 0)
  }
}

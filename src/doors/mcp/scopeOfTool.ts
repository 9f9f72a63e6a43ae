// What the requests of a POST need beyond the caller's scopes: asked before anything runs, because the step-up of service.md 4.2
// is an HTTP answer (403), not a JSON-RPC one.

import type { Requirement } from "../../api/door/Requires.ts"
import type { CallerShape } from "../../domain/accounts/Caller.ts"
import type { Scope } from "../../domain/accounts/Scope.ts"
import { promptRequirement } from "./prompts.ts"
import { resourceRequirement } from "./resources.ts"
import type { Message } from "./rpcEnvelope.ts"
import { tools } from "./tools/registry.ts"

/** Arguments of a prompt, as far as they are what they should be. */
const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  )

/** What carrying out one request asks of the caller; `undefined` when it asks nothing, or names nothing we have. */
export const requirementOf = ({ method, params }: Message): Requirement | undefined => {
  const name = String(params?.["name"])
  switch (method) {
    case "tools/call":
      return tools.get(name)?.requirement
    case "resources/read":
      return resourceRequirement(String(params?.["uri"]))
    case "prompts/get":
      return promptRequirement(name, textsOf(params?.["arguments"]))
    default:
      return undefined
  }
}

export interface Missing {
  readonly scopes: ReadonlyArray<Scope>
  /** Credits that the refused requests cost all the same (developer-api.md 1.5), as a multiple of the base cost. */
  readonly cost: number
}

export const missingScopes = (caller: CallerShape, requests: ReadonlyArray<Message>): Missing | undefined => {
  const held = caller.scopes
  if (held === "all") return undefined
  const refused = requests.map(requirementOf).filter((r) => r?.scope !== undefined && !held.has(r.scope))
  if (refused.length === 0) return undefined
  return {
    scopes: [...new Set(refused.map((r) => r!.scope!))],
    cost: refused.reduce((sum, r) => sum + (r?.cost ?? 1), 0)
  }
}

// Costs of requests that are no call of the Developer API: lists, published resources, status of a task, and unknown names
// (developer-api.md 1.6: everything that is not listed costs the base). What they read through the API costs extra. Calls of tools, and
// resources read by address, are paid for in the API.
import { resourceRequirement } from "./resources.ts"
import type { Message } from "./rpcEnvelope.ts"
import type { ToolOffer } from "./toolsets.ts"

const isOfTheApi = ({ method, params }: Message, { tools }: ToolOffer): boolean => {
  switch (method) {
    case "tools/call":
      return tools.has(String(params?.["name"]))
    case "resources/read":
      return resourceRequirement(String(params?.["uri"])) !== undefined
    default:
      return false
  }
}

/** Cost as a multiple of the base cost. */
export const ownCost = (requests: ReadonlyArray<Message>, offer: ToolOffer): number =>
  requests.filter((one) => !isOfTheApi(one, offer)).length

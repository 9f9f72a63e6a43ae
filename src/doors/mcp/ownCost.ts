// What requests cost that are no call of the Developer API as they stand: lists, what is published, a look at a task, what is not there
// (developer-api.md 1.6: everything that is not listed costs the base), beside what they read through the API. Calls of tools, and what is
// read by its address, are paid for there.
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

/** As a multiple of the base cost. */
export const ownCost = (requests: ReadonlyArray<Message>, offer: ToolOffer): number =>
  requests.filter((one) => !isOfTheApi(one, offer)).length

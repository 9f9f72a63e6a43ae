// Every tool, in the order in which they are listed, and the sets that they belong to.
import type { Tool } from "../Tool.ts"
import { appTools, describeApp, listApps } from "./appTools.ts"
import { automationTools } from "./automationTools.ts"
import { catalogueTools } from "./catalogue.ts"
import { commentTools } from "./commentTools.ts"
import { deliveryTools } from "./deliveryTools.ts"
import { fileTools } from "./fileTools.ts"
import { historyTools } from "./historyTools.ts"
import { manyRecordTools } from "./manyRecordTools.ts"
import { invitationTools, peopleTools } from "./peopleTools.ts"
import { recordTools } from "./recordTools.ts"
import { runTools } from "./runTools.ts"
import { searchTools } from "./searchTools.ts"
import { secretTools } from "./secretTools.ts"
import { startTools } from "./startTools.ts"
import { viewTools } from "./viewTools.ts"
import { webhookTools } from "./webhookTools.ts"
import { whoAmI } from "./whoAmI.ts"

/** Finding one's way: offered with every set. */
export const basics: ReadonlyArray<Tool> = [whoAmI, ...peopleTools, listApps, describeApp]

/** Toolsets by the names that callers choose them by. Each is small enough that a model can be shown no other tools. */
export const toolsets: Readonly<Record<string, ReadonlyArray<Tool>>> = {
  apps: [...appTools, ...viewTools],
  people: invitationTools,
  records: [...recordTools, ...manyRecordTools],
  search: searchTools,
  history: historyTools,
  comments: commentTools,
  automations: [...catalogueTools, ...automationTools],
  files: fileTools,
  runs: [...startTools, ...runTools],
  webhooks: webhookTools,
  deliveries: deliveryTools,
  secrets: secretTools
}

export const tools: ReadonlyMap<string, Tool> = new Map(
  [...basics, ...Object.values(toolsets).flat()].map((tool) => [tool.name, tool])
)

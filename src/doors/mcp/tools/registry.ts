// Every tool, one family a line, in the order in which they are listed.
import type { Tool } from "../Tool.ts"
import { appTools } from "./appTools.ts"
import { automationTools } from "./automationTools.ts"
import { catalogueTools } from "./catalogue.ts"
import { commentTools } from "./commentTools.ts"
import { historyTools } from "./historyTools.ts"
import { manyRecordTools } from "./manyRecordTools.ts"
import { peopleTools } from "./peopleTools.ts"
import { recordTools } from "./recordTools.ts"
import { runTools } from "./runTools.ts"
import { secretTools } from "./secretTools.ts"
import { viewTools } from "./viewTools.ts"
import { webhookTools } from "./webhookTools.ts"
import { whoAmI } from "./whoAmI.ts"

// biome-ignore format: one family a line
const all: ReadonlyArray<Tool> = [
  whoAmI,
  ...peopleTools,
  ...appTools,
  ...viewTools,
  ...recordTools,
  ...manyRecordTools,
  ...historyTools,
  ...commentTools,
  ...catalogueTools,
  ...automationTools,
  ...runTools,
  ...webhookTools,
  ...secretTools
]

export const tools: ReadonlyMap<string, Tool> = new Map(all.map((tool) => [tool.name, tool]))

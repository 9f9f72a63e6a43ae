// Every tool, one family a line, in the order in which they are listed.
import type { Tool } from "../Tool.ts"
import { appTools } from "./apps.ts"
import { automationTools } from "./automations.ts"
import { catalogueTools } from "./catalogue.ts"
import { commentTools } from "./comments.ts"
import { recordTools } from "./records.ts"
import { runTools } from "./runs.ts"
import { webhookTools } from "./webhooks.ts"
import { whoAmI } from "./whoAmI.ts"

// biome-ignore format: one family a line
const all: ReadonlyArray<Tool> = [
  whoAmI,
  ...appTools,
  ...recordTools,
  ...commentTools,
  ...catalogueTools,
  ...automationTools,
  ...runTools,
  ...webhookTools
]

export const tools: ReadonlyMap<string, Tool> = new Map(all.map((tool) => [tool.name, tool]))

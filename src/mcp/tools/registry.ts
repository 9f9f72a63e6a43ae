// Every tool, one line each, in the order in which they are listed.
import type { Tool } from "../Tool.ts"
import { describeApp, listApps } from "./apps.ts"
import { whoAmI } from "./whoAmI.ts"

const all: ReadonlyArray<Tool> = [whoAmI, listApps, describeApp]

export const tools: ReadonlyMap<string, Tool> = new Map(all.map((tool) => [tool.name, tool]))

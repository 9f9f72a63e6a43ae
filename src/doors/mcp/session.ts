// One POST's conversation: an SDK server over the tools, resources and prompts, with the caller it acts for. It lives as long as
// the request, so any process can answer any request (MCP transports: sessions are optional).
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Tool as ToolListing
} from "@modelcontextprotocol/sdk/types.js"
import type { Effect } from "effect"
import type { CallerShape } from "../../domain/accounts/Caller.ts"
import type { InProcess } from "../../domain/accounts/InProcess.ts"
import { callTool } from "./call.ts"
import { getPrompt, promptListings } from "./prompts.ts"
import { listResources, readResource, resourceTemplates } from "./resources.ts"
import type { Tool } from "./Tool.ts"
import { tools } from "./tools/registry.ts"

const instructions = `Millrace holds records in apps and runs automations on them. Find apps with list_apps and read their fields with describe_app before you search or write. Ids are positive integers; never guess one. Times are UTC. A list gives a cursor while there is more. Errors say what to do next. Texts marked "[cut: …]" are longer than shown.`

const listing = ({ name, title, description, hints, inputSchema, outputSchema }: Tool): ToolListing => ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations: { title, ...hints }
})
const listings = [...tools.values()].map(listing)

export interface Setting {
  readonly api: InProcess["Service"]
  readonly caller: CallerShape
  /** Runs an effect for the SDK; interrupted when the client goes away. */
  readonly run: <A>(effect: Effect.Effect<A>) => Promise<A>
}

// Only elicitation validates by it, which needs a session.
const noValidator = { getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not used" }) }

export const makeSession = ({ api, caller, run }: Setting): Server => {
  const server = new Server(
    { name: "millrace", title: "Millrace", version: "0.1.0" },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions, jsonSchemaValidator: noValidator }
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listings }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = tools.get(params.name)
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 80)}`)
    return run(callTool(api, caller, tool, params.arguments))
  })
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => run(listResources(api, caller, params?.cursor)))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => run(readResource(api, caller, params.uri)))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: promptListings }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    run(getPrompt(api, caller, params.name, params.arguments ?? {}))
  )
  return server
}

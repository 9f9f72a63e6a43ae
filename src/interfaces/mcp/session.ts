// Serves one POST: an SDK server over the tools, resources and prompts, with the caller it acts for. It lives as long as the request, so
// any process can answer any request (MCP 2026-07-28 has no sessions; in earlier revisions they are optional).
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool as ToolListing
} from "@modelcontextprotocol/server"
import type { Effect } from "effect"
import { nearestHint } from "../../platform/text/nearest.ts"
import { cacheHints, cacheOfResource } from "./caching.ts"
import { complete } from "./completion.ts"
import { decide, type Round } from "./decisions/decide.ts"
import { getPrompt, promptListings } from "./prompts.ts"
import type { Era } from "./protocolRevisions.ts"
import { listResources, readResource, resourceTemplates } from "./resources.ts"
import { shownHints, type Tool } from "./Tool.ts"
import type { ToolContext } from "./ToolContext.ts"
import { TASKS } from "./tasks/extension.ts"
import { type ToolOffer, unofferedReason } from "./toolsets.ts"

const instructions = `Millrace holds records in apps and runs automations on them. Find apps with list_apps and read their fields with describe_app before you search or write. Ids are positive integers; never guess one. Times are UTC. A list gives a cursor while there is more. Errors say what to do next. Texts marked "[cut: …]" are longer than shown.`

const listing = ({ name, title, description, hints, inputSchema, outputSchema }: Tool): ToolListing => ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations: shownHints(hints)
})
const listings = new WeakMap<Tool, ToolListing>()
const listTool = (tool: Tool): ToolListing => {
  const toolListing = listings.get(tool) ?? listing(tool)
  listings.set(tool, toolListing)
  return toolListing
}

/** Lists of one page have no cursor to go on from. */
const onePage = (cursor: string | undefined) => {
  if (cursor !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is not one of this list.")
}

export interface Setting {
  readonly desk: ToolContext
  /** The tools that the caller asked for. */
  readonly offer: ToolOffer
  /** Runs an effect for the SDK; interrupted when the client goes away. */
  readonly run: <A>(effect: Effect.Effect<A>) => Promise<A>
}

// Only elicitation on the server's own initiative validates by it, which needs a session.
const noValidator = { getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not used" }) }

/** Capabilities that the request states; the package checks their shape and leaves them untyped. */
const capabilitiesOf = (envelope: object | undefined): ClientCapabilities =>
  (envelope as Readonly<Record<string, ClientCapabilities>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}

/** A client that names no mode of elicitation has forms. */
const roundOf = ({ envelope, inputResponses, requestState }: ServerContext["mcpReq"]): Round => {
  const { elicitation } = capabilitiesOf(envelope)
  return {
    elicits: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    state: requestState(),
    responses: inputResponses
  }
}

export const makeSession = ({ desk, offer, run }: Setting, era: Era): Server => {
  const server = new Server(
    { name: "millrace", title: "Millrace", version: "0.2.0" },
    {
      capabilities: {
        tools: {},
        resources: era === "modern" ? { subscribe: true } : {},
        prompts: {},
        completions: {},
        ...(era === "modern" ? { extensions: { [TASKS]: {} } } : {})
      },
      instructions,
      jsonSchemaValidator: noValidator,
      cacheHints
    }
  )
  server.setRequestHandler("tools/list", ({ params }) => {
    onePage(params?.cursor)
    return { tools: Array.from(offer.tools.values(), listTool) }
  })
  server.setRequestHandler("tools/call", ({ params: { arguments: args, name } }, { mcpReq }) => {
    const tool = offer.tools.get(name)
    if (tool === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        unofferedReason(offer, name) ??
          `Unknown tool: ${name.slice(0, 80)}${nearestHint(name, [...offer.tools.keys()])}`
      )
    return run(decide(desk, tool, tool.meant(args), roundOf(mcpReq)))
  })
  server.setRequestHandler("resources/list", ({ params }) => run(listResources(desk, params?.cursor)))
  server.setRequestHandler("resources/templates/list", ({ params }) => {
    onePage(params?.cursor)
    return { resourceTemplates }
  })
  server.setRequestHandler("resources/read", async ({ params }) => {
    const read = await run(readResource(desk, params.uri))
    return era === "modern" ? { ...read, ...cacheOfResource(params.uri) } : read
  })
  server.setRequestHandler("prompts/list", ({ params }) => {
    onePage(params?.cursor)
    return { prompts: promptListings }
  })
  server.setRequestHandler("prompts/get", ({ params }) => run(getPrompt(desk, params.name, params.arguments ?? {})))
  server.setRequestHandler("completion/complete", ({ params }) => run(complete(desk, params)))
  return server
}

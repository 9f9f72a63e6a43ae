// Prompts as a host asks for them: what they need is read with the caller's rights and attached. An argument that is an id may come as
// completion offers it, with a name behind it.
import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { Effect } from "effect"
import type { Requirement } from "../../api/middleware/Requires.ts"
import { type PromptArguments, type PromptDefinition, promptDefinitions } from "./promptTexts.ts"
import { readResource, resourceRequirement } from "./resources.ts"
import type { ToolContext } from "./ToolContext.ts"

const prompts: ReadonlyMap<string, PromptDefinition> = new Map(promptDefinitions.map((one) => [one.listing.name, one]))

export const promptListings: Array<Prompt> = promptDefinitions.map(({ listing }) => listing)

export const promptNamed = (name: string): Prompt | undefined => prompts.get(name)?.listing

/** `12 (Books)` is 12 where an id is asked for. */
const withIds = (args: PromptArguments): PromptArguments =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      name.endsWith("_id") ? (/^\s*(\d{1,19})(?:\s|$)/.exec(value)?.[1] ?? value) : value
    ])
  )

/** Requirements that a prompt's attachments have of the caller. */
export const promptRequirements = (name: string, args: PromptArguments): ReadonlyArray<Requirement> =>
  (prompts.get(name)?.attach(withIds(args)) ?? []).flatMap((uri) => resourceRequirement(uri) ?? [])

const invalid = (message: string) => Effect.die(new ProtocolError(ProtocolErrorCode.InvalidParams, message))

export const getPrompt = Effect.fnUntraced(function* (desk: ToolContext, name: string, given: PromptArguments) {
  const prompt = prompts.get(name)
  if (prompt === undefined) return yield* invalid(`Unknown prompt: ${name.slice(0, 80)}`)
  const absent = prompt.listing.arguments?.find((one) => (given[one.name] ?? "").trim() === "")
  if (absent !== undefined) return yield* invalid(`The argument ${absent.name} is required.`)
  const args = withIds(given)
  const attached = yield* Effect.forEach(prompt.attach(args), (uri) => readResource(desk, uri))
  return {
    description: prompt.listing.description,
    messages: [
      ...attached.flatMap(({ contents }) =>
        contents.map((resource) => ({ role: "user" as const, content: { type: "resource" as const, resource } }))
      ),
      { role: "user", content: { type: "text", text: prompt.text(args) } }
    ]
  } as GetPromptResult
})

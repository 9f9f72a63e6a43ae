// Which tools a caller is offered: all, or those of the sets that its address or its headers name, or only those that change nothing. The
// headers are those of GitHub's MCP server (`X-MCP-Toolsets`, `X-MCP-Readonly`), as hosts know them; the query says the same.
import { misspelled } from "../../api/middleware/misspelledParameters.ts"
import type { CallerShape } from "../../domain/accounts/Caller.ts"
import { nearestHint } from "../../platform/text/nearest.ts"
import { INVALID, type Refusal, refusal } from "./refusal.ts"
import type { Tool } from "./Tool.ts"
import { basics, tools, toolsets } from "./tools/registry.ts"

export interface ToolOffer {
  /** Tools that may be called, in the order in which they are listed. */
  readonly tools: ReadonlyMap<string, Tool>
  /** True if no tool that changes anything is offered. */
  readonly readonly: boolean
}

const names = ["toolsets", "readonly"]

/** Values that deny a flag, as GitHub's server reads them. */
const denials = new Set(["false", "f", "no", "n", "0", "off"])
const isDenied = (text: string) => denials.has(text.trim().toLowerCase())

const splitList = (texts: ReadonlyArray<string>) =>
  texts.flatMap((text) => text.split(",").map((one) => one.trim().toLowerCase())).filter((one) => one !== "")

/** True if the token holds no scope to change anything. */
const onlyReads = ({ scopes }: CallerShape) =>
  scopes !== "all" && scopes.size > 0 && [...scopes].every((scope) => scope.endsWith(":read"))

/** `all` and `default` are all of them. */
const chosenBy = (wanted: ReadonlyArray<string>): ReadonlyArray<Tool> =>
  wanted.length === 0 || wanted.includes("all") || wanted.includes("default")
    ? [...tools.values()]
    : [...tools.values()].filter(
        (tool) => basics.includes(tool) || wanted.some((name) => toolsets[name]!.includes(tool))
      )

const makeOffer = (toolsetNames: ReadonlyArray<string>, readonly: boolean, readsFirst: boolean): ToolOffer => {
  const chosenTools = chosenBy(toolsetNames)
  const reading = chosenTools.filter((tool) => tool.hints.readOnlyHint)
  const changing = readonly ? [] : chosenTools.filter((tool) => !tool.hints.readOnlyHint)
  const ordered = readonly || readsFirst ? [...reading, ...changing] : chosenTools
  return { tools: new Map(ordered.map((tool) => [tool.name, tool])), readonly }
}

const offersOfAll = new Map<string, ToolOffer>()
/** The offer of those who name no set, which is made once of each kind. */
const allTools = (readonly: boolean, readsFirst: boolean): ToolOffer => {
  const key = `${readonly} ${readsFirst}`
  const knownOffer = offersOfAll.get(key) ?? makeOffer([], readonly, readsFirst)
  offersOfAll.set(key, knownOffer)
  return knownOffer
}

/** @param query what follows the `?` of the address */
export const offerOf = (
  query: string,
  headers: Readonly<Record<string, string | undefined>>,
  caller: CallerShape
): ToolOffer | Refusal => {
  const search = new URLSearchParams(query)
  const wrong = misspelled([...search.keys()], names)
  if (wrong !== undefined) return refusal(400, INVALID, wrong)
  const toolsetTexts = search.has("toolsets") ? search.getAll("toolsets") : [headers["x-mcp-toolsets"] ?? ""]
  const toolsetNames = splitList(toolsetTexts)
  const knownNames = [...Object.keys(toolsets), "all", "default"]
  const unknown = toolsetNames.find((name) => !knownNames.includes(name))
  if (unknown !== undefined)
    return refusal(
      400,
      INVALID,
      `toolsets: there is no set ${JSON.stringify(unknown.slice(0, 40))}; there are ${Object.keys(toolsets).join(", ")}${nearestHint(unknown, knownNames)}.`
    )
  const header = headers["x-mcp-readonly"]
  const readonly =
    search.getAll("readonly").some((text) => !isDenied(text)) ||
    (header !== undefined && header.trim() !== "" && !isDenied(header))
  return toolsetNames.length === 0
    ? allTools(readonly, onlyReads(caller))
    : makeOffer(toolsetNames, readonly, onlyReads(caller))
}

/** Explains why a tool that exists is not among those offered to the caller. */
export const unofferedReason = ({ readonly }: ToolOffer, name: string): string | undefined => {
  const tool = tools.get(name)
  if (tool === undefined) return undefined
  return readonly && !tool.hints.readOnlyHint
    ? `${name} changes something, and this connection asked for tools that do not (readonly).`
    : `${name} is in none of the toolsets that this connection asked for.`
}

// Completion of ids by id or name (MCP completion): arguments of prompts and of resource templates. It lists what the caller may see, and
// nothing where a scope is missing: it goes with each key that is pressed, so nobody is asked for more rights by it.
import {
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode
} from "@modelcontextprotocol/server"
import { Effect } from "effect"
import type { InProcessAnswer, InProcessCall } from "../../domain/accounts/InProcess.ts"
import { isSuccess } from "./call.ts"
import { promptNamed } from "./prompts.ts"
import { resourceTemplates } from "./resources.ts"
import type { ToolContext } from "./ToolContext.ts"

/** The protocol's own. */
const most = 100
/** A key that is pressed reads no more of a list that comes in pages. */
const mostPages = 5

interface Named {
  readonly id: string
  readonly name: string
}

interface Source {
  readonly call: (cursor: string | null) => InProcessCall
  readonly named: (body: any) => ReadonlyArray<Named>
}

const named = (id: number | string, name: string): Named => ({ id: String(id), name })

/** Calls that list the values of an argument. */
const sources: Readonly<Record<string, Source>> = {
  app_id: {
    call: () => ({ method: "GET", path: "/v1/app" }),
    named: ({ apps }) => apps.map((one: any) => named(one.app_id, one.name))
  },
  automation_id: {
    call: (cursor) => ({
      method: "GET",
      path: `/v1/automation/org?${new URLSearchParams({ limit: "100", ...(cursor === null ? {} : { cursor }) })}`
    }),
    named: ({ automations }) => automations.map((one: any) => named(one.id, one.name))
  },
  run_id: {
    call: (cursor) => ({
      method: "POST",
      path: "/v1/automation-run",
      body: { limit: 100, ...(cursor === null ? {} : { cursor }) }
    }),
    named: ({ automation_runs }) =>
      automation_runs.map((one: any) => named(one.id, `${one.automation_name}, ${one.status}`))
  }
}

const invalid = (message: string) => Effect.die(new ProtocolError(ProtocolErrorCode.InvalidParams, message))

/** Checks that the reference has the argument, and answers how its values are shown: a prompt's with their names. */
const shownBy = Effect.fnUntraced(function* ({ argument, ref }: CompleteRequest["params"]) {
  if (ref.type === "ref/prompt") {
    const prompt = promptNamed(ref.name)
    if (prompt === undefined) return yield* invalid(`Unknown prompt: ${ref.name.slice(0, 80)}`)
    if (prompt.arguments?.some(({ name }) => name === argument.name) !== true)
      return yield* invalid(`The prompt has no argument ${argument.name.slice(0, 80)}.`)
    return ({ id, name }: Named) => `${id} (${name})`
  }
  const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate === ref.uri)
  if (template === undefined) return yield* invalid(`Unknown resource template: ${ref.uri.slice(0, 80)}`)
  if (!template.uriTemplate.includes(`{${argument.name}}`))
    return yield* invalid(`The template has no argument ${argument.name.slice(0, 80)}.`)
  return ({ id }: Named) => id
})

export const complete = Effect.fnUntraced(function* ({ api, caller }: ToolContext, params: CompleteRequest["params"]) {
  const renderChoice = yield* shownBy(params)
  const { name, value } = params.argument
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined
  if (source === undefined) return { completion: { values: [] } } satisfies CompleteResult
  const allChoices: Array<Named> = []
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page++) {
    const answer: InProcessAnswer = yield* api.call(caller, source.call(cursor))
    if (!isSuccess(answer)) break
    allChoices.push(...source.named(answer.body))
    cursor = (answer.body as { readonly cursor?: string | null }).cursor ?? null
    if (cursor === null) break
  }
  const typed = value.slice(0, 200).trim().toLowerCase()
  const matchingValues = allChoices
    .filter(
      (one) => one.id.startsWith(typed) || one.name.toLowerCase().includes(typed) || renderChoice(one).startsWith(value)
    )
    .map(renderChoice)
  return {
    completion: {
      values: matchingValues.slice(0, most),
      total: matchingValues.length,
      hasMore: matchingValues.length > most || cursor !== null
    }
  } satisfies CompleteResult
})

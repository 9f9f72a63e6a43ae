// Resources that a host can attach to a conversation: published ones, and apps, records, automations and runs, which are read through the
// Developer API, with the caller's scopes and credits (developer-api.md 3.1, 4.2, 7.3, 7.11).
import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError
} from "@modelcontextprotocol/server"
import { Context, Effect } from "effect"
import { type Requirement, Requires } from "../../api/middleware/Requires.ts"
import type { InProcessAnswer } from "../../domain/accounts/InProcess.ts"
import { isSuccess } from "./call.ts"
import { published, publishedAt } from "./publishedResources.ts"
import { appUri } from "./resourceUris.ts"
import { endpointOf } from "./Tool.ts"
import type { ToolContext } from "./ToolContext.ts"

const mimeType = "application/json"

export const resourceTemplates = [
  {
    uriTemplate: "millrace://app/{app_id}",
    name: "app",
    title: "App schema",
    description: "An app with its fields, their types, options and rules.",
    mimeType
  },
  {
    uriTemplate: "millrace://record/{record_id}",
    name: "record",
    title: "Record",
    description: "A record with its values.",
    mimeType
  },
  {
    uriTemplate: "millrace://automation/{automation_id}",
    name: "automation",
    title: "Automation",
    description: "An automation with its trigger, filter and actions.",
    mimeType
  },
  {
    uriTemplate: "millrace://run/{run_id}",
    name: "run",
    title: "Automation run",
    description: "A run of an automation with its log.",
    mimeType
  }
]

const families = [
  {
    pattern: /^millrace:\/\/app\/(\d{1,15})$/,
    path: (id: string) => `/v1/app/${id}`,
    endpoint: endpointOf("apps", "get")
  },
  {
    pattern: /^millrace:\/\/record\/(\d{1,15})$/,
    path: (id: string) => `/v1/record/${id}`,
    endpoint: endpointOf("records", "get")
  },
  {
    pattern: /^millrace:\/\/automation\/(\d{1,15})$/,
    path: (id: string) => `/v1/automation/${id}`,
    endpoint: endpointOf("automations", "get")
  },
  {
    pattern: /^millrace:\/\/run\/(\d{1,19})$/,
    path: (id: string) => `/v1/automation-run/${id}`,
    endpoint: endpointOf("automationRuns", "get")
  }
]

const familyOf = (uri: string) => {
  for (const family of families) {
    const id = family.pattern.exec(uri)?.[1]
    if (id !== undefined) return { ...family, id }
  }
  return undefined
}

/** Scope and credits that reading a resource requires. */
export const resourceRequirement = (uri: string): Requirement | undefined => {
  const family = familyOf(uri)
  return family === undefined ? undefined : Context.get(family.endpoint.annotations, Requires)
}

const raise = (error: ProtocolError) => Effect.die(error)

const failed = ({ status, body }: InProcessAnswer, uri: string) => {
  const { error_code, error_message } = (body ?? {}) as Readonly<Record<string, unknown>>
  const message = `${error_code}: ${error_message}`
  if (status === 404) return raise(new ResourceNotFoundError(uri, message))
  const code = status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest
  return raise(new ProtocolError(code, message, { uri }))
}

export const readResource = Effect.fnUntraced(function* ({ api, caller, limits }: ToolContext, uri: string) {
  const contents = (text: string, type = mimeType): ReadResourceResult => ({
    contents: [{ uri, mimeType: type, text }]
  })
  const file = publishedAt(uri)
  if (file !== undefined) return contents(file.text(limits), file.resource.mimeType)
  const family = familyOf(uri)
  if (family === undefined) return yield* raise(new ResourceNotFoundError(uri.slice(0, 200), "Resource not found"))
  const answer = yield* api.call(caller, { method: "GET", path: family.path(family.id) })
  return isSuccess(answer) ? contents(JSON.stringify(answer.body)) : yield* failed(answer, uri)
})

const pageSize = 100

/** Lists the published resources, then every visible app; a credential that may not read apps sees only the former. */
export const listResources = Effect.fnUntraced(function* ({ api, caller }: ToolContext, cursor: string | undefined) {
  if (cursor !== undefined && !/^\d{1,6}$/.test(cursor))
    return yield* raise(new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is not one of this list."))
  const start = Number(cursor ?? 0)
  const leadingResources = start === 0 ? published.map(({ resource }) => resource) : []
  if (caller.scopes !== "all" && !caller.scopes.has("apps:read")) return { resources: leadingResources }
  const answer = yield* api.call(caller, { method: "GET", path: "/v1/app" })
  if (!isSuccess(answer)) return yield* failed(answer, "millrace://app")
  const { apps } = answer.body as { apps: ReadonlyArray<{ app_id: number; name: string; workspace_name: string }> }
  const appResources = apps.slice(start, start + pageSize).map(({ app_id, name, workspace_name }) => ({
    uri: appUri(app_id),
    name: `app-${app_id}`,
    title: name,
    description: `App ${name} of workspace ${workspace_name}`,
    mimeType
  }))
  const more = start + pageSize < apps.length ? { nextCursor: String(start + pageSize) } : {}
  return { resources: [...leadingResources, ...appResources], ...more } satisfies ListResourcesResult
})

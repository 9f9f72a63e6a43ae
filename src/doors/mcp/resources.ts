// What a host can attach to a conversation: app schemas, runs, the JSON Schema of automations and the declarations of scripts
// (developer-api.md 3.1, 7.2, 7.11, 8). All but the published files are read through the Developer API, with the caller's scopes and credits.
import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError
} from "@modelcontextprotocol/server"
import { Context, Effect } from "effect"
import { type Requirement, Requires } from "../../api/door/Requires.ts"
import type { CallerShape } from "../../domain/accounts/Caller.ts"
import type { InProcess, InProcessAnswer } from "../../domain/accounts/InProcess.ts"
import { declarations, publishedSchema } from "../../domain/automations/meta/typeCatalogue.ts"
import type { Stored } from "../../ground/primitives/servedOnce.ts"
import { isSuccess } from "./call.ts"
import { endpointOf } from "./Tool.ts"

const mimeType = "application/json"

export const appUri = (appId: number | string) => `millrace://app/${appId}`
export const runUri = (runId: string) => `millrace://run/${runId}`

/** The same for everybody. */
const publishedFiles: ReadonlyArray<{
  readonly stored: () => Stored
  readonly resource: Resource & { readonly mimeType: string }
}> = [
  {
    stored: publishedSchema,
    resource: {
      uri: "millrace://automation/schema",
      name: "automation-schema",
      title: "Automation schema",
      description: "JSON Schema of an automation: triggers, filters, actions, dynamic values.",
      mimeType: "application/schema+json"
    }
  },
  {
    stored: declarations,
    resource: {
      uri: "millrace://automation/script.d.ts",
      name: "script-environment",
      title: "Script environment",
      description: "What JavaScript in automations finds, as TypeScript declarations: names, http, api, libraries.",
      mimeType: "application/typescript"
    }
  }
]

export const resourceTemplates = [
  {
    uriTemplate: "millrace://app/{app_id}",
    name: "app",
    title: "App schema",
    description: "An app with its fields, their types, options and rules.",
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

/** Whether it is the same for everybody, until a release changes it. */
export const isPublished = (uri: string) => publishedFiles.some(({ resource }) => resource.uri === uri)

/** What reading a resource asks of the caller. */
export const resourceRequirement = (uri: string): Requirement | undefined => {
  const family = familyOf(uri)
  return family === undefined ? undefined : Context.get(family.endpoint.annotations, Requires)
}

type Api = InProcess["Service"]

const raise = (error: ProtocolError) => Effect.die(error)

const failed = ({ status, body }: InProcessAnswer, uri: string) => {
  const { error_code, error_message } = (body ?? {}) as Readonly<Record<string, unknown>>
  const message = `${error_code}: ${error_message}`
  if (status === 404) return raise(new ResourceNotFoundError(uri, message))
  const code = status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest
  return raise(new ProtocolError(code, message, { uri }))
}

export const readResource = Effect.fnUntraced(function* (api: Api, caller: CallerShape, uri: string) {
  const contents = (text: string, type = mimeType): ReadResourceResult => ({
    contents: [{ uri, mimeType: type, text }]
  })
  const file = publishedFiles.find(({ resource }) => resource.uri === uri)
  if (file !== undefined) return contents(Buffer.from(file.stored().body).toString(), file.resource.mimeType)
  const family = familyOf(uri)
  if (family === undefined) return yield* raise(new ResourceNotFoundError(uri.slice(0, 200), "Resource not found"))
  const answer = yield* api.call(caller, { method: "GET", path: family.path(family.id) })
  return isSuccess(answer) ? contents(JSON.stringify(answer.body)) : yield* failed(answer, uri)
})

const pageSize = 100

/** The published files, then every visible app; a credential that may not read apps sees the files alone. */
export const listResources = Effect.fnUntraced(function* (api: Api, caller: CallerShape, cursor: string | undefined) {
  if (cursor !== undefined && !/^\d{1,6}$/.test(cursor))
    return yield* raise(new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is not one of this list."))
  const start = Number(cursor ?? 0)
  const first = start === 0 ? publishedFiles.map(({ resource }) => resource) : []
  if (caller.scopes !== "all" && !caller.scopes.has("apps:read")) return { resources: first }
  const answer = yield* api.call(caller, { method: "GET", path: "/v1/app" })
  if (!isSuccess(answer)) return yield* failed(answer, "millrace://app")
  const { apps } = answer.body as { apps: ReadonlyArray<{ app_id: number; name: string; workspace_name: string }> }
  const shown = apps.slice(start, start + pageSize).map(({ app_id, name, workspace_name }) => ({
    uri: appUri(app_id),
    name: `app-${app_id}`,
    title: name,
    description: `App ${name} of workspace ${workspace_name}`,
    mimeType
  }))
  const more = start + pageSize < apps.length ? { nextCursor: String(start + pageSize) } : {}
  return { resources: [...first, ...shown], ...more } satisfies ListResourcesResult
})

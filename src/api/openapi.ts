// What the generated OpenAPI document cannot know by itself: title, security, scopes, the answers of the front door, examples
// of error bodies (developer-api.md 1.5 to 1.8). Everything else is made from the endpoints' own schemas.
import { Context } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { DevApi } from "./door/DevApi.ts"
import { Requires } from "./door/Requires.ts"
import { devApiError } from "./door/wire.ts"

type Json = Record<string, any>

const errorBody = (status: number, code: string, message: string, endpoint: string) => ({
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/DevApiError" },
      example: devApiError(status, code, message, endpoint)
    }
  }
})

const challenge = {
  "WWW-Authenticate": {
    schema: { type: "string" },
    description: "RFC 6750 challenge with resource_metadata (RFC 9728)"
  }
}

const rateHeaders = {
  "X-RateLimit-Limit": { schema: { type: "integer" }, description: "Credits per window" },
  "X-Retry-Remaining": { schema: { type: "integer" }, description: "Credits left in this window" },
  "X-Retry-Cost": { schema: { type: "integer" }, description: "Credits this request cost" },
  "X-Retry-Reset": { schema: { type: "string" }, description: "When the budget refills, UTC" },
  "Retry-After": { schema: { type: "integer" }, description: "Seconds until then" }
}

const doorAnswers = (path: string, scope: string | undefined): Json => ({
  401: {
    description: "No credential, or one that is not valid now",
    headers: challenge,
    ...errorBody(401, "dev_api_invalid_access_token", "The credential is invalid, expired, revoked or blocked.", path)
  },
  403: {
    description:
      scope === undefined
        ? "The user may not do this"
        : `The credential lacks the scope ${scope}, or the user may not do this`,
    headers: challenge,
    ...errorBody(
      403,
      scope === undefined ? "restricted_resource" : "forbidden",
      scope === undefined ? "This needs more rights." : `The credential lacks the scope ${scope}.`,
      path
    )
  },
  429: {
    description: "The user's credits for this window are spent",
    headers: rateHeaders,
    ...errorBody(429, "too_many_requests", "Rate limit reached; retry in 12 s.", path)
  },
  500: {
    description: "A fault of the service; nothing was changed",
    ...errorBody(500, "internal_server_error", "The service failed to carry this out; nothing was changed.", path)
  }
})

const components: Json = {
  DevApiError: {
    type: "object",
    required: ["status_code", "endpoint", "error_code", "error_message"],
    properties: {
      status_code: { type: "integer" },
      endpoint: { type: "string", description: "Path of the request" },
      error_code: { type: "string" },
      error_message: { type: "string", description: "English; names the JSON path or field slug where there is one" }
    }
  }
}

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "OAuth access token (svc_oat_), personal access token (svc_pat_) or user API key (user_key_)"
  },
  basic: {
    type: "http",
    scheme: "basic",
    description: "Personal access token or user API key as user name, empty password"
  }
}

const describeOperation = (operation: Json, endpoint: HttpApiEndpoint.Top, path: string): Json => {
  const { scope, cost, bearerOnly } = Context.get(endpoint.annotations, Requires)
  const lines = [
    operation["description"],
    scope === undefined ? "Needs no scope." : `Needs the scope \`${scope}\`.`,
    cost === undefined ? undefined : `Costs ${cost} times the base credits.`
  ]
  const header = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    schema: { type: "string", maxLength: 255 },
    description: "The first answer below 500 is stored for 24 h and replayed"
  }
  return {
    ...operation,
    description: lines.filter((line) => line !== undefined).join(" "),
    parameters: [...(operation["parameters"] ?? []), ...(endpoint.method === "POST" ? [header] : [])],
    security: [{ bearer: [] }, ...(bearerOnly === true ? [] : [{ basic: [] }])],
    responses: { ...operation["responses"], ...doorAnswers(path, scope) }
  }
}

/** The annotations of the API as a whole. @param more paths that are served beside the groups */
export const openApi = (groups: object, more: Json) =>
  OpenApi.annotations({
    title: "Millrace",
    version: "0.1.0",
    description:
      "Records, verified webhooks and durable automations, with an OAuth 2.1 authorization server. Times are UTC, `YYYY-MM-DD HH:mm:ss`. Bodies are closed: a stray key is a 400. Answers over a KiB are compressed for who sends `Accept-Encoding`.",
    transform: (spec) => {
      for (const group of Object.values(groups as Record<string, HttpApiGroup.Top>)) {
        for (const endpoint of Object.values(group.endpoints) as Array<HttpApiEndpoint.Top>) {
          const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
          const item = spec["paths"]?.[path] as Json | undefined
          const method = endpoint.method.toLowerCase()
          const guarded = (endpoint.middlewares as ReadonlySet<unknown>).has(DevApi)
          if (item?.[method] !== undefined && guarded) item[method] = describeOperation(item[method], endpoint, path)
        }
      }
      return {
        ...spec,
        paths: { ...spec["paths"], ...more },
        components: {
          ...spec["components"],
          schemas: { ...spec["components"]?.schemas, ...components },
          securitySchemes
        }
      }
    }
  })

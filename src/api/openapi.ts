// What the generated OpenAPI document cannot know by itself: title, security, scopes, the answers of the front door
// (./errorAnswers.ts; developer-api.md 1.5 to 1.8). Everything else is made from the endpoints' own schemas.
import { Context } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { describedTypes } from "./describedTypes.ts"
import { DevApi } from "./door/DevApi.ts"
import { Requires } from "./door/Requires.ts"
import { errorAnswers, errorBodies } from "./errorAnswers.ts"
import { securitySchemes } from "./securitySchemes.ts"
import { webhookBodies } from "./webhooks/webhookBodies.ts"

type Json = Record<string, any>

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
    security: [
      { bearer: [] },
      ...(bearerOnly === true ? [] : [{ basic: [] }]),
      { oauth2: scope === undefined ? [] : [scope] }
    ],
    responses: { ...operation["responses"], ...errorAnswers(endpoint, operation["responses"], path) }
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
      return describedTypes({
        ...spec,
        // Where the description itself was read.
        servers: [{ url: "/" }],
        webhooks: webhookBodies,
        paths: { ...spec["paths"], ...more },
        components: {
          ...spec["components"],
          schemas: { ...spec["components"]?.schemas, ...errorBodies },
          securitySchemes
        }
      }) as Json
    }
  })

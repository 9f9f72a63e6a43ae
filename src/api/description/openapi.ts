// The description of the API: what is generated from the endpoints, and what that cannot know by itself (operation.ts, errorAnswers.ts,
// document.ts; developer-api.md 1.2, 1.5 to 1.8).
import { type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { DevApi } from "../middleware/DevApi.ts"
import { maxJsonBytes } from "../middleware/jsonBody.ts"
import { webhookBodies } from "../webhooks/webhookBodies.ts"
import { rateHeaders, sharedHeaders } from "./answerHeaders.ts"
import { describeDocument } from "./document.ts"
import { errorBodies, sharedAnswers } from "./errorAnswers.ts"
import { withExamples } from "./examples.ts"
import { withLinks } from "./links.ts"
import { describeOperation, sharedParameters } from "./operation.ts"
import { portable } from "./portable.ts"
import { securitySchemes } from "./securitySchemes.ts"

type Json = Record<string, any>

/** Adds what needs the whole description: links of created things, examples. */
const finished = (spec: Json): Json => {
  const paths = Object.entries<Json>(spec["paths"]).map(([path, item]) => {
    const operations = Object.entries<Json>(item).map(([method, operation]) => [
      method,
      withExamples(method === "post" ? withLinks(spec, path, operation) : operation)
    ])
    return [path, Object.fromEntries(operations)]
  })
  return { ...spec, paths: Object.fromEntries(paths) }
}

/** The annotations of the API as a whole. @param more paths that are served beside the groups */
export const openApi = (groups: object, more: Json) =>
  OpenApi.annotations({
    title: "Millrace",
    version: "0.2.0",
    description: [
      "Records, verified webhooks and durable automations, with an OAuth 2.1 authorization server. Times are UTC, `YYYY-MM-DD HH:mm:ss`.",
      `Bodies are closed: a stray key is a 400. A JSON body has at most ${maxJsonBytes / 1024 / 1024} MiB.`,
      "Answers over a KiB are compressed for who sends `Accept-Encoding`. Each says what is left of the caller's credits:",
      `${Object.keys(rateHeaders)
        .map((name) => `\`${name}\``)
        .join(", ")}.`
    ].join(" "),
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
      return finished(
        portable(
          describeDocument({
            ...spec,
            // Relative address: the service that the description was read from.
            servers: [{ url: "/" }],
            webhooks: webhookBodies,
            paths: { ...spec["paths"], ...more },
            components: {
              ...spec["components"],
              schemas: { ...spec["components"]?.schemas, ...errorBodies },
              responses: sharedAnswers,
              parameters: sharedParameters,
              headers: sharedHeaders,
              securitySchemes
            }
          })
        )
      )
    }
  })

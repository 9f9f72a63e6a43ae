// What the service sends to the address of a hook, as the `webhooks` of the API description (service.md 6, decisions W7):
// the table of notifications, described.

import { notifications } from "../../domain/webhooks/notifications.ts"
import { COMPONENTS, pascal } from "../description/names.ts"

const whole = { type: "integer" }
const hookId = { ...whole, description: "The hook that is told" }

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

const signature = [
  header("webhook-id", "One for each event and hook, the same for every retry and replay"),
  header("webhook-timestamp", "When it was sent, in seconds since 1970"),
  header(
    "webhook-signature",
    "Standard Webhooks, `v1,` and HMAC-SHA256 of id, timestamp and body; two of them while a secret is rotated"
  )
]

type Members = Readonly<Record<string, object>>

/** The body's schema has a name: generators make a type of it. */
const nameOf = (type: string) => `${pascal(type)}Webhook`

const bodyOf = (type: string, members: Members) => ({
  type: "object",
  properties: { ...members, type: { type: "string", enum: [type] } },
  required: [...Object.keys(members), "type"]
})

const sent = (type: string, summary: string) => ({
  post: {
    operationId: `webhook.${type}`,
    tags: ["Webhooks"],
    summary,
    description:
      "Any 2xx within 5 s takes it; anything else is tried again. A body may come twice, with the same `webhook-id`.",
    security: [],
    parameters: signature,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: COMPONENTS + nameOf(type) }
        }
      }
    },
    responses: { "2XX": { description: "Taken" } }
  }
})

const described = (members: (typeof notifications)[keyof typeof notifications]["members"]): Members =>
  Object.fromEntries(Object.entries(members).map(([member, { about, type }]) => [member, { type, description: about }]))

/** Type, when it is sent, members. */
const bodies: ReadonlyArray<readonly [string, string, Members]> = [
  ...Object.entries(notifications).map(
    ([name, { members, when }]) => [name, when, { hook_id: hookId, ...described(members) }] as const
  ),
  [
    "hook.verify",
    "A verification was asked for: send the code to /v1/hook/{hook_id}/verify/validate",
    { hook_id: hookId, code: { type: "string", description: "Valid for 24 hours" } }
  ]
]

/** By the type of the body. */
export const webhookBodies = Object.fromEntries(bodies.map(([type, when]) => [type, sent(type, when)]))

/** The bodies, as components. */
export const webhookSchemas = Object.fromEntries(
  bodies.map(([type, , members]) => [nameOf(type), bodyOf(type, members)])
)

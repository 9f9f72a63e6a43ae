// Describes the bodies that the service sends to the address of a hook, as the `webhooks` of the API description (service.md 6, decisions
// W7), from the table of event bodies.
import { eventBodies } from "../../domain/webhooks/eventBodies.ts"

const integerSchema = { type: "integer" }
const hookId = { ...integerSchema, description: "The hook that is told" }

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

const describeWebhook = (type: string, summary: string, members: Readonly<Record<string, object>>) => ({
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
          schema: {
            type: "object",
            properties: { ...members, type: { type: "string", enum: [type] } },
            required: [...Object.keys(members), "type"]
          }
        }
      }
    },
    responses: { "2XX": { description: "Taken" } }
  }
})

/** Bodies by type. */
export const webhookBodies = Object.fromEntries([
  ...Object.entries(eventBodies).map(([name, { members, when }]) => {
    const described = Object.entries(members).map(([member, { about, type }]) => [member, { type, description: about }])
    return [name, describeWebhook(name, when, { hook_id: hookId, ...Object.fromEntries(described) })]
  }),
  [
    "hook.verify",
    describeWebhook(
      "hook.verify",
      "A verification was asked for: send the code to /v1/hook/{hook_id}/verify/validate",
      {
        hook_id: hookId,
        code: { type: "string", description: "Valid for 24 hours" }
      }
    )
  ]
])

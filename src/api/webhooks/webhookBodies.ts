// What the service sends to the address of a hook, as the `webhooks` of the API description (service.md 6, decisions W7).
import { type HookType, hookTypes } from "../../domain/webhooks/Hook.ts"

const whole = { type: "integer" }
const hookId = { ...whole, description: "The hook that is told" }
const recordId = { ...whole, description: "Read it at /v1/record/{record_id}" }

const bodies: Readonly<Record<"app" | "comment" | "record", Readonly<Record<string, object>>>> = {
  record: {
    hook_id: hookId,
    record_id: recordId,
    revision_id: {
      ...whole,
      description: "The revision that the change wrote: /v1/record/{record_id}/revision/{revision}"
    }
  },
  comment: {
    hook_id: hookId,
    record_id: recordId,
    comment_id: { ...whole, description: "Read it at /v1/comment/{comment_id}" }
  },
  app: { hook_id: hookId, app_id: { ...whole, description: "Read it at /v1/app/{app_id}" } }
}

const when: Readonly<Record<HookType | "hook.verify", string>> = {
  "record.create": "A record was created in the app of the hook",
  "record.update": "A record was updated",
  "record.delete": "A record was deleted",
  "record.restore": "A record was taken out of the trash",
  "comment.create": "A record was commented on",
  "comment.delete": "A comment was deleted",
  "app.update": "Fields or settings of the app were changed",
  "hook.verify": "A verification was asked for: send the code to /v1/hook/{hook_id}/verify/validate"
}

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

const sent = (type: HookType | "hook.verify", members: Readonly<Record<string, object>>) => ({
  post: {
    operationId: `webhook.${type}`,
    tags: ["Webhooks"],
    summary: when[type],
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

/** By the type of the body. */
export const webhookBodies = Object.fromEntries([
  ...hookTypes.map((type) => [type, sent(type, bodies[type.split(".")[0] as keyof typeof bodies])]),
  ["hook.verify", sent("hook.verify", { hook_id: hookId, code: { type: "string", description: "Valid for 24 hours" } })]
])

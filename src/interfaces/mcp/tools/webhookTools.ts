// Webhooks (service.md 4.4, decisions W6, W11, W14).
import { HookType } from "../../../domain/webhooks/Hook.ts"
import { SettingsInput } from "../../../domain/webhooks/hookSettingsInput.ts"
import { adds, reads, replaces, tool } from "../Tool.ts"
import { id, optional, text } from "./args.ts"

const asCreated = { type: "string", description: "As create_webhook takes it." }
/** The texts of the API, as short as a model needs them. */
const settings = {
  description: { description: "What it is for." },
  paused: { description: "Events wait, for seven days at most." },
  types: {
    type: "array",
    items: { type: "string" },
    description: "Events that are sent, as create_webhook takes them, its own type among them."
  },
  filter: {
    type: ["object", "null"],
    description: "As create_automation takes it, over the record of the event; null sends all."
  },
  only_fields: { description: "field_ids: of record.update only what changes one of them; empty for all." },
  headers: {
    type: "object",
    description: "By name: a text, { secret: text } for one that is never read, { set: true } for the stored secret."
  },
  authentication: {
    type: ["object", "null"],
    description:
      "{ type: basic, username, password }, { type: bearer, token }, { type: oauth2, authentication_provider_id } or { type: certificate, certificate, key }; { set: true } keeps a stored secret."
  },
  per_minute: { description: "Executions a minute; null for no limit." },
  at_once: { description: "Executions at the same time; null for no limit." },
  retry_seconds: { description: "Pauses before each retry; null for the installation's." },
  timeout_millis: { description: "Time to answer; null for the installation's." },
  include_record: { description: "Bodies of record events hold the record." }
}

const hookId = id("From list_webhooks.")

export const webhookTools = [
  tool({
    name: "list_webhooks",
    title: "List webhooks",
    description: "The webhooks of an app, with status and failures in a row.",
    hints: reads,
    endpoint: ["webhooks", "list"],
    args: { app_id: id("From list_apps.") }
  }),
  tool({
    name: "create_webhook",
    title: "Create a webhook",
    description:
      "Adds a webhook to an app. It is inactive and sends nothing until its receiver is verified: request_webhook_verification, then confirm_webhook_verification.",
    hints: adds,
    endpoint: ["webhooks", "create"],
    args: {
      app_id: id("From list_apps."),
      type: HookType.annotate({ description: "The events it is sent." }),
      url: text("http or https, port 80 or 443, not a private address.")
    },
    body: ["type", "url"]
  }),
  tool({
    name: "read_webhook",
    title: "Read a webhook",
    description: "One webhook, with its app, status and failures in a row.",
    hints: reads,
    endpoint: ["webhooks", "get"],
    args: { hook_id: hookId }
  }),
  tool({
    name: "update_webhook",
    title: "Change a webhook",
    description:
      "Changes URL or type. After a new URL nothing is sent until it is verified again: what occurs meanwhile is withheld and can be replayed. Another origin clears secret headers and authentication.",
    hints: replaces,
    endpoint: ["webhooks", "update"],
    args: {
      hook_id: hookId,
      url: optional(text("http or https, port 80 or 443, not a private address.")),
      type: optional(HookType)
    },
    shown: { type: asCreated },
    body: ["url", "type"]
  }),
  tool({
    name: "read_webhook_settings",
    title: "Read a webhook's settings",
    description:
      "Pause, further types, filter, headers, limits, retries. Secret values show as { set: true } and are never told.",
    hints: reads,
    endpoint: ["webhooks", "settings"],
    args: { hook_id: hookId }
  }),
  tool({
    name: "update_webhook_settings",
    title: "Change a webhook's settings",
    description:
      "Replaces the members that are given; the others stay. `paused` true keeps events waiting for at most seven days, false sends them in order.",
    hints: replaces,
    endpoint: ["webhooks", "settingsUpdate"],
    args: { hook_id: hookId, ...SettingsInput.fields },
    shown: settings,
    emptied: ["description"],
    body: [
      ...(["description", "paused", "types", "filter", "only_fields", "headers", "authentication"] as const),
      ...(["per_minute", "at_once", "retry_seconds", "timeout_millis", "include_record"] as const)
    ]
  }),
  tool({
    name: "request_webhook_verification",
    title: "Request verification of a webhook",
    description: "POSTs a verification code to the webhook's URL. Whoever runs the receiver has to tell the code.",
    hints: { ...adds, openWorldHint: true },
    endpoint: ["webhooks", "verifyRequest"],
    args: { hook_id: hookId }
  }),
  tool({
    name: "confirm_webhook_verification",
    title: "Confirm a webhook",
    description: "Activates the webhook with the code that its receiver was sent.",
    hints: adds,
    endpoint: ["webhooks", "verifyValidate"],
    args: { hook_id: hookId, code: text("The code, as received.") },
    body: ["code"]
  }),
  tool({
    name: "read_webhook_verification",
    title: "See what became of a verification",
    description: "The last attempts to bring a webhook its code: status, error and answer, never the code.",
    hints: reads,
    endpoint: ["webhooks", "verification"],
    args: { hook_id: hookId }
  }),
  tool({
    name: "test_webhook",
    title: "Test a webhook",
    description:
      "Sends a sample, marked as one, to an active webhook and tells what its receiver answered. It counts nowhere and is not repeated.",
    hints: { ...adds, openWorldHint: true },
    endpoint: ["webhooks", "test"],
    args: { hook_id: hookId, type: optional(HookType) },
    shown: { type: asCreated },
    body: ["type"]
  }),
  tool({
    name: "delete_webhook",
    title: "Delete a webhook",
    description: "Removes a webhook for good.",
    hints: replaces,
    endpoint: ["webhooks", "remove"],
    args: { hook_id: hookId }
  })
]

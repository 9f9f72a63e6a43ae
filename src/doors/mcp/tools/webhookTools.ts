// Webhooks and their deliveries (service.md 4.4, decisions W6, W8, W16).
import { DeliveryStatus } from "../../../domain/webhooks/Delivery.ts"
import { HookType } from "../../../domain/webhooks/Hook.ts"
import { SettingsInput } from "../../../domain/webhooks/hookSettingsInput.ts"
import { StatisticsStep } from "../../../domain/webhooks/statistics/Statistics.ts"
import { list, token } from "../../../ground/bounds/sized.ts"
import { acts, adds, reads, replaces, tool } from "../Tool.ts"
import { replayTicket } from "../tasks/replayTicket.ts"
import { id, optional, page, pageDefaults, text } from "./args.ts"

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
    body: ["type"]
  }),
  tool({
    name: "delete_webhook",
    title: "Delete a webhook",
    description: "Removes a webhook for good.",
    hints: replaces,
    endpoint: ["webhooks", "remove"],
    args: { hook_id: hookId }
  }),
  tool({
    name: "list_deliveries",
    title: "List deliveries",
    description: "What a webhook sent or has yet to send, newest first.",
    hints: reads,
    endpoint: ["webhooks", "deliveries"],
    args: {
      hook_id: hookId,
      status: optional(DeliveryStatus),
      since: optional(text("Not before this time, UTC.")),
      until: optional(text("Not after this time, UTC.")),
      ...page
    },
    defaults: pageDefaults
  }),
  tool({
    name: "read_delivery",
    title: "Read a delivery",
    description: "One delivery with every attempt: time, status, latency, the start of the answer.",
    hints: reads,
    endpoint: ["webhooks", "delivery"],
    args: { delivery_id: text("From list_deliveries.") }
  }),
  tool({
    name: "list_replays",
    title: "List replays",
    description: "The replays of many deliveries of a webhook, newest first, and how far they are.",
    hints: reads,
    endpoint: ["webhookLog", "replays"],
    args: { hook_id: hookId }
  }),
  tool({
    name: "replay_delivery",
    title: "Replay a delivery",
    description: "Sends a delivery once more, under its old id. The webhook must be active.",
    hints: { ...acts, destructiveHint: false },
    endpoint: ["webhooks", "deliveryReplay"],
    args: { delivery_id: text("From list_deliveries.") }
  }),
  tool({
    name: "replay_deliveries",
    title: "Replay many deliveries",
    description:
      "Sends again what failed or was withheld, in the background: at most half of the app's executions, in the order of their records. The webhook must be active. read_replay shows how far it is.",
    hints: { ...acts, destructiveHint: false },
    endpoint: ["webhooks", "replay"],
    args: {
      hook_id: hookId,
      since: text("Not before this time, UTC."),
      until: optional(text("Not after this time, UTC.")),
      status: optional(list(DeliveryStatus, 20).annotate({ description: "failed and withheld unless given." })),
      error: optional(
        list(token, 20).annotate({ description: "Classes of the last attempt's error, such as timeout." })
      ),
      per_minute: optional(id("Executions that it begins in a minute at most."))
    },
    body: ["since", "until", "status", "error", "per_minute"],
    taskOf: (desk, { replay_id }) => `replay-${replayTicket(desk, replay_id)}`
  }),
  tool({
    name: "read_replay",
    title: "Read a replay",
    description: "How far a replay of many deliveries is.",
    hints: reads,
    endpoint: ["webhookLog", "replay"],
    args: { replay_id: id("From replay_deliveries.") }
  }),
  tool({
    name: "cancel_replay",
    title: "Cancel a replay",
    description: "Ends a replay. What it has not begun to send is what it was before.",
    hints: replaces,
    endpoint: ["webhookLog", "replayCancel"],
    args: { replay_id: id("From replay_deliveries.") }
  }),
  tool({
    name: "read_webhook_statistics",
    title: "Read statistics of a webhook",
    description:
      "Executions of a webhook by time and outcome, percentiles of latency, and what waits now. The last day by the hour unless asked otherwise.",
    hints: reads,
    endpoint: ["webhookLog", "statistics"],
    args: {
      hook_id: hookId,
      since: optional(text("Not before this time, UTC.")),
      until: optional(text("Not after this time, UTC.")),
      step: optional(StatisticsStep)
    }
  })
]

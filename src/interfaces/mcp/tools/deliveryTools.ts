// Tools that list the deliveries of webhooks and send them again (service.md 4.4, decisions W8, W16).
import { DeliveryStatus } from "../../../domain/webhooks/Delivery.ts"
import { StatisticsStep } from "../../../domain/webhooks/statistics/Statistics.ts"
import { list, token } from "../../../platform/bounds/sized.ts"
import { acts, reads, replaces, tool } from "../Tool.ts"
import { replayTicket } from "../tasks/replayTicket.ts"
import { id, optional, page, pageDefaults, text } from "./args.ts"

const hookId = id("From list_webhooks.")

export const deliveryTools = [
  tool({
    name: "list_deliveries",
    title: "List deliveries",
    description: "What a webhook sent or has yet to send, newest first.",
    hints: reads,
    endpoint: ["webhooks", "deliveries"],
    args: {
      hook_id: hookId,
      status: optional(DeliveryStatus.annotate({ description: "Only those in this state." })),
      since: optional(text("From this time, UTC.")),
      until: optional(text("To this time, UTC.")),
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
      "Sends again what failed or was withheld, in the background, in the order of their records. The webhook must be active. read_replay shows how far it is.",
    hints: { ...acts, destructiveHint: false },
    endpoint: ["webhooks", "replay"],
    args: {
      hook_id: hookId,
      since: text("From this time, UTC."),
      until: optional(text("To this time, UTC.")),
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
      "Executions of a webhook by time and outcome, latency, and what waits now; the last day by the hour unless asked otherwise.",
    hints: reads,
    endpoint: ["webhookLog", "statistics"],
    args: {
      hook_id: hookId,
      since: optional(text("From this time, UTC.")),
      until: optional(text("To this time, UTC.")),
      step: optional(StatisticsStep.annotate({ description: "Length of a bucket." }))
    }
  })
]

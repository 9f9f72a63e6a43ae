// Runs that somebody asks for: real, dry, of one step (developer-api.md 7.3).
import { Schema } from "effect"
import { anything, map, sizes } from "../../../platform/bounds/sized.ts"
import { acts, adds, tool } from "../Tool.ts"
import { id, optional, text } from "./args.ts"

const automationId = id("From list_automations.")
const payload = optional(anything(sizes.payloadValues))
const object = map(anything(sizes.definitionValues), 100)

const runArguments = {
  automation_id: automationId,
  record_id: optional(id("The record to run on, where the trigger concerns one.")),
  webhook_payload: payload,
  use_last_received_webhook_payload: optional(
    Schema.Literal(true).annotate({ description: "Use the latest payload received instead." })
  )
}
const shownRun = {
  webhook_payload: { description: "The payload, for a webhook_received trigger." }
}
const runBody = ["record_id", "webhook_payload", "use_last_received_webhook_payload"] as const

export const startTools = [
  tool({
    name: "run_automation",
    title: "Run an automation",
    description:
      "Starts a real run by hand, even while it is paused; no run starts if its filter does not match. Tells run_id and status; one that is not over yet goes on, see read_run.",
    hints: acts,
    follows: true,
    endpoint: ["automationRuns", "manualRun"],
    args: runArguments,
    shown: shownRun,
    body: runBody
  }),
  tool({
    name: "simulate_automation",
    title: "Simulate an automation",
    description:
      "A dry run: changes, mails and HTTP calls are only described. Tells run_id and status; read_run shows what each step would have done.",
    hints: adds,
    follows: true,
    endpoint: ["automationRuns", "simulate"],
    args: {
      ...runArguments,
      pinned: optional(
        object.annotate({
          description:
            "Answers of outside steps by step id: { status, headers, data } for HTTP requests, values by variable label for scripts, {} for mails."
        })
      ),
      revision_id: optional(text("Simulates this earlier definition; from list_automation_revisions."))
    },
    shown: shownRun,
    body: [...runBody, "pinned", "revision_id"]
  }),
  tool({
    name: "test_automation_step",
    title: "Test a step of an automation",
    description:
      "Tries one step alone, with the data of a record or of an earlier run: dry, or for real, with what both the automation's author and the user may. Tells run_id and status; read_run shows what it did.",
    hints: acts,
    follows: true,
    endpoint: ["automationRuns", "testStep"],
    args: {
      automation_id: automationId,
      action_id: text("The step's id, from read_automation."),
      record_id: optional(id("The record to test on.")),
      run_id: optional(text("The earlier run whose data, variables and outputs the step finds.")),
      real: optional(Schema.Boolean.annotate({ description: "Whether the step takes effect; otherwise it is dry." }))
    },
    body: ["action_id", "record_id", "run_id", "real"]
  })
]

// Automations: their definitions, states and runs on demand (developer-api.md 7.1 to 7.3).
import { Schema } from "effect"
import { anything, list, map, sizes } from "../../../ground/bounds/sized.ts"
import { acts, adds, reads, replaces, sets, tool } from "../Tool.ts"
import { id, optional, page, pageDefaults, text } from "./args.ts"

const automationId = id("From list_automations.")
const any = (description: string) => optional(anything(sizes.payloadValues).annotate({ description }))
/** The API checks what is inside, and names the path of a mistake. */
const object = map(anything(sizes.definitionValues), 100)
const objectOrNull = (description: string) => optional(Schema.NullOr(object).annotate({ description }))

/** Members of an automation that a caller writes. */
const written = [
  "name",
  "description",
  "trigger",
  "filter",
  "actions",
  "timezone",
  "on_failure_automation_id",
  "concurrency",
  "debounce_ms"
] as const

const definition = {
  description: optional(Schema.NullOr(text("What it is for."))),
  trigger: objectOrNull("{ type, config }; list_trigger_types has both."),
  filter: objectOrNull(
    'null, or { "operator": "and"|"or", "rows": [condition or group] }; a condition is { subject, operator, value }.'
  ),
  actions: optional(
    list(object, sizes.definitionList).annotate({
      description:
        "The steps in order: { type, config }; list_action_types has both. Replaces the whole list on update."
    })
  ),
  timezone: optional(text("IANA zone for schedules and dates, for example Europe/Vienna; UTC unless given.")),
  on_failure_automation_id: optional(
    Schema.NullOr(
      id("An automation of the same app, with the trigger automation_called, that is called when a run fails.")
    )
  ),
  concurrency: objectOrNull(
    '{ at_most, per_record, when_full: "wait"|"skip"|"replace" }: how many of its runs are under way at once, and what becomes of the next.'
  ),
  debounce_ms: optional(
    Schema.NullOr(Schema.Int).annotate({
      description:
        "For record triggers: the changes of a record fire once, so many milliseconds after the last (100 to 604800000)."
    })
  )
}

const runArguments = {
  automation_id: automationId,
  record_id: optional(id("The record to run on; needed by every trigger that concerns a record.")),
  webhook_payload: any("The payload, for a webhook_received trigger."),
  use_last_received_webhook_payload: optional(
    Schema.Literal(true).annotate({ description: "Use the latest payload received, for a webhook_received trigger." })
  )
}
const runBody = ["record_id", "webhook_payload", "use_last_received_webhook_payload"] as const

export const automationTools = [
  tool({
    name: "list_automations",
    title: "List automations",
    description: "The automations the user administers, of one app or of all, with their status.",
    hints: reads,
    endpoint: ["automations", "listOrg"],
    instead: ({ app_id }) => (app_id === undefined ? undefined : { endpoint: "listApp" }),
    args: {
      app_id: optional(id("Only those of this app.")),
      status: optional(Schema.Literals(["draft", "active", "paused", "broken"])),
      ...page
    },
    defaults: pageDefaults
  }),
  tool({
    name: "read_automation",
    title: "Read an automation",
    description: "One automation with its trigger, filter and actions.",
    hints: reads,
    endpoint: ["automations", "get"],
    args: { automation_id: automationId }
  }),
  tool({
    name: "validate_automation",
    title: "Validate an automation",
    description:
      "Whether the stored definition could be activated, and if not, what is wrong where. Warnings tell what is probably not meant: scripts that do not parse, text that looks like a reference, steps that nothing reaches, chains that may cycle.",
    hints: reads,
    endpoint: ["automations", "validate"],
    args: { automation_id: automationId }
  }),
  tool({
    name: "create_automation",
    title: "Create an automation",
    description:
      "Adds an automation to an app, as a draft that nothing starts before activate_automation. Read the resource millrace://automation/schema, or the types you need, first.",
    hints: adds,
    endpoint: ["automations", "create"],
    args: { app_id: id("From list_apps."), name: text("A short name."), ...definition },
    body: written
  }),
  tool({
    name: "update_automation",
    title: "Update an automation",
    description:
      "Changes the given parts of an automation; others stay, and null clears description, trigger, filter, on_failure_automation_id, concurrency or debounce_ms. It stays active if it was. Former definitions stay in its revisions.",
    hints: replaces,
    endpoint: ["automations", "update"],
    args: { automation_id: automationId, name: optional(text("A short name.")), ...definition },
    body: written
  }),
  tool({
    name: "list_automation_revisions",
    title: "List revisions of an automation",
    description: "Its definitions so far, newest first; every save makes one.",
    hints: reads,
    endpoint: ["automations", "revisions"],
    args: { automation_id: automationId }
  }),
  tool({
    name: "compare_automation_revisions",
    title: "Compare revisions of an automation",
    description: "What differs between two definitions, place by place: added, removed, changed or moved.",
    hints: reads,
    endpoint: ["automations", "revisionDiff"],
    args: {
      automation_id: automationId,
      from_id: text("From list_automation_revisions."),
      to_id: text("From list_automation_revisions.")
    }
  }),
  tool({
    name: "restore_automation_revision",
    title: "Restore a revision of an automation",
    description: "Saves an earlier definition anew, as a new revision. The user becomes the owner of its runs.",
    hints: replaces,
    endpoint: ["automations", "restore"],
    args: { automation_id: automationId, revision_id: text("From list_automation_revisions.") }
  }),
  tool({
    name: "activate_automation",
    title: "Activate an automation",
    description: "From now on its trigger starts it. Refused, with the errors, while the definition is not valid.",
    hints: { ...sets, openWorldHint: true },
    endpoint: ["automations", "activate"],
    args: { automation_id: automationId }
  }),
  tool({
    name: "pause_automation",
    title: "Pause an automation",
    description: "Its trigger no longer starts it; runs in progress go on.",
    hints: sets,
    endpoint: ["automations", "pause"],
    args: { automation_id: automationId }
  }),
  tool({
    name: "duplicate_automation",
    title: "Duplicate an automation",
    description: "Makes a draft like it, in the same app or another.",
    hints: adds,
    endpoint: ["automations", "duplicate"],
    args: {
      automation_id: automationId,
      name: optional(text("The name of the copy.")),
      app_id: optional(id("The app of the copy; the same unless given."))
    },
    body: ["name", "app_id"]
  }),
  tool({
    name: "delete_automation",
    title: "Delete an automation",
    description: "Removes an automation for good; its runs end and vanish with it. pause_automation only stops it.",
    hints: replaces,
    endpoint: ["automations", "remove"],
    args: { automation_id: automationId }
  }),
  tool({
    name: "run_automation",
    title: "Run an automation",
    description:
      "Starts a real run by hand, even while it is paused; its steps take effect. Tells run_id and status; one that is not over yet goes on, see read_run. No run starts if its filter does not match.",
    hints: acts,
    follows: true,
    endpoint: ["automationRuns", "manualRun"],
    args: runArguments,
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

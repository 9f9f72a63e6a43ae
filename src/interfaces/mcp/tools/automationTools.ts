// Automations: their definitions, states and runs on demand (developer-api.md 7.1 to 7.3).
import { Schema } from "effect"
import { anything, list, map, sizes, token } from "../../../platform/bounds/sized.ts"
import { adds, reads, replaces, sets, tool } from "../Tool.ts"
import { id, optional, page, pageDefaults, text } from "./args.ts"

const automationId = id("From list_automations.")
/** The API checks what is inside, and names the path of a mistake. */
const object = map(anything(sizes.definitionValues), 100)
const objectOrNull = (description: string) => optional(Schema.NullOr(object).annotate({ description }))

/** Members of an automation that a caller writes. */
const writtenMembers = [
  "name",
  "description",
  "trigger",
  "filter",
  "actions",
  "timezone",
  "on_failure_automation_id",
  "concurrency",
  "debounce_ms",
  "pause_after_failures",
  "tags"
] as const

const definition = {
  description: optional(Schema.NullOr(text("What it is for."))),
  trigger: objectOrNull("{ type, config }; list_trigger_types has both."),
  filter: objectOrNull(
    '{ "operator": "and"|"or", "rows": [condition or group] }; a condition is { subject, operator, value }.'
  ),
  actions: optional(
    list(object, sizes.definitionList).annotate({
      description: "{ type, config } in order; list_action_types has both."
    })
  ),
  timezone: optional(text("IANA zone; UTC unless given.")),
  on_failure_automation_id: optional(Schema.NullOr(id("An automation_called one, called when a run fails."))),
  concurrency: objectOrNull(
    '{ at_most, per_record, when_full: "wait"|"skip"|"replace" }: runs at once, and what becomes of the next.'
  ),
  debounce_ms: optional(
    Schema.NullOr(Schema.Int).annotate({
      description: "Fires once, so many milliseconds after a record's last change (100 to 604800000)."
    })
  ),
  pause_after_failures: optional(
    Schema.NullOr(Schema.Int).annotate({ description: "Pauses it after so many failed runs in a row." })
  ),
  tags: optional(list(token, 20).annotate({ description: "To find it again by." }))
}

/** Refers to the description of create_automation, which a model reads first. */
const asCreated = { description: "As created; null clears it." }
const changes = {
  trigger: asCreated,
  filter: asCreated,
  concurrency: asCreated,
  on_failure_automation_id: asCreated,
  debounce_ms: asCreated,
  pause_after_failures: asCreated,
  tags: { description: "All of them." },
  actions: { description: "All steps; they replace the former." },
  timezone: { description: "IANA zone." }
}

export const automationTools = [
  tool({
    name: "list_automations",
    title: "List automations",
    description: "Those the user administers, of one app or all, with their status.",
    hints: reads,
    endpoint: ["automations", "listOrg"],
    instead: ({ app_id }) => (app_id === undefined ? undefined : { endpoint: "listApp" }),
    args: {
      app_id: optional(id("Only those of this app.")),
      status: optional(
        Schema.Literals(["draft", "active", "paused", "broken"]).annotate({ description: "Only in this state." })
      ),
      tag: optional(text("Only with this tag.")),
      ...page
    },
    defaults: pageDefaults
  }),
  tool({
    name: "read_automation",
    title: "Read an automation",
    description: "One with its trigger, filter and actions.",
    hints: reads,
    endpoint: ["automations", "get"],
    args: { automation_id: automationId }
  }),
  tool({
    name: "validate_automation",
    title: "Validate an automation",
    description: "Whether it could be activated: errors, and warnings of what is probably not meant, by place.",
    hints: reads,
    endpoint: ["automations", "validate"],
    args: { automation_id: automationId }
  }),
  tool({
    name: "preview_schedule",
    title: "Preview a schedule",
    description: "The next ten times of a periodic trigger's config.",
    hints: reads,
    endpoint: ["automations", "previewSchedule"],
    args: {
      config: object.annotate({ description: "Of the trigger." }),
      timezone: optional(text("IANA zone."))
    },
    body: ["config", "timezone"]
  }),
  tool({
    name: "create_automation",
    title: "Create an automation",
    description:
      "Adds a draft to an app; nothing starts it before activate_automation. Read the types you need first, or millrace://automation/schema.",
    hints: adds,
    endpoint: ["automations", "create"],
    args: { app_id: id("From list_apps."), name: text("A short name."), ...definition },
    body: writtenMembers
  }),
  tool({
    name: "update_automation",
    title: "Update an automation",
    description: "Changes the given parts. It stays active if it was. Former definitions stay in its revisions.",
    hints: replaces,
    endpoint: ["automations", "update"],
    args: { automation_id: automationId, name: optional(text("A short name.")), ...definition },
    shown: changes,
    emptied: ["description"],
    body: writtenMembers
  }),
  tool({
    name: "list_automation_revisions",
    title: "List revisions of an automation",
    description: "Its definitions, newest first; every save makes one.",
    hints: reads,
    endpoint: ["automations", "revisions"],
    args: { automation_id: automationId }
  }),
  tool({
    name: "compare_automation_revisions",
    title: "Compare revisions of an automation",
    description: "What differs between two of them, by place.",
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
    description: "Saves an earlier definition anew. The user owns its runs from then on.",
    hints: replaces,
    endpoint: ["automations", "restore"],
    args: { automation_id: automationId, revision_id: text("From list_automation_revisions.") }
  }),
  tool({
    name: "activate_automation",
    title: "Activate an automation",
    description: "From now on its trigger starts it. Refused while it is not valid.",
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
    description: "Makes a draft like it, in its app or another.",
    hints: adds,
    endpoint: ["automations", "duplicate"],
    args: {
      automation_id: automationId,
      name: optional(text("Of the copy.")),
      app_id: optional(id("The same unless given."))
    },
    body: ["name", "app_id"]
  }),
  tool({
    name: "delete_automation",
    title: "Delete an automation",
    description: "Removes it for good; its runs end and vanish with it.",
    hints: replaces,
    endpoint: ["automations", "remove"],
    args: { automation_id: automationId }
  })
]

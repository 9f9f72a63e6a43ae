// What became of automations (developer-api.md 7.11).
import { Schema } from "effect"
import { reads, tool } from "../Tool.ts"
import { id, optional, page, pageDefaults, text } from "./args.ts"

interface ListArguments {
  readonly automation_id?: number
  readonly app_id?: number
  readonly status?: string
  readonly created_at_from?: string
  readonly created_at_to?: string
  readonly limit?: number
  readonly cursor?: string
}

/** Only the listing of one automation, which takes no filters, has its simulations. */
const ofOneAutomation = (args: Partial<ListArguments>) =>
  args.automation_id !== undefined &&
  args.app_id === undefined &&
  args.status === undefined &&
  args.created_at_from === undefined &&
  args.created_at_to === undefined

/** A cursor knows its filters and may not be sent together with them. */
const listBody = ({ automation_id, app_id, cursor, limit, ...filters }: ListArguments) => {
  if (cursor !== undefined) return { cursor, limit }
  if (ofOneAutomation({ ...filters, automation_id, app_id } as ListArguments)) return { limit }
  return {
    limit,
    ...filters,
    ...(automation_id === undefined ? {} : { automation_ids: [automation_id] }),
    ...(app_id === undefined ? {} : { app_ids: [app_id] })
  }
}

export const runTools = [
  tool({
    name: "list_runs",
    title: "List runs",
    description:
      "Runs of automations, newest first, with status and cause of failure. With automation_id alone, simulations are listed too.",
    hints: reads,
    endpoint: ["automationRuns", "list"],
    instead: (args) =>
      ofOneAutomation(args) ? { endpoint: "listAutomation", params: { id: args.automation_id } } : undefined,
    args: {
      automation_id: optional(id("Only runs of this automation.")),
      app_id: optional(id("Only runs of this app's automations.")),
      status: optional(Schema.Literals(["pending", "running", "completed", "failed", "cancelled"])),
      created_at_from: optional(text("Not before this time, UTC.")),
      created_at_to: optional(text("Not after this time, UTC.")),
      ...page
    },
    defaults: pageDefaults,
    body: listBody
  }),
  tool({
    name: "read_run",
    title: "Read a run",
    description: "One run with its log: trigger, filter and every step, with messages, inputs and outputs.",
    hints: reads,
    endpoint: ["automationRuns", "get"],
    args: { run_id: text("From list_runs.") }
  })
]

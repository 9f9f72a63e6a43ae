// Definitions of drawn automations, in their stored form.
import { Result } from "effect"
import { decodeCreate } from "../../../src/domain/automations/input/automationBodies.ts"
import { FORMAT } from "../../../src/domain/automations/input/storedDefinition.ts"
import { assign } from "../../domain/automations/runSupport.ts"
import { field } from "../../domain/automations/support.ts"
import { HOST } from "../database.ts"
import type { DrawnAutomation, DrawnStep } from "./drawnAutomations.ts"

/** An app with two fields of texts. */
export interface AppIds {
  readonly appId: number
  readonly name: number
  readonly note: number
}
export interface Ids {
  /** App of the automation. */
  readonly app: AppIds
  /** App in which steps create records. */
  readonly copies: AppIds
  /** Automation that steps call. */
  readonly called: number
}

const LIST = { custom_type: "any", label: "list" } as const

const nameIs = (ids: Ids, text: string) => ({
  operator: "and",
  rows: [{ subject: field(ids.app.name, "single_text"), operator: "is", value: { type: "text", text: [text] } }]
})

const setList = (times: number) => ({
  type: "custom_variable",
  config: {
    assignment_code: [JSON.stringify(Array.from({ length: times }, (_, at) => at))],
    custom_variable_defs: [LIST]
  }
})

const configOf = (step: DrawnStep, ids: Ids, path: string): ReadonlyArray<object> => {
  const quietly = { trigger_other_flows: false }
  const inside = (steps: ReadonlyArray<DrawnStep>, key: string) =>
    steps.flatMap((one, at) => configOf(one, ids, `${path}-${key}${at}`))
  switch (step.kind) {
    case "variable":
      return [setList(1)]
    case "comment":
      return [{ type: "current_record_comment_create", config: { comment_content: ["Done"], ...quietly } }]
    case "create": {
      const { appId, name } = ids.copies
      return [
        { type: "record_create", config: { app_id: appId, field_assignments: [assign("single_text", name, ["Ada"])] } }
      ]
    }
    case "set": {
      const field_assignments = [assign("single_text", ids.app.note, [step.text])]
      return [{ type: "current_record_update", config: { field_assignments, ...quietly } }]
    }
    case "http": {
      const retry =
        step.attempts > 1 ? { attempts: step.attempts, first_ms: 2_000, factor: 2, at_most_ms: 60_000 } : undefined
      const config = { http_call_type: "post", http_call_url: [`http://${HOST}/step/${path}`] }
      return [{ type: "http_call", continue_on_error: step.goesOn, ...(retry === undefined ? {} : { retry }), config }]
    }
    case "delay":
      return [{ type: "delay", config: { delay_ms: step.millis } }]
    case "loop": {
      const iterable = { kind: "variable", source: "custom", ...LIST }
      return [setList(step.times), { type: "for_loop", config: { iterable, action_rows: inside(step.body, "body") } }]
    }
    case "branch": {
      const rows = { action_rows: inside(step.matched, "then"), else_action_rows: inside(step.otherwise, "else") }
      return [{ type: "conditional", config: { condition: nameIs(ids, "Ada"), ...rows } }]
    }
    case "call":
      return [
        {
          type: "current_record_call_automation",
          config: { automation_id: ids.called, wait_for_result: step.isAwaited }
        }
      ]
  }
}

/** @param at place of the automation among those of the schedule */
export const storedForm = ({ concurrency, filter, steps, trigger }: DrawnAutomation, ids: Ids, at: number) => {
  let minted = 0
  const body = {
    name: `Automation ${at}`,
    trigger: { type: trigger, config: {} },
    filter: filter === null ? null : nameIs(ids, filter),
    actions: steps.flatMap((step, place) => configOf(step, ids, `${at}-${place}`))
  }
  const decoded = decodeCreate(body, () => `${at}-${++minted}`)
  if (Result.isFailure(decoded)) throw new Error(decoded.failure.message)
  const { actions, filter: condition, trigger: fires } = decoded.success
  const json = (value: unknown) => (value == null ? null : JSON.stringify(value))
  return {
    ...{ actions: json(actions), filter: json(condition), trigger: json(fires), concurrency: json(concurrency) },
    format: FORMAT
  }
}

// docs/console.md, "Steps are sentences": one function for the canvas, the page of an automation and the comparison of versions.
import { describe, expect, it } from "vitest"
import { conditionSentence, type Names } from "../../../console/src/pages/automations/editor/model/conditionSentence.ts"
import { stepSentence } from "../../../console/src/pages/automations/editor/model/stepSentence.ts"
import { triggerSentence } from "../../../console/src/pages/automations/editor/model/triggerSentence.ts"
import { catalogueTexts } from "../../../src/domain/automations/meta/catalogueTexts.ts"

const fields = [
  { field_id: 1, label: "Total", field_type: "number" },
  {
    field_id: 2,
    label: "State",
    field_type: "status",
    config: {
      settings: {
        options: [
          { id: 7, text: "Approved" },
          { id: 8, text: "Open" }
        ]
      }
    }
  },
  { field_id: 3, label: "Due", field_type: "single_date" }
]
const names: Names = {
  label: (type) => type.replaceAll("_", " "),
  apps: new Map([[5, { app_id: 5, name: "Orders", fields }]])
}
const field = (field_id: number, more: object = {}) => ({
  kind: "variable",
  source: "field",
  field_id,
  field_type: fields.find((one) => one.field_id === field_id)!.field_type,
  ...more
})
const condition = (subject: object, operator: string, value?: object) =>
  ({ subject, operator, ...(value === undefined ? {} : { value }) }) as never
const step = (type: string, config: Readonly<Record<string, unknown>>) => stepSentence({ type, config }, names)

describe("sentences of steps", () => {
  it("say conditions with their fields, options and numbers as people write them", () => {
    const total = condition(field(1), "greater_or_equal_than", { type: "number", number: ["1000"] })
    const state = condition(field(2), "is_any_of", { type: "ids", ids: [7, 8] })
    const due = condition(field(3), "is_before", {
      type: "date",
      date: { operator: "plus", unit: "day", amount: ["3"] }
    })
    const sentenceOf = (operator: "and" | "or", ...rows: ReadonlyArray<never>) =>
      conditionSentence({ operator, rows }, names)
    expect(sentenceOf("and", total)).toBe("Total ≥ 1,000")
    expect(sentenceOf("or", state, due)).toBe("State is any of Approved, Open or Due is before today + 3 days")
    expect(sentenceOf("and", condition(field(3), "is_empty"), { operator: "or", rows: [total, state] } as never)).toBe(
      "Due is empty and (Total ≥ 1,000 or State is any of Approved, Open)"
    )
    expect(sentenceOf("and", condition(field(1), "less_than", { type: "number", number: [] }))).toBe("Total < …")
    expect(sentenceOf("and", total, total, total, total, total)).toMatch(/ and 2 more$/)
    expect(conditionSentence(null, names)).toBe("")
    expect(step("conditional", { condition: { operator: "and", rows: [total] } })).toBe("If Total ≥ 1,000")
  })

  it("say assignments, requests, mails and waits", () => {
    const assign = (field_id: number, more: object) => ({
      field_type: fields.find((one) => one.field_id === field_id)!.field_type,
      variable_def: field(field_id),
      assignment_type: "set",
      ...more
    })
    expect(step("current_record_update", { field_assignments: [assign(2, { field_value: [7] })] })).toBe(
      "Update record: State → Approved"
    )
    expect(
      step("record_create", {
        app_id: 5,
        field_assignments: [assign(1, { assignment_type: "set_code", code: [field(1), " * 2"] })]
      })
    ).toBe("Create record in Orders: Total → Total * 2")
    expect(
      step("custom_variable", { custom_variable_defs: [{ label: "gross" }], assignment_code: [field(1), " * 1.2"] })
    ).toBe("Set gross to Total * 1.2")
    expect(
      step("http_call", { http_call_type: "post", http_call_url: ["https://user@api.example/orders?key=1"] })
    ).toBe("POST api.example/orders")
    expect(step("send_email", { to_address: ["pier@example.com"], subject: ["Order ", field(1)] })).toBe(
      "Send a mail to pier@example.com: Order Total"
    )
    expect(step("delay", { delay_ms: 7_200_000 })).toBe("Wait 2 hours")
  })

  it("every type of action has a sentence that names what it does, also with nothing filled in", () => {
    const { actions } = JSON.parse(catalogueTexts().actions)
    for (const { type } of actions) {
      expect(step(type, {}), type).not.toBe("")
      expect(step(type, {}), type).not.toMatch(/undefined|\[object|NaN/)
    }
  })

  it("say when a trigger fires", () => {
    const sentenceOf = (type: string, config: Readonly<Record<string, unknown>> = {}) =>
      triggerSentence({ type, config }, 5, names)
    expect(sentenceOf("record_created")).toBe("When a record of Orders is created")
    expect(sentenceOf("record_updated", { trigger_on_changes_field_ids: [1, 2] })).toBe(
      "When Total or State of a record of Orders changes"
    )
    expect(sentenceOf("record_updated", { trigger_on_changes_field_ids: [1, 99] })).toBe(
      "When one of 2 fields of a record of Orders changes"
    )
    expect(
      sentenceOf("date_field_arrived", {
        date_field_id: 3,
        offset_direction: "before",
        offset_amount: 2,
        offset_unit: "day"
      })
    ).toBe("2 days before Due of a record of Orders")
    expect(
      sentenceOf("periodic", { schedule_type: "weekly", week_days: ["monday", "friday"], time_of_day: "08:00" })
    ).toBe("Every Monday and Friday at 08:00")
    expect(triggerSentence(null, 5, names)).toBe("No trigger yet")
  })
})

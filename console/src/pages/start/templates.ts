// Automations to begin with, from demo/automations (invoice, routing, reminder), for the sample app: they need no mail server and nothing outside.
import type { AnswerOf, InputOf } from "@millrace/client"
import { client } from "../../api/client.ts"
import { templates as pageTexts } from "../../texts/start/startWords.ts"
import { fieldOf, optionOf } from "./sampleApp.ts"

type App = Pick<AnswerOf<"apps.get">, "app_id" | "fields">
type Body = InputOf<"automations.create">["body"]

export interface Template {
  readonly name: string
  readonly about: string
  /** Tells what to do to make it run. */
  readonly tryIt: string
  readonly body: (app: App) => object
}

const variable = (app: App, label: string, more: object = {}) => {
  const field = fieldOf(app, label)
  return { kind: "variable", source: "field", field_id: field?.field_id, field_type: field?.field_type, ...more }
}
const pdf = { kind: "variable", source: "custom", custom_type: "single_file", label: "PDF" }
const set = (app: App, label: string, value: unknown) => ({
  field_type: fieldOf(app, label)?.field_type,
  variable_def: variable(app, label),
  field_value: [value]
})
const update = (...field_assignments: ReadonlyArray<object>) => ({
  type: "current_record_update",
  config: { field_assignments }
})
const comment = (...comment_content: ReadonlyArray<unknown>) => ({
  type: "current_record_comment_create",
  config: { comment_content }
})
const stateIs = (app: App, ...texts: ReadonlyArray<string>) => ({
  subject: variable(app, "State"),
  operator: "is_any_of",
  value: { type: "ids", ids: texts.map((text) => optionOf(app, text)) }
})

export const templates: ReadonlyArray<Template> = [
  {
    name: pageTexts.routeANewOrder,
    about: pageTexts.orderOf1000,
    tryIt: pageTexts.makeAnOrder,
    body: (app) => ({
      trigger: { type: "record_created", config: {} },
      actions: [
        {
          type: "conditional",
          config: {
            condition: {
              operator: "and",
              rows: [
                {
                  subject: variable(app, "Total"),
                  operator: "greater_or_equal_than",
                  value: { type: "number", number: "1000" }
                }
              ]
            },
            action_rows: [
              update(set(app, "State", optionOf(app, "To approve"))),
              comment("This order is large: look at it, then set its state to Approved.")
            ],
            else_action_rows: [update(set(app, "State", optionOf(app, "Approved")))]
          }
        }
      ]
    })
  },
  {
    name: pageTexts.invoiceAnApprovedOrder,
    about: pageTexts.whenAnOrderBecomesApproved,
    tryIt: pageTexts.setTheState,
    body: (app) => ({
      trigger: {
        type: "record_updated",
        config: { trigger_on_changes_field_ids: [fieldOf(app, "State")?.field_id] }
      },
      filter: { operator: "and", rows: [stateIs(app, "Approved")] },
      actions: [
        {
          type: "create_pdf",
          config: {
            filename: ["Invoice ", variable(app, "Number"), ".pdf"],
            pdf_body: [
              "<h1>Invoice ",
              variable(app, "Number"),
              "</h1><p>For ",
              variable(app, "Customer"),
              "</p><p>Total ",
              variable(app, "Total"),
              "</p>"
            ],
            custom_variable_def: { custom_type: "single_file", label: "PDF" }
          }
        },
        update(set(app, "Invoice", pdf))
      ]
    })
  },
  {
    name: pageTexts.remindBeforeAnOrder,
    about: pageTexts.threeDaysBeforeAnOrder,
    tryIt: pageTexts.setAnOrdersDueDate,
    body: (app) => ({
      trigger: {
        type: "date_field_arrived",
        config: {
          date_field_id: fieldOf(app, "Due")?.field_id,
          offset_direction: "before",
          offset_amount: 3,
          offset_unit: "day",
          time_of_day: "08:00"
        }
      },
      filter: { operator: "and", rows: [stateIs(app, "New", "To approve", "Approved")] },
      actions: [comment("Order ", variable(app, "Number"), " is due in three days.")]
    })
  }
]

/** Makes it and turns it on. */
export const apply = async (app: App, { body, name }: Template) => {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const newAutomation = await client.automations.create({
    app_id: app.app_id,
    body: { name, timezone, ...body(app) } as Body
  })
  return await client.automations.activate({ automation_id: newAutomation.automation.id })
}

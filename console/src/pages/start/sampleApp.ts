// The sample app: orders of a small shop, with a few records. The templates beside it work on it; it is an app like any other.
import type { AnswerOf, InputOf } from "@millrace/client"
import { client } from "../../api/client.ts"

type App = Pick<AnswerOf<"apps.get">, "app_id" | "fields">

export const SAMPLE = "Sample orders"

const field = (field_type: string, label: string, settings: object = {}, required = false) => ({
  field_type,
  config: { label, required, settings }
})

const states = [
  { text: "New", color: "blue", means_completed: false },
  { text: "To approve", color: "orange", means_completed: false },
  { text: "Approved", color: "green", means_completed: false },
  { text: "Shipped", color: "gray", means_completed: true }
]

const sampleApp = {
  name: SAMPLE,
  item_name: "Order",
  description: "Orders of a small shop, to try things out. Delete it when you are done.",
  fields: [
    field("single_text", "Number"),
    field("single_text", "Customer"),
    field("status", "State", { options: states }, true),
    field("number", "Total", { decimals: 2 }),
    field("single_date", "Due"),
    field("single_attachment", "Invoice")
  ]
}

/** Field of the sample app, which may have been changed since: undefined if the field is gone. */
export const fieldOf = (app: App, label: string) => app.fields.find(({ config }) => config.label === label)

export const optionOf = (app: App, text: string): number | undefined => {
  const settings = fieldOf(app, "State")?.config.settings as
    | { readonly options: ReadonlyArray<{ readonly id: number; readonly text: string }> }
    | undefined
  return settings?.options.find((option) => option.text === text)?.id
}

const orders = [
  ["1001", "Ada's Books", 120.5, 3],
  ["1002", "Harbor Café", 48, 5],
  ["1003", "Lighthouse Hotel", 1890, 10],
  ["1004", "Mill Bakery", 310.2, 14],
  ["1005", "North Pier Tours", 75.9, 21]
] as const

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Makes the app and its records. */
export const makeSample = async (workspace_id: number): Promise<App> => {
  const app = await client.apps.create({ body: { workspace_id, ...sampleApp } as InputOf<"apps.create">["body"] })
  const inputs = orders.map(([number, customer, total, days]) => ({
    fields: { number, customer, state: optionOf(app, "New"), total, due: inDays(days) }
  }))
  await client.batch.create({ app_id: app.app_id, body: { inputs } as InputOf<"batch.create">["body"] })
  return app
}

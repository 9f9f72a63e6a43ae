// Saved views of an app (developer-api.md 3.5).
import { ViewCreate } from "../../../domain/records/views/View.ts"
import { adds, reads, tool } from "../Tool.ts"
import { flag, id, optional } from "./args.ts"

const appId = id("From list_apps.")
const { filters, layout, name } = ViewCreate.fields

export const viewTools = [
  tool({
    name: "list_views",
    title: "List views",
    description: "The saved views of an app: filters and sort under a name.",
    hints: reads,
    endpoint: ["views", "list"],
    args: { app_id: appId }
  }),
  tool({
    name: "create_view",
    title: "Create a view",
    description: "Saves filters, as search_records takes them, and a sort under a name that all who see the app find.",
    hints: adds,
    endpoint: ["views", "create"],
    args: {
      app_id: appId,
      name,
      layout,
      filters,
      sort_by: optional(id("The field_id to sort by, from describe_app.")),
      sort_desc: flag("Largest or latest first.")
    },
    shown: {
      name: { description: "What the view is called." },
      layout: { description: "How the console shows it." },
      filters: { type: "array", items: { type: "object" }, description: "As search_records takes them." }
    },
    body: ["name", "layout", "filters", "sort_by", "sort_desc"]
  })
]

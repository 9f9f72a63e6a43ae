// Apps and their fields (developer-api.md 3.1). The API lists all apps at once; here they come in pages.
import { Schema } from "effect"
import { FieldConvert } from "../../../domain/conversion/conversionSchemas.ts"
import { AppCreate, AppListed, AppUpdate } from "../../../domain/records/apps/appSchemas.ts"
import { fieldTypes } from "../../../domain/records/fields/registry.ts"
import { adds, reads, replaces, tool } from "../Tool.ts"
import { id, optional } from "./args.ts"

const pageSize = 50

export const listApps = tool({
  name: "list_apps",
  title: "List apps",
  description:
    "The apps the user can see, with their ids and workspaces, 50 at a time. Start here to find an app_id; `workspace_id` narrows the list.",
  hints: reads,
  endpoint: ["apps", "list"],
  instead: ({ workspace_id }) => (workspace_id === undefined ? undefined : { endpoint: "listOfWorkspace" }),
  args: {
    workspace_id: optional(id("Only the apps of this workspace.")),
    cursor: optional(
      Schema.String.check(Schema.isMaxLength(6), Schema.isPattern(/^\d{1,6}$/)).annotate({
        description: "The cursor of the page before."
      })
    )
  },
  own: ["cursor"],
  output: Schema.Struct({
    total: Schema.Int,
    cursor: Schema.NullOr(Schema.String),
    apps: Schema.Array(AppListed)
  }),
  shape: ({ total, apps }, { cursor = "0" }) => {
    const end = Number(cursor) + pageSize
    return { total, cursor: end < total ? String(end) : null, apps: apps.slice(Number(cursor), end) }
  }
})

export const describeApp = tool({
  name: "describe_app",
  title: "Describe an app",
  description:
    "One app with its fields: external_id (the key used to write a record), field_id, field_type and settings such as options. Read it before you write, search or build an automation.",
  hints: reads,
  endpoint: ["apps", "get"],
  args: { app_id: id("From list_apps.") }
})

const fields = {
  type: "array",
  items: { type: "object" },
  description: `Each { "field_type": "single_text", "config": { "label": "Title", "required": true, "settings": {} } }. Types: ${Object.keys(fieldTypes).join(", ")}. Settings of a category: { "options": [{ "text": "Novel", "color": "gray" }] }; of a status too, with "means_completed" true and false among them; of a relation: { "referenced_apps": [{ "app_id": 7 }] }; of a calculation: { "expression": "price * quantity", "result": "number" }, over related records "sum(related(lines).price)".`
}
const named = ["name", "item_name", "description", "fields"] as const
const shownArguments = {
  name: { description: "What the app is called." },
  item_name: { description: "What one of its records is called." },
  description: { description: "What it is for." }
}

export const appTools = [
  tool({
    name: "create_app",
    title: "Create an app",
    description: "Makes an app with its fields in a workspace. Tell the user the fields first.",
    hints: adds,
    endpoint: ["apps", "create"],
    args: {
      workspace_id: id("From list_workspaces."),
      name: AppCreate.fields.name,
      item_name: AppCreate.fields.item_name,
      description: AppCreate.fields.description,
      fields: AppCreate.fields.fields
    },
    shown: { ...shownArguments, fields },
    body: ["workspace_id", ...named]
  }),
  tool({
    name: "update_app",
    title: "Change an app",
    description:
      "Changes name, description or fields; what is left out stays. A field with field_id is changed, one without is added; fields_to_delete go with their values: ask the user first.",
    hints: replaces,
    endpoint: ["apps", "update"],
    args: {
      app_id: id("From list_apps."),
      name: AppUpdate.fields.name,
      item_name: AppUpdate.fields.item_name,
      description: AppUpdate.fields.description,
      fields: AppUpdate.fields.fields,
      fields_to_delete: AppUpdate.fields.fields_to_delete
    },
    shown: {
      ...shownArguments,
      fields: { ...fields, description: "As create_app takes them, those to change with their field_id." },
      fields_to_delete: { type: "array", items: { type: "object" }, description: "Each { field_id }." }
    },
    emptied: ["description"],
    body: [...named, "fields_to_delete"]
  }),
  tool({
    name: "convert_field",
    title: "Convert a field",
    description: "Gives a field another type, by a job: read_job. Show the user a dry_run first.",
    hints: replaces,
    endpoint: ["apps", "convertField"],
    args: {
      field_id: id("From describe_app."),
      field_type: FieldConvert.fields.field_type,
      config: FieldConvert.fields.config,
      dry_run: FieldConvert.fields.dry_run
    },
    shown: {
      field_type: { description: "The new type." },
      config: { type: "object", description: "As create_app takes it." },
      dry_run: { type: "boolean", description: "Only tell the outcome." }
    },
    body: ["field_type", "config", "dry_run"]
  })
]

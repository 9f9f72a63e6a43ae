// Several records at once (developer-api.md 4.2): lists of views, of the trash and of relations, and batches of up to 50.
import { Schema } from "effect"
import { FieldInputsSchema } from "../../../domain/records/reading/recordSchemas.ts"
import { list, sizes } from "../../../platform/bounds/sized.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"
import { acts, adds, reads, replaces, tool } from "../Tool.ts"
import { flag, id, optional, page, pageDefaults, switches, text } from "./args.ts"

const appId = id("From list_apps.")
const recordId = id("From search_records.")
const fields = FieldInputsSchema
const record_ids = { description: "From search_records." }
const inputs = (members: string, like: string) => ({
  type: "array",
  items: { type: "object" },
  description: `One { ${members} } for each record; fields as ${like} takes them.`
})
const allOrNone = "One transaction: all or none."

export const manyRecordTools = [
  tool({
    name: "list_view_records",
    title: "List records of a view",
    description: "Records as a saved view filters and sorts them; list_views has the ids.",
    hints: reads,
    endpoint: ["listings", "ofView"],
    args: { view_id: id("From list_views."), ...page },
    defaults: pageDefaults
  }),
  tool({
    name: "list_deleted_records",
    title: "List deleted records",
    description: "The trash of an app, latest deletion first. restore_record brings one back.",
    hints: reads,
    endpoint: ["listings", "trash"],
    args: { app_id: appId, ...page },
    defaults: pageDefaults
  }),
  tool({
    name: "list_related_records",
    title: "List related records",
    description:
      "Records of another app that the given records point to by their relation fields, or that point to them.",
    hints: reads,
    endpoint: ["listings", "related"],
    args: {
      app_id: id("The app of the given records."),
      ref_app_id: id("The app whose records are wanted."),
      record_ids: list(recordId, sizes.ids),
      direction: Schema.Literals(["forward", "reverse", "both"]).annotate({
        description: "forward: those that the given ones point to; reverse: those that point to them."
      }),
      limit: page.limit
    },
    defaults: pageDefaults,
    shown: { record_ids },
    query: ["limit"],
    body: ({ record_ids, direction }) => ({ recordIds: record_ids, direction })
  }),
  tool({
    name: "create_records",
    title: "Create several records",
    description: `Adds up to 50 records to an app. ${allOrNone}`,
    hints: adds,
    endpoint: ["batch", "create"],
    args: { app_id: appId, inputs: list(Schema.Struct({ fields }), sizes.batch), ...switches },
    shown: { inputs: inputs("fields: { … }", "create_record") },
    body: ["inputs"]
  }),
  tool({
    name: "update_records",
    title: "Update several records",
    description: `Changes the given fields of up to 50 records of an app. ${allOrNone}`,
    hints: replaces,
    endpoint: ["batch", "update"],
    args: {
      app_id: appId,
      inputs: list(Schema.Struct({ record_id: recordId, fields }), sizes.batch),
      ...switches
    },
    shown: { inputs: inputs("record_id, fields: { … }", "update_record") },
    body: ["inputs"]
  }),
  tool({
    name: "upsert_records",
    title: "Upsert records",
    description: `Each updates the record with its value in a unique field of match, or is created. Up to 50. ${allOrNone}`,
    hints: replaces,
    endpoint: ["batch", "upsert"],
    args: {
      app_id: appId,
      match: list(Id, sizes.ids),
      records: list(Schema.Struct({ fields }), sizes.batch)
    },
    shown: { match: { description: "Ids of fields." }, records: inputs("fields: { … }", "create_record") },
    body: ["match", "records"]
  }),
  tool({
    name: "import_records",
    title: "Import records",
    description:
      "Begins a job (read_job) that makes a record of each row of a CSV file; columns go to the fields called like them. Bad values are left empty and reported.",
    hints: acts,
    endpoint: ["imports", "begin"],
    args: {
      app_id: appId,
      url: text("https address of the file."),
      update_by: optional(list(Id, sizes.ids)),
      create_missing_options: flag("Add options that a field lacks.")
    },
    shown: { update_by: { description: "Unique fields: a row updates the record with its value." } },
    body: ["url", "update_by", "create_missing_options"]
  }),
  tool({
    name: "delete_records",
    title: "Delete several records",
    description: `Moves up to 50 records of an app to the trash, from where restore_record brings them back for 30 days. ${allOrNone}`,
    hints: replaces,
    endpoint: ["batch", "remove"],
    args: {
      app_id: appId,
      record_ids: list(recordId, sizes.batch),
      skip_trash: flag("Destroy them for good instead. Ask the user first."),
      ...switches
    },
    shown: { record_ids },
    body: ["record_ids"]
  })
]

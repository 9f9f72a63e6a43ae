// Tools for one record (developer-api.md 4.2): searched, read, created, updated, deleted, restored.
import { RecordFilters } from "../../../domain/records/fields/matching/RecordFilter.ts"
import { FieldInputsSchema } from "../../../domain/records/reading/recordSchemas.ts"
import { adds, reads, replaces, sets, tool } from "../Tool.ts"
import { flag, id, optional, page, pageDefaults, switches, text } from "./args.ts"

const recordId = id("From search_records.")

const fields = {
  type: "object",
  description:
    'Values by external_id (describe_app), for example { "reference": "DLV-7", "weight": 12.5, "status": "Open" }. Categories take an option id or its text, relations and users ids, dates "YYYY-MM-DD" or "YYYY-MM-DD HH:mm" (UTC); several values go in an array.'
}

const filters = {
  type: "array",
  items: { type: "object" },
  description:
    'All must match. Each is { "field_id": 4403, "type": "status", "match_type": "any", "values": [{ "value": 12 }] }, with `type` the type of the field (describe_app). Match types: text equal, not_equal, contains, not_contains, starts_with, ends_with; number equal, not_equal, smaller, smaller_or_equal, larger, larger_or_equal; category, status, relation, user equal, not_equal, any, none; several of them equal, contains, any, none; date equal, before, after, on_or_before, on_or_after, within; every type empty, not_empty (no values). Without field_id: type created_at, last_modified_at or app_record_id.'
}

export const recordTools = [
  tool({
    name: "search_records",
    title: "Search records",
    description: "Records of an app that match every filter, newest first unless sorted; `total` counts them.",
    hints: reads,
    endpoint: ["listings", "filter"],
    args: {
      app_id: id("From list_apps."),
      filters: optional(RecordFilters),
      sort_by: optional(text("An external_id, or created_on, last_modified_on, app_record_id, title.")),
      sort_desc: flag("Largest or latest first."),
      ...page
    },
    shown: { filters },
    defaults: { ...pageDefaults, filters: [] },
    body: ["filters"]
  }),
  tool({
    name: "read_record",
    title: "Read a record",
    description: "One record with its values.",
    hints: reads,
    endpoint: ["records", "get"],
    args: { record_id: recordId, include_deleted: flag("Read it even if it is in the trash.") }
  }),
  tool({
    name: "create_record",
    title: "Create a record",
    description: "Adds a record to an app. Required fields must have a value.",
    hints: adds,
    endpoint: ["records", "create"],
    args: { app_id: id("From list_apps."), fields: FieldInputsSchema, ...switches },
    shown: { fields },
    body: ["fields"]
  }),
  tool({
    name: "update_record",
    title: "Update a record",
    description:
      "Changes the given fields of a record; null clears one, a list replaces the whole list. Former values stay in its revisions.",
    hints: replaces,
    endpoint: ["records", "update"],
    args: { record_id: recordId, fields: FieldInputsSchema, ...switches },
    shown: { fields: { description: "As create_record takes them." } },
    body: ["fields"]
  }),
  tool({
    name: "delete_record",
    title: "Delete a record",
    description: "Moves a record to the trash, from where restore_record brings it back for 30 days.",
    hints: replaces,
    endpoint: ["records", "remove"],
    args: {
      record_id: recordId,
      skip_trash: flag("Destroy it for good instead. Ask the user first."),
      ...switches
    }
  }),
  tool({
    name: "restore_record",
    title: "Restore a record",
    description: "Takes a record out of the trash.",
    hints: sets,
    endpoint: ["records", "restore"],
    args: { record_id: recordId, ...switches }
  })
]

// One example of each field type with what its file does not say in data: developer-api.md 3.2, 3.3, 4.4 and 7.7.
import type { DataKind } from "../../../src/domain/records/fields/contract/FieldType.ts"
import { REFERENCED_AT_MOST } from "../../../src/domain/records/fields/kinds/relationFields.ts"
import type { FieldTypeTag } from "../../../src/domain/records/fields/registry.ts"
import { CUSTOMERS, fieldRef } from "./world.ts"

export interface FieldWords {
  readonly label: string
  readonly about: string
  /** Members of `config` beside the label. */
  readonly config?: { readonly required?: boolean; readonly unique?: boolean; readonly settings?: object }
  /** Definitions of other fields that the field reads. */
  readonly reads?: ReadonlyArray<object>
  /** Value as a write sends it; computed types have none. */
  readonly write?: unknown
  /** Stored entries of a field that is calculated. */
  readonly result?: ReadonlyArray<number>
  /** Record filter of a view, without the field. */
  readonly filter: { readonly match_type: string; readonly [member: string]: unknown }
  /** Condition of an automation, without its subject. */
  readonly condition: { readonly operator: string; readonly value?: object }
  /** `field_value` of an assignment. */
  readonly assign?: unknown
}

const values = (...all: ReadonlyArray<unknown>) => ({ values: all.map((value) => ({ value })) })
const text = (value: string) => ({ type: "text", text: [value] })
const ids = (...all: ReadonlyArray<number>) => ({ type: "ids", ids: all })
const daysFromNow = (operator: string, amount: string) => ({
  type: "date",
  date: { operator, unit: "day", amount: [amount] }
})
const reference = fieldRef(4401)
const due = fieldRef(4403)
const papers = fieldRef(4406)
const levels = [
  { text: "Low", color: "gray" },
  { text: "High", color: "red" }
]
const customers = { settings: { referenced_apps: [{ app_id: CUSTOMERS }] } }
const address = { street_address: "Ring 1", city: "Vienna", postal_code: "1010", country: "Austria" }
const fileInput =
  "A write sends the temporary id of an upload (a string), or the id of a file that the record has (an integer). [Files](api.md#files) shows an upload."
const computed = "Nobody writes it: it is read from the record."

export const fieldWords: Readonly<Record<FieldTypeTag, FieldWords>> = {
  single_text: {
    label: "Reference",
    about: "Plain text. A text of blanks is empty.",
    write: "DLV-0014",
    filter: { match_type: "starts_with", ...values("DLV-") },
    condition: { operator: "contains", value: text("DLV") },
    assign: ["Copy of ", reference]
  },
  multi_text: {
    label: "Notes",
    about: "HTML. Filters, conditions and sorts see its text without tags.",
    write: "<p>Handle with <b>care</b></p>",
    filter: { match_type: "contains", ...values("care") },
    condition: { operator: "is_not_empty" },
    assign: ["<p>", reference, "</p>"]
  },
  number: {
    label: "Weight",
    about: "A number, rounded to `decimals`, half away from zero. A numeric string is accepted.",
    config: { settings: { decimals: 1, unit: "kg" } },
    write: 12.25,
    filter: { match_type: "larger_or_equal", ...values(10) },
    condition: { operator: "greater_than", value: { type: "number", number: ["300"] } },
    assign: ["12.5"]
  },
  single_category: {
    label: "Priority",
    about: "One option. A write and a view's filter take its id or its exact text; colors read as hexadecimal.",
    config: { settings: { options: levels } },
    write: "High",
    filter: { match_type: "any", ...values("Low", "High") },
    condition: { operator: "is", value: ids(2) },
    assign: [2]
  },
  multi_category: {
    label: "Tags",
    about: "Any number of options, by id or exact text.",
    config: { settings: { options: levels } },
    write: ["Low", "High"],
    filter: { match_type: "contains", ...values("Low", "High") },
    condition: { operator: "has_any_of", value: ids(1, 2) },
    assign: [1, 2]
  },
  status: {
    label: "State",
    about:
      "One option, each of which means completed or not. The field is required, an app has one at most, and it needs an option of both meanings. " +
      "A removed option moves its records to the first one left of the same meaning.",
    config: {
      required: true,
      settings: {
        options: [
          { text: "Planned", color: "gray", means_completed: false },
          { text: "Delivered", color: "green", means_completed: true }
        ]
      }
    },
    write: "Delivered",
    filter: { match_type: "incomplete" },
    condition: { operator: "is_completed" },
    assign: [2]
  },
  single_date: {
    label: "Due",
    about:
      "A date, with a time where `time` allows one. Times are UTC. `null` as `start_time` means a date without a time.",
    config: { settings: { time: "enabled" } },
    write: "2026-04-01 15:00",
    filter: { match_type: "within", relative_date_range_type: "next_num_days", ...values({ offset_amount: 7 }) },
    condition: { operator: "is_before", value: daysFromNow("plus", "3") },
    assign: { start: { base: due, operator: "plus", unit: "week", amount: ["1"] } }
  },
  range_date: {
    label: "Period",
    about:
      "A start and an end that is not before it. Filters and conditions go by the start; only `equal`, `on_or_after` and `is` count any day of the range.",
    config: { settings: { end: "required" } },
    write: "2026-04-01 - 2026-04-05",
    filter: { match_type: "on_or_after", ...values("2026-04-01") },
    condition: { operator: "is", value: daysFromNow("plus", "0") },
    assign: { start: ["2026-04-01"], end: ["2026-04-05"] }
  },
  single_relation: {
    label: "Customer",
    about: "One record of a referenced app, by its id. A record in the trash does not read.",
    config: customers,
    write: 3001,
    filter: { match_type: "equal", ...values(3001) },
    condition: { operator: "is", value: ids(3001) },
    assign: [3001]
  },
  multi_relation: {
    label: "Customers",
    about: "Any number of records of referenced apps.",
    config: customers,
    write: [3001, 3002],
    filter: { match_type: "any", ...values(3001, 3002) },
    condition: { operator: "has_all_of", value: ids(3001, 3002) },
    assign: [3001]
  },
  single_user: {
    label: "Driver",
    about: "One user of the organization, by id. `include_active_user` in a filter means whoever reads the view.",
    write: 12,
    filter: { match_type: "equal", include_active_user: true },
    condition: { operator: "is_any_of", value: ids(12, 13) },
    assign: [12]
  },
  multi_user: {
    label: "Team",
    about: "Any number of users of the organization.",
    write: [12, 13],
    filter: { match_type: "any", include_active_user: true, ...values(13) },
    condition: { operator: "is_exactly", value: ids(12, 13) },
    assign: [12, 13]
  },
  checklist: {
    label: "Tasks",
    about:
      "Entries to tick off. A string is a title. Send an entry's `id` to keep or change it; entries that are not sent are removed. " +
      "A filter names a property of the entries by `entry_property`, unless it asks for presence.",
    write: ["Call the customer", { title: "Print the label", due_at: "2026-04-01", assignee: 12, completed: true }],
    filter: { match_type: "equal", entry_property: "status", ...values(false) },
    condition: { operator: "is_incomplete" },
    assign: [{ title: ["Check ", reference], assignee: 12 }]
  },
  multi_email: {
    label: "Mail",
    about: "Addresses with a type. A string is of the first type. Send an entry's `id` to keep or change it.",
    config: { unique: true },
    write: ["ann@example.com", { type: "home", email: "ann@example.org" }],
    filter: { match_type: "ends_with", ...values("@example.com") },
    condition: { operator: "is", value: text("ann@example.com") },
    assign: [{ type: "work", value: ["ann@example.com"] }]
  },
  multi_phone: {
    label: "Phone",
    about:
      "Numbers as they are typed, with a type. A string is of the first type. Send an entry's `id` to keep or change it.",
    write: { type: "mobile", phone: "+43 1 234" },
    filter: { match_type: "starts_with", ...values("+43") },
    condition: { operator: "starts_with", value: text("+43") },
    assign: [{ value: ["+43 1 234"] }]
  },
  multi_link: {
    label: "Links",
    about:
      "http and https addresses. `embed_id` keeps an entry, which cannot be edited. Titles are fetched later and may stay absent.",
    write: ["https://example.com/a"],
    filter: { match_type: "contains", ...values("example.com") },
    condition: { operator: "contains", value: text("example.com") },
    assign: [["https://example.com/", reference]]
  },
  single_location: {
    label: "Place",
    about:
      "An address as one string, or in its parts, with or without coordinates. Filters and conditions go by `value`.",
    write: { ...address, latitude: 48.2, longitude: 16.4 },
    filter: { match_type: "contains", ...values("Vienna") },
    condition: { operator: "contains", value: text("Vienna") },
    assign: ["Ring 1, 1010 Vienna"]
  },
  single_attachment: {
    label: "Label",
    about: `One file. ${fileInput} Filters, conditions and sorts go by its name.`,
    write: 501,
    filter: { match_type: "ends_with", ...values(".pdf") },
    condition: { operator: "ends_with", value: text(".pdf") },
    assign: [papers]
  },
  multi_attachment: {
    label: "Papers",
    about: `Any number of files. ${fileInput} Some file has to match a filter or condition.`,
    write: [501, 502],
    filter: { match_type: "contains", ...values("invoice") },
    condition: { operator: "contains", value: text("invoice") },
    assign: [papers]
  },
  multi_image: {
    label: "Photos",
    about: `Any number of images: jpeg, png, gif, tiff, svg, bmp or webp. ${fileInput}`,
    write: [502],
    filter: { match_type: "not_empty" },
    condition: { operator: "is_not_empty" },
    assign: [papers]
  },
  unique_id: {
    label: "Number",
    about:
      "The number of the record in its app, with prefix and leading zeros in titles. It is not repeated among a record's fields: read `app_record_id`.",
    config: { settings: { prefix: "INV-", min_digits: 4 } },
    filter: { match_type: "larger", ...values(100) },
    condition: { operator: "greater_than", value: { type: "number", number: ["100"] } }
  },
  calculation: {
    label: "Total",
    about:
      "The result of an expression over the record's other fields and those of related records (see [Expressions](#expressions)), calculated by each write. `expression`, `result` and `decimals` may also stand beside `label`. `result` decides what filters, sorts and conditions compare, and cannot be changed; a filter's `type` may be that of the result: `text`, `number`, `date` or `boolean`. Changing the expression, or a field that it reads, recalculates all records as a job.",
    reads: ["Weight", "Parcels"].map((label) => ({ field_type: "number", config: { label } })),
    config: { settings: { expression: "weight * (1 + parcels)", result: "number", decimals: 2 } },
    result: [37.5],
    filter: { match_type: "larger", ...values(100) },
    condition: { operator: "greater_than", value: { type: "number", number: ["100"] } }
  },
  created_at: {
    label: "Created",
    about: `When the record was created. ${computed}`,
    filter: { match_type: "equal", relative_date_type: "today" },
    condition: { operator: "is_after", value: daysFromNow("minus", "7") }
  },
  last_modified_at: {
    label: "Changed",
    about: `When the record was last changed; empty before the first change. ${computed}`,
    filter: { match_type: "before", relative_date_type: "num_weeks_before", ...values({ offset_amount: 2 }) },
    condition: { operator: "is_empty" }
  },
  created_by: {
    label: "Author",
    about: `Who created the record: a user, or an automation. ${computed}`,
    filter: { match_type: "equal", include_active_user: true },
    condition: { operator: "is", value: ids(12) }
  },
  last_modified_by: {
    label: "Editor",
    about: `Who changed the record last. ${computed}`,
    filter: { match_type: "none", ...values(12, 13) },
    condition: { operator: "is_none_of", value: ids(12, 13) }
  }
}

/** What a sort by a field of the kind goes by. */
export const sortWords: Readonly<Record<DataKind, string>> = {
  text: "the text",
  number: "the number",
  options: "the first option, in the order of the field's options",
  dates: "the start",
  records: "the title of the first record",
  users: "the first name",
  files: "the name of the first file",
  contacts: "the first value",
  links: "the first address",
  location: "`value`",
  checklist: "the title of the first entry",
  result: "the result, as its type"
}

/** Meanings of settings; a type's name before one where two types differ. */
export const settingMeanings: Readonly<Record<string, string>> = {
  call_link_scheme: "Scheme of links to numbers",
  calendar: "Shows the field in calendars",
  decimals: "Places behind the point",
  end: "Whether an end may be left out",
  has_map: "Shows a map",
  is_due_date_of_status_field: "Makes it the due date of the status field",
  min_digits: "Digits that titles show at least",
  only_allow_single_entry: "Hint for editors; nothing is refused",
  options: "Options in their order. Those left out of a change are kept",
  "options[].color": "Color; gray when left out",
  "options[].id": "Changes that option; without it the option is new",
  "options[].means_completed": "Whether a record with it is completed",
  options_to_delete: "Options to remove",
  "options_to_delete[].id": "Id of the option",
  prefix: "Text before the number",
  referenced_apps: `Apps whose records may be chosen, ${REFERENCED_AT_MOST} at most`,
  "referenced_apps[].app_id": "App",
  "referenced_apps[].view_id": "View that narrows the choice",
  "calculation.decimals": "Places behind the point; null: as many as the number has",
  result: "Type of the result; needed for a new field, and fixed from then on",
  show_in_focus: "Shows the entries in the focus view",
  time: "Whether a value has a time",
  unit: "Unit, such as `kg`",
  unit_location: "Where the unit stands"
}

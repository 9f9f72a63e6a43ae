// A place with names for the tests of short templates: two apps, a trigger with an input, steps with variables; and templates that are drawn.
import fc from "fast-check"
import { customTypes } from "../../../../src/domain/automations/schema/customVariables.ts"
import {
  actionOutputs,
  dataTypes,
  globalTypes,
  metaTypes,
  pdfCounts,
  properties,
  requestParts,
  triggerOutputs
} from "../../../../src/domain/automations/schema/referenceTypes.ts"
import { indexNames } from "../../../../src/domain/automations/templates/nameIndex.ts"
import { makeResolver } from "../../../../src/domain/automations/templates/references.ts"
import { makeShortForms } from "../../../../src/domain/automations/templates/shortForms.ts"
import type { TemplateNames } from "../../../../src/domain/automations/templates/templateNames.ts"

const field = (field_id: number, field_type: string, name: string, label: string) => ({
  ...{ field_id, field_type, name, label }
})
const orders = {
  ...{ app_id: 1, name: "orders", label: "Orders" },
  fields: [
    field(11, "single_text", "customer", "Customer"),
    field(12, "number", "unit_price", "Unit price"),
    field(13, "single_date", "due", "Due"),
    field(14, "single_text", "note", "customer"),
    field(15, "single_text", "twin", "Twin"),
    field(16, "single_text", "twin_2", "Twin")
  ]
}
const customers = {
  app_id: 2,
  name: "customers",
  label: "Customers",
  fields: [field(21, "multi_email", "mail", "Mail")]
}

export const names: TemplateNames = {
  own: orders,
  apps: [orders, customers],
  appNames: ["orders", "Orders", "customers", "Customers"],
  inputs: [{ custom_type: "any", label: "Given" }],
  steps: [
    { name: "Lookup", variables: [{ custom_type: "any", label: "City" }] },
    { name: "Look it up", variables: [{ custom_type: "any", label: "Total" }] },
    { variables: [{ custom_type: "any", label: "Total" }] },
    {
      variables: [
        { custom_type: "any", label: "Report" },
        { custom_type: "single_file", label: "Report" }
      ]
    }
  ]
}

const index = indexNames(names)
export const resolve = makeResolver(index)
export const shortForm = makeShortForms(index, resolve)

/** Words that a text may hold by chance, and that a reader might take for its own. */
const texts = fc.oneof(
  fc.constantFrom(
    ...["", "a", "{", "{{", "{{{", "}}", "{{ today }}", "{{ record.customer }}", '{{ "{{" }}', '"', "'", "\\"],
    ...["{{ '", "line\nline", "{{ nothing", " as ", "ü", "{% raw %}"]
  ),
  fc.string({ maxLength: 12 })
)
const flag = fc.boolean()
const property = fc.option(fc.constantFrom(...properties), { nil: undefined })
const withProperty = (value: object) =>
  property.map((one) => ({ kind: "variable", ...value, ...(one === undefined ? {} : { property: one }) }))
const key = fc.oneof(fc.constantFrom("mail", "items", "headers", "payload", "0", "a b", '"', ""), fc.string())

interface DrawnField {
  readonly field_id: number
  readonly field_type: string
}
/** References as they are stored, with and without a short form. */
export const references = (
  fields: ReadonlyArray<DrawnField>,
  apps: ReadonlyArray<number>
): fc.Arbitrary<Readonly<Record<string, unknown>>> =>
  fc.oneof(
    fc
      .record({ field: fc.constantFrom(...fields), previous: flag, collection: flag, triggering: flag })
      .chain(({ field: { field_id, field_type }, ...flags }) =>
        withProperty({ source: "field", field_id, field_type, ...flags })
      ),
    fc
      .record({ meta_type: fc.constantFrom(...metaTypes), app_id: fc.constantFrom(undefined, ...apps) })
      .chain(({ app_id, meta_type }) =>
        withProperty({ source: "meta", meta_type, ...(app_id === undefined ? {} : { app_id, collection: true }) })
      ),
    fc.constantFrom(...triggerOutputs).chain((trigger_type) => withProperty({ source: "trigger", trigger_type })),
    fc
      .record({
        key_path: fc.array(fc.oneof(key, fc.nat({ max: 99 })), { maxLength: 4 }),
        data_type: fc.constantFrom(...dataTypes)
      })
      .chain((path) => withProperty({ source: "trigger", trigger_type: "webhook_payload_property", ...path })),
    fc
      .record({ trigger_type: fc.constantFrom(...requestParts), name: fc.option(key, { nil: undefined }) })
      .chain(({ name, trigger_type }) =>
        withProperty({ source: "trigger", trigger_type, ...(name === undefined ? {} : { key: name }) })
      ),
    fc
      .record({ action_type: fc.constantFrom(...actionOutputs), app_id: fc.constantFrom(undefined, ...apps) })
      .chain(({ action_type, app_id }) =>
        withProperty({ source: "action", action_type, ...(app_id === undefined ? {} : { app_id }) })
      ),
    fc.constantFrom(...globalTypes).chain((global_type) => withProperty({ source: "global", global_type })),
    fc
      .record({
        custom_type: fc.constantFrom(...customTypes),
        label: fc.constantFrom("Given", "City", "Total", "Report", "Unknown", "a b", "}}")
      })
      .chain((variable) => withProperty({ source: "custom", ...variable })),
    fc.constantFrom(...pdfCounts).map((pdf) => ({ kind: "value", value_type: "pdf", pdf })),
    fc.constant({ kind: "value", value_type: "date", date: "2026-02-11" })
  )

export const templates = (reference: fc.Arbitrary<Readonly<Record<string, unknown>>>) =>
  fc.array(fc.oneof(texts, reference), { maxLength: 6 })

// docs/api.md "Short templates": what each form stands for, what an unknown name says, and that any template reads back as it was written.
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { placeholdersIn } from "../../../../src/domain/automations/templates/placeholders.ts"
import { partsOfText, textOfParts } from "../../../../src/domain/automations/templates/templateTexts.ts"
import { DEPTH, seedOf } from "../../../support/seed.ts"
import { cpuMillis } from "../../../support/turns.ts"
import { names, references, resolve, shortForm, templates } from "./support.ts"

const read = (text: string) => {
  const mistakes: Array<string> = []
  const parts = partsOfText(text, resolve, (message, position) => mistakes.push(`${position}: ${message}`))
  return { mistakes, parts }
}
/** A list is the parts of each of its texts. */
const readEntries = (written: string | ReadonlyArray<unknown>) =>
  (typeof written === "string" ? [written] : written).flatMap(
    (entry): ReadonlyArray<unknown> => (typeof entry === "string" ? read(entry).parts : [entry])
  )

const ofField = (field_id: number, field_type: string, more: object = {}) => ({
  ...{ kind: "variable", source: "field", field_id, field_type },
  ...{ previous: false, collection: false, triggering: false },
  ...more
})
const ofTrigger = (more: object) => ({ kind: "variable", source: "trigger", ...more })
const ofPayload = (key_path: ReadonlyArray<string | number>, data_type = "any") =>
  ofTrigger({ trigger_type: "webhook_payload_property", key_path, data_type })
const custom = (custom_type: string, label: string, more: object = {}) => ({
  ...{ kind: "variable", source: "custom", custom_type, label },
  ...more
})
const price = ofField(12, "number")

describe("short templates", () => {
  it("each form stands for one reference, and is written back", () => {
    const forms: ReadonlyArray<readonly [form: string, value: object]> = [
      ["record.customer", ofField(11, "single_text")],
      ["record.unit_price.formatted", { ...price, property: "formatted" }],
      ["previous.due.start_date", ofField(13, "single_date", { previous: true, property: "start_date" })],
      ["fields.customers.mail", ofField(21, "multi_email")],
      ["collected.orders.unit_price", ofField(12, "number", { collection: true })],
      ["triggering.orders.due", ofField(13, "single_date", { triggering: true })],
      ["meta.record_url", { kind: "variable", source: "meta", meta_type: "record_url" }],
      ["trigger.mail", ofPayload(["mail"])],
      ["trigger.items[0].mail", ofPayload(["items", 0, "mail"])],
      ["trigger[0]", ofPayload([0])],
      ["trigger.total as number", ofPayload(["total"], "number")],
      ['trigger["a b"]["0"]', ofPayload(["a b", "0"])],
      ["trigger.payload", ofTrigger({ trigger_type: "webhook_payload" })],
      ["trigger.payload.headers.host", ofPayload(["headers", "host"])],
      ['trigger.headers["x-request-id"]', ofTrigger({ trigger_type: "webhook_headers", key: "x-request-id" })],
      ["trigger.query.page", ofTrigger({ trigger_type: "webhook_query", key: "page" })],
      ["trigger.query", ofTrigger({ trigger_type: "webhook_query" })],
      ["trigger.raw_body", ofTrigger({ trigger_type: "webhook_raw_body" })],
      ["trigger.files", ofTrigger({ trigger_type: "webhook_file_collection" })],
      ["trigger.weblink_click_count", ofTrigger({ trigger_type: "weblink_click_count" })],
      ["steps.Lookup.City", custom("any", "City")],
      ["vars.Given", custom("any", "Given")],
      ["vars.Total", custom("any", "Total")],
      ["vars.Report.filename as single_file", custom("single_file", "Report", { property: "filename" })],
      ["created_record.orders.record_url", { ...action("created_record", 1), property: "record_url" }],
      ["record_collection.customers", action("record_collection", 2)],
      ["file_collection", action("file_collection")],
      ["now", { kind: "variable", source: "global", global_type: "current_datetime" }],
      ["today.formatted", { kind: "variable", source: "global", global_type: "current_date", property: "formatted" }],
      ["most_recent_error", { kind: "variable", source: "global", global_type: "most_recent_error" }],
      ["secrets.shop_key", { kind: "variable", source: "secret", name: "shop_key" }],
      ["pdf.page_count", { kind: "value", value_type: "pdf", pdf: "page_count" }]
    ]
    for (const [form, value] of forms) {
      assert.deepStrictEqual(read(`{{ ${form} }}`), { mistakes: [], parts: [value as never] }, form)
      assert.strictEqual(shortForm(value as never), `{{ ${form} }}`)
    }
  })

  it("labels, quotes and blanks are ways to write the same; an external id goes before a label", () => {
    for (const form of ['{{record["Unit price"]}}', "{{ record['Unit price'] }}", "{{\n  record.unit_price\n}}"])
      assert.deepStrictEqual(read(form), { mistakes: [], parts: [price] }, form)
    assert.deepStrictEqual(read("{{ record.customer }}").parts, [ofField(11, "single_text")])
    assert.deepStrictEqual(read("{{ fields.Orders.Customer }}").parts, [ofField(11, "single_text")])
    assert.deepStrictEqual(read("{{ trigger.headers.x-request-id }}").parts, [
      ofTrigger({ trigger_type: "webhook_headers", key: "x-request-id" })
    ])
    assert.deepStrictEqual(read("{{ current_date }}"), read("{{ today }}"))
    assert.deepStrictEqual(read('Hi {{ "{{" }}x}} {{ trigger.größe }}!').parts, [
      "Hi {{x}} ",
      ofPayload(["größe"]),
      "!"
    ])
    assert.deepStrictEqual(read(`{{ 'it\\'s "so"' }}`).parts, [`it's "so"`])
  })

  it("an unknown name says the nearest one, what cannot be read what was expected", () => {
    const mistakes: ReadonlyArray<readonly [text: string, mistake: string]> = [
      ["Dear {{ record.Custmer }}", '5: the app "Orders" has no field "Custmer"; did you mean "customer"?'],
      ["{{ recrod.customer }}", '0: nothing is called "recrod"; did you mean "record"?'],
      ["{{ fields.custmers.mail }}", '0: there is no app "custmers"; did you mean "customers"?'],
      ["{{ record.due.start_dat }}", '0: there is no property "start_dat"; did you mean "start_date"?'],
      ["{{ record.Twin }}", '0: 2 fields are called "Twin"; name one by its external id'],
      ["{{ steps.Lokup.City }}", '0: no step is called "Lokup"; did you mean "Lookup"?'],
      ["{{ steps.Lookup.Citty }}", '0: the step "Lookup" declares no variable "Citty"; did you mean "City"?'],
      ["{{ steps['Look it up'].Total }}", '0: "Total" is declared more than once; vars.Total is the latest of them'],
      ["{{ vars.Totl }}", '0: no variable "Totl" is declared; did you mean "Total"?'],
      ["{{ vars.Report }}", '0: "Report" is declared as any and single_file; say which: `as any`'],
      ["{{ meta.record_ur }}", '0: meta has no "record_ur"; did you mean "record_url"?'],
      ["{{ trigger.n as nmber }}", '0: there is no type "nmber"; did you mean "number"?'],
      ["{{ today as text }}", "0: `as` stands behind a payload's property or a variable"],
      ["{{ constructor }}", '0: nothing is called "constructor"'],
      ["{{ trigger }}", "0: expected what the trigger brings, for instance trigger.mail"],
      ["{{ record }}", '0: expected the name of a field of the app "Orders"'],
      ["a {{ today", "2: `{{` is not closed"],
      ["{{ today now }}", '0: unexpected "now }}"'],
      ["{{ record. }}", '0: expected a name behind the dot; any other stands as ["name"]'],
      ["{{ record[x] }}", '0: expected ["name"] or [0]'],
      ["{{}}", '0: expected a name behind `{{`; a literal one is {{ "{{" }}'],
      ['{{ "\\x" }}', '0: "\\x" is no text with the escapes of JSON']
    ]
    for (const [text, mistake] of mistakes) assert.deepStrictEqual(read(text).mistakes, [mistake], text)
  })

  it("any template reads back as it was written, part by part (drawn)", () => {
    const fields = names.apps.flatMap((app) => app.fields)
    const drawn = templates(references(fields, [1, 2]))
    let shortened = 0
    fc.assert(
      fc.property(drawn, (parts) => {
        const writtenText = textOfParts(parts, shortForm)
        assert.deepStrictEqual(readEntries(writtenText), parts)
        shortened += JSON.stringify(writtenText).split("{{ ").length - 1
      }),
      { seed: seedOf("TEMPLATES_SEED"), numRuns: 2_000 * DEPTH }
    )
    assert.isAbove(shortened, 1_000)
  })

  it("is read in linear time, whatever it holds", () => {
    for (const piece of ["{{ ", '{{ "', "{{", '{{ a["', "{{ a.b ", "{{ '\\", "{{ today }}", "{{\t\t\t\t"]) {
      const [short, long] = [5_000, 20_000].map((count) => {
        const text = piece.repeat(count)
        return cpuMillis(() => placeholdersIn(text))
      })
      assert.isBelow(long!, 8 * short! + 100, JSON.stringify(piece))
    }
  })
})

function action(action_type: string, app_id?: number) {
  return { kind: "variable", source: "action", action_type, ...(app_id === undefined ? {} : { app_id }) }
}

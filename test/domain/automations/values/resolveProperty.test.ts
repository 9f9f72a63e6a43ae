// The table "Resolution" of developer-api.md 7.4, row by row: default in code, default in a template, properties.
import { assert, describe, it } from "@effect/vitest"
import {
  authorData,
  createdData,
  type Data,
  filesData,
  json,
  momentData,
  nothing,
  numberData,
  recordsData,
  todayData
} from "../../../../src/domain/automations/values/resolveData.ts"
import { payloadAt } from "../../../../src/domain/automations/values/resolvePayload.ts"
import { codeOf, type ShowContext, templateOf } from "../../../../src/domain/automations/values/resolveProperty.ts"
import { storable } from "../../../../src/domain/automations/values/resolveStorable.ts"
import type { Cell } from "../../../../src/platform/primitives/Cell.ts"
import { type FieldTypeTag, fieldOf, found } from "../filter/generate.ts"

const context: ShowContext = { found, zone: "Europe/Vienna", baseUrl: "https://svc.example" }
const cells = (type: FieldTypeTag, cell: Cell, settings: object = {}): Data => {
  const field = fieldOf(type)
  return {
    type: "cells",
    field: { ...field, settings: { ...field.settings, ...settings } },
    cells: [cell],
    list: false
  }
}
const both = (data: Data, property?: any) => [codeOf(data, property, context), templateOf(data, property, context).text]

describe("values in code and in templates (7.4)", () => {
  it("text, number, unique id: the value; `formatted` with unit or prefix", () => {
    assert.deepStrictEqual(both(cells("single_text", ["a"])), ["a", "a"])
    const kg = { unit: "kg", decimals: 2 }
    assert.deepStrictEqual(both(cells("number", [2.5], kg)), [2.5, "2.50"])
    assert.deepStrictEqual(both(cells("number", [2.5], kg), "formatted"), ["2.50 kg", "2.50 kg"])
    assert.deepStrictEqual(both(cells("number", [0.00000012], { decimals: 8 })), [0.00000012, "0.00000012"])
    assert.deepStrictEqual(both(numberData(1.2e-7)), [1.2e-7, "0.00000012"])
    assert.deepStrictEqual(both(json(1e-7)), [1e-7, "0.0000001"])
    assert.deepStrictEqual(both(json([1e-7, 2])), [[1e-7, 2], "0.0000001, 2"])
    assert.deepStrictEqual(both(cells("unique_id", [7], { prefix: "N-", min_digits: 3 }), "formatted"), [
      "N-007",
      "N-007"
    ])
    assert.isTrue(templateOf(cells("multi_text", ["<b>x</b>"]), undefined, context).html)
  })

  it("category and status: the text; `id`, `color`, `completed`", () => {
    assert.deepStrictEqual(both(cells("status", [2])), ["Option 2", "Option 2"])
    assert.deepStrictEqual(both(cells("status", [2]), "completed"), [true, "true"])
    assert.deepStrictEqual(both(cells("single_category", [1]), "id"), [1, "1"])
    assert.deepStrictEqual(both(cells("multi_category", [1, 3])), [["Option 1", "Option 3"], "Option 1, Option 3"])
    assert.match(String(both(cells("single_category", [1]), "color")[0]), /^[0-9A-F]{6}$/)
  })

  it("dates: UTC in code, the automation's zone in templates; parts with and without `_utc`; formatted", () => {
    const timed = cells("range_date", [{ start: "2026-07-01 22:30:00", end: "2026-07-03 10:00:00" }])
    assert.deepStrictEqual(both(timed), ["2026-07-01 22:30:00", "2026-07-02 00:30:00"])
    assert.deepStrictEqual(both(timed, "start_date"), ["2026-07-02", "2026-07-02"])
    assert.deepStrictEqual(both(timed, "start_time_utc"), ["22:30:00", "22:30:00"])
    assert.deepStrictEqual(both(timed, "end_utc"), ["2026-07-03 10:00:00", "2026-07-03 10:00:00"])
    assert.strictEqual(both(timed, "formatted")[1], "Thursday, 2. July 2026 00:30 - Friday, 3. July 2026 12:00")
    const day = cells("single_date", [{ start: "2026-07-01" }])
    assert.deepStrictEqual(both(day), ["2026-07-01", "2026-07-01"])
    assert.deepStrictEqual(both(day, "start_time"), [null, ""])
    assert.deepStrictEqual(both(todayData("2026-07-01 22:30:00")), ["2026-07-01", "2026-07-02"])
    assert.deepStrictEqual(both(momentData("2026-07-01 22:30:00")), ["2026-07-01 22:30:00", "2026-07-02 00:30:00"])
  })

  it("relations and created records: id in code, title in templates; what is trashed is left out", () => {
    assert.deepStrictEqual(both(cells("single_relation", [1])), [1, "Record 1"])
    assert.deepStrictEqual(both(cells("multi_relation", [1, 5, 2])), [[1, 2], "Record 1, Record 2"])
    assert.deepStrictEqual(both(cells("single_relation", [5])), [null, ""])
    assert.deepStrictEqual(both(createdData(3, undefined), "record_url")[0], "https://svc.example/record/3")
    assert.deepStrictEqual(both(recordsData([1])), [[1], "Record 1"])
  })

  it("users: id in code, name in templates; an automation has a name only", () => {
    assert.deepStrictEqual(both(cells("single_user", [2])), [2, "User 2"])
    assert.deepStrictEqual(both(authorData({ type: "automation", automation_id: 1 })), [null, "Auto"])
    assert.deepStrictEqual(both(cells("multi_user", [1, 2]), "name"), [["User 1", "User 2"], "User 1, User 2"])
  })

  it("checklists: entries in code, titles one per line", () => {
    const entry = (id: number, title: string) => ({
      ...{ id, title, description: null, due_at: null, completed: id === 1, completed_at: null, assignee: id }
    })
    const list = cells("checklist", [entry(1, "a"), entry(2, "b")])
    assert.strictEqual((both(list)[0] as any)[1].title, "b")
    assert.strictEqual(both(list)[1], "a\nb")
    assert.deepStrictEqual(both(list, "completed")[0], [true, false])
    assert.strictEqual(both(list, "assign_user_formatted")[1], "User 1\nUser 2")
  })

  it("email, phone, link, location: the first in code, a comma list in templates; `all`", () => {
    const mails = cells("multi_email", [
      { id: 1, value: "a@x.at", type: "work" },
      { id: 2, value: "b@x.at", type: "home" }
    ])
    assert.deepStrictEqual(both(mails), ["a@x.at", "a@x.at, b@x.at"])
    assert.deepStrictEqual(both(mails, "all")[0], ["a@x.at", "b@x.at"])
    const location = cells("single_location", [{ value: "Main 1", city: "Graz", map_in_sync: false } as never])
    assert.deepStrictEqual(both(location, "city"), ["Graz", "Graz"])
  })

  it("files: objects in code, names in templates", () => {
    const files = filesData([{ file_id: 1 }, { file_id: 5 }, { file_id: 2 }])
    const [code, text] = both(files)
    assert.deepStrictEqual((code as any).map((file: any) => Object.keys(file)).at(0), [
      "id",
      "filename",
      "size",
      "mimetype",
      "download_url"
    ])
    assert.strictEqual(text, "a.pdf, Photo One.png")
    assert.deepStrictEqual(both(cells("single_attachment", [1]), "filename"), [["a.pdf"], "a.pdf"])
  })

  it("empty is null in code and empty text in templates", () => {
    for (const type of [
      "single_text",
      "number",
      "multi_category",
      "multi_user",
      "checklist",
      "multi_attachment"
    ] as const) {
      assert.deepStrictEqual(both(cells(type, [])), [null, ""], type)
    }
    assert.deepStrictEqual(both(nothing), [null, ""])
  })

  it("payload properties follow their path and data type", () => {
    const payload = { a: [{ n: "12.5", d: "2026-07-01T10:00:00+02:00", yes: "true", o: { x: 1 } }] }
    const payloadValue = (key: string, type: any) => both(payloadAt(payload, ["a", 0, key], type))[0]
    assert.strictEqual(payloadValue("n", "number"), 12.5)
    assert.strictEqual(payloadValue("n", "text"), "12.5")
    assert.strictEqual(payloadValue("d", "date"), "2026-07-01 08:00:00")
    assert.strictEqual(payloadValue("yes", "boolean"), true)
    assert.deepStrictEqual(payloadValue("o", "any"), { x: 1 })
    assert.strictEqual(payloadValue("o", "text"), '{"x":1}')
    assert.strictEqual(payloadValue("missing", "text"), null)
    assert.strictEqual(both(payloadAt(payload, ["__proto__"], "any"))[0], null)
    assert.strictEqual(both(json({ x: 1 }))[1], '{"x":1}')
  })

  it("values become what Postgres can hold", () => {
    assert.deepStrictEqual(storable({ "a\u0000": ["\ud800", undefined, 1] }), { "a\ufffd": ["\ufffd", null, 1] })
  })
})

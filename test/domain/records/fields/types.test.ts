// developer-api.md 3.2, 3.3: what each field type takes, keeps and shows; every mistake has a readable problem.
import { assert, describe, it } from "@effect/vitest"
import Ajv2020 from "ajv/dist/2020.js"
import { Result, Schema } from "effect"
import type { FieldType } from "../../../../src/domain/records/fields/contract/FieldType.ts"
import { type Field, type Found, nothingFound } from "../../../../src/domain/records/fields/model/Field.ts"
import {
  assignableTags,
  type FieldTypeTag,
  fieldTypes,
  fieldTypeTags
} from "../../../../src/domain/records/fields/registry.ts"
import type { Cell } from "../../../../src/platform/primitives/Cell.ts"

const fieldOf = (tag: FieldTypeTag, settings: object = {}): Field => ({
  field_id: 1,
  app_id: 1,
  slug: "f",
  field_type: tag,
  label: "F",
  description: null,
  required: false,
  unique: false,
  hidden_if_empty: false,
  always_hidden: false,
  position: 0,
  settings: Schema.decodeUnknownSync(fieldTypes[tag].settings as Schema.Codec<unknown>)(settings)
})

const user = { user_id: 7, mail: ["m@x.example"], image: null, name: "Member", org_id: 1, type: "user" as const }
const file = { id: 5, filename: "a.png", size: 3, mimetype: "image/png", download_url: "/f" }
const pdf = { ...file, id: 6, filename: "a.pdf", mimetype: "application/pdf" }
const foundData: Found = {
  ...nothingFound,
  users: new Map([[7, user]]),
  automations: new Map([[9, { automation_id: 9, name: "Robot", type: "automation" }]]),
  records: new Map([
    [20, { record_id: 20, app_id: 2, title: "Twenty" }],
    [30, { record_id: 30, app_id: 3, title: "Thirty" }]
  ]),
  files: new Map([
    [5, file],
    [6, pdf]
  ]),
  temporary: new Map([["temporary-1", { filename: "b.png", mimetype: "image/png" }]])
}

const run = (tag: FieldTypeTag, input: unknown, settings: object = {}, previous: Cell = []) => {
  const field = fieldOf(tag, settings)
  const type: (typeof fieldTypes)[FieldTypeTag] & { check?: any } = fieldTypes[tag]
  let id = 100
  const parseResult = type.parse(input, field as never, { previous, entryId: () => ++id, now: "2026-01-02 03:04:05" })
  if (Result.isFailure(parseResult)) return { problem: parseResult.failure }
  const problem = type.check?.(parseResult.success, field, foundData) ?? null
  if (problem !== null) return { problem }
  return {
    cell: parseResult.success,
    values: parseResult.success.map((entry) => type.render(entry, field as never, foundData)).filter((v) => v !== null),
    title:
      parseResult.success.length === 0
        ? ""
        : ((type as any).title?.(parseResult.success, field, foundData) ??
          type.text(parseResult.success[0]!, field as never, foundData))
  }
}

const Ajv = Ajv2020 as unknown as typeof Ajv2020.default
const fits = (schema: Schema.Top, value: unknown) => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  return new Ajv({ strict: false }).validate({ ...root, $defs: definitions }, value)
}

const options = {
  options: [
    { id: 1, text: "Low", color: "gray" },
    { id: 2, text: "High", color: "red" }
  ]
}
const states = {
  options: [
    { id: 1, text: "Open", color: "blue", means_completed: false },
    { id: 2, text: "Done", color: "green", means_completed: true }
  ]
}
const apps = { referenced_apps: [{ app_id: 2 }] }
const low = { value: { id: 1, text: "Low", color: "9AA0A6" } }
const high = { value: { id: 2, text: "High", color: "EB5757" } }
const day = (date: string) => ({
  start: `${date} 00:00:00`,
  start_date: date,
  start_time: null,
  start_utc: `${date} 00:00:00`,
  start_date_utc: date,
  start_time_utc: null
})
const noEnd = { end: null, end_date: null, end_time: null, end_utc: null, end_date_utc: null, end_time_utc: null }

type Row = readonly [
  tag: FieldTypeTag,
  input: unknown,
  values: ReadonlyArray<unknown>,
  title: string,
  settings?: object
]
const accepted: ReadonlyArray<Row> = [
  ["single_text", "Hello", [{ value: "Hello" }], "Hello"],
  ["single_text", "a\nb", [{ value: "a\nb" }], "a"],
  ["single_text", "", [], ""],
  ["multi_text", "<p>One <b>two</b></p><p>three</p>", [{ value: "<p>One <b>two</b></p><p>three</p>" }], "One two"],
  ["multi_text", "a<script>alert(1)</script> <img src=x onerror=y> b", [{ value: "a  b" }], "a b"],
  [
    "multi_text",
    '<a href="javascript:x()" onclick="y()">z</a>',
    [{ value: '<a rel="noopener noreferrer">z</a>' }],
    "z"
  ],
  ["multi_text", "5 < 6 &amp; 7", [{ value: "5 &lt; 6 &amp; 7" }], "5 < 6 & 7"],
  ["multi_text", "<p></p>", [], ""],
  ["number", 12.25, [{ value: 12.3 }], "12.3 kg", { decimals: 1, unit: "kg" }],
  ["number", -12.25, [{ value: -12.3 }], "€ -12.3", { decimals: 1, unit: "€", unit_location: "prefix" }],
  ["number", " 1e2 ", [{ value: 100 }], "100"],
  ["number", 1.005, [{ value: 1.01 }], "1.01", { decimals: 2 }],
  ["number", 1e-9, [{ value: 0 }], "0", { decimals: 8 }],
  ["number", 1e21, [{ value: 1e21 }], "1000000000000000000000", { decimals: 8 }],
  ["single_category", 2, [high], "High", options],
  ["single_category", "Low", [low], "Low", options],
  ["multi_category", ["High", 1, 2], [high, low], "High, Low", options],
  ["multi_category", [], [], "", options],
  ["status", "Done", [{ value: { id: 2, text: "Done", color: "27AE60", means_completed: true } }], "Done", states],
  ["single_date", "2022-03-01", [day("2022-03-01")], "Tuesday, 1. March 2022"],
  [
    "single_date",
    "2026-04-01 15:00",
    [
      {
        start: "2026-04-01 15:00:00",
        start_date: "2026-04-01",
        start_time: "15:00:00",
        start_utc: "2026-04-01 15:00:00",
        start_date_utc: "2026-04-01",
        start_time_utc: "15:00:00"
      }
    ],
    "Wednesday, 1. April 2026 15:00",
    { time: "enabled" }
  ],
  ["range_date", "2026-04-01", [{ ...day("2026-04-01"), ...noEnd }], "Wednesday, 1. April 2026"],
  ["single_relation", 20, [{ value: { record_id: 20, app_id: 2, title: "Twenty" } }], "Twenty", apps],
  ["multi_relation", [20, 20], [{ value: { record_id: 20, app_id: 2, title: "Twenty" } }], "Twenty", apps],
  ["single_user", 7, [{ value: user }], "Member"],
  ["multi_user", [7], [{ value: user }], "Member"],
  ["multi_email", "a@b.example", [{ id: 101, value: "a@b.example", type: "work" }], "a@b.example"],
  [
    "multi_email",
    [{ email: "a@b.example", type: "home" }, "c@d.example"],
    [
      { id: 101, value: "a@b.example", type: "home" },
      { id: 102, value: "c@d.example", type: "work" }
    ],
    "a@b.example"
  ],
  ["multi_phone", { phone: "+43 1 2", type: "work_fax" }, [{ id: 101, value: "+43 1 2", type: "work_fax" }], "+43 1 2"],
  [
    "multi_link",
    "https://x.example/a",
    [{ embed_id: 101, url: "https://x.example/a", type: "link" }],
    "https://x.example/a"
  ],
  [
    "single_location",
    "Main St 1",
    [
      {
        value: "Main St 1",
        original_formatted_address: null,
        street_address: null,
        city: null,
        state: null,
        postal_code: null,
        country: null,
        map_in_sync: false
      }
    ],
    "Main St 1"
  ],
  ["single_attachment", 6, [{ value: pdf }], "a.pdf"],
  ["multi_attachment", [5, 6], [{ value: file }, { value: pdf }], "a.png"],
  ["multi_image", [5], [{ value: file }], "a.png"]
]

const refusedInputs: ReadonlyArray<readonly [tag: FieldTypeTag, input: unknown, problem: RegExp, settings?: object]> = [
  ["single_text", 5, /must be a string/],
  ["single_text", "x".repeat(501), /at most 500/],
  ["single_text", "a\u0000b", /cannot be stored/],
  ["single_text", "\ud800", /cannot be stored/],
  ["multi_text", "x".repeat(150_001), /at most 150000/],
  ["multi_text", {}, /HTML string/],
  ["number", "1,5", /must be a number/],
  ["number", "0x10", /must be a number/],
  ["number", true, /must be a number/],
  ["number", "1e999", /must be a number/],
  ["single_category", 3, /names no option/, options],
  ["single_category", "low", /names no option/, options],
  ["single_category", [1], /must be an option id/, options],
  ["multi_category", 1, /must be an array/, options],
  ["multi_category", [1, 9], /\[1\] names no option/, options],
  ["status", 9, /names no option/, states],
  ["single_date", "2026-02-30", /must be a date/],
  ["single_date", "2026-04-01 25:00", /must be a date/, { time: "enabled" }],
  ["single_date", "2026-04-01 10:00", /without a time/],
  ["single_date", "2026-04-01", /must have a time/, { time: "required" }],
  ["single_date", "2026-04-01 - 2026-04-02", /one date/],
  ["single_date", { start: "2026-04-01", end: "2026-04-02" }, /unknown key `end`/],
  ["single_date", "soon", /must be a date/],
  ["single_date", 5, /date string or an object/],
  ["range_date", "2026-04-05 - 2026-04-01", /end before it starts/],
  ["range_date", "2026-04-05", /must have an end/, { end: "required" }],
  ["range_date", { start: "2026-04-05", finish: "x" }, /unknown key `finish`/],
  ["range_date", { end: "2026-04-05" }, /must be a date/],
  ["range_date", "2026-04-01 - 2026-04-01 10:00", /both sides/, { time: "enabled" }],
  ["single_relation", 30, /referenced app: 30/, apps],
  ["single_relation", 99, /referenced app: 99/, apps],
  ["single_relation", "20", /must be a record id/, apps],
  ["multi_relation", 20, /must be an array/, apps],
  ["single_user", 8, /no user of the organization: 8/],
  ["multi_user", ["7"], /\[0\] must be a user id/],
  ["checklist", { title: "" }, /must have a title/],
  ["checklist", { id: 4, title: "x" }, /names no entry/],
  ["checklist", { title: "x", due_at: "never" }, /due_at/],
  ["checklist", { title: "x", due_at: { toString: 1 } }, /due_at/],
  ["checklist", { title: "x", due_at: ["2026-01-01"] }, /due_at/],
  ["checklist", { title: "x", due_at: 20260101 }, /due_at/],
  ["checklist", { title: "x", assignee: 8 }, /no user of the organization: 8/],
  ["checklist", { title: "x", completed: "yes" }, /completed/],
  ["checklist", { title: "x", colour: 1 }, /unknown key `colour`/],
  ["multi_email", "nobody", /must be an email address/],
  ["multi_email", { email: "a@b.example", type: "fax" }, /none of work, home, other/],
  ["multi_email", { id: 3 }, /names no entry/],
  ["multi_email", { value: "a@b.example" }, /unknown key `value`/],
  ["multi_phone", [" "], /must be a phone number/],
  ["multi_link", "ftp://x.example", /http or https/],
  ["multi_link", "javascript:alert(1)", /http or https/],
  ["multi_link", `https://${"a".repeat(513)}/`, /http or https/],
  ["multi_link", { embed_id: 4 }, /names no entry/],
  ["single_location", { latitude: 5 }, /both latitude and longitude/],
  ["single_location", { latitude: 95, longitude: 0 }, /latitude/],
  ["single_location", { street: "x" }, /unknown key `street`/],
  ["single_attachment", 99, /names no file/],
  ["single_attachment", "temporary-9", /names no file/],
  ["multi_attachment", 5, /must be an array/],
  ["multi_image", [6], /images only, not application\/pdf/],
  ["unique_id", 1, /computed field/],
  ["calculation", 1, /computed field/, { expression: "1", result: "number" }],
  ["created_at", "2026-01-01", /computed field/],
  ["last_modified_by", 7, /computed field/]
]

describe("developer-api.md 3.2, 3.3: field types", () => {
  it("knows 26 types, 20 of them assignable", () => {
    assert.strictEqual(fieldTypeTags.length, 26)
    assert.strictEqual(assignableTags.length, 20)
    for (const tag of fieldTypeTags) assert.strictEqual(fieldTypes[tag].tag, tag)
  })

  for (const [tag, input, values, title, settings] of accepted) {
    it(`${tag} takes ${JSON.stringify(input)?.slice(0, 60)}`, () => {
      const result = run(tag, input, settings)
      assert.isUndefined(result.problem)
      assert.deepStrictEqual(result.values, values)
      assert.strictEqual(result.title, title)
      const { entry, input: taken } = fieldTypes[tag] as FieldType & { readonly input: Schema.Top }
      assert.isTrue(fits(taken, input), "fits what the API description says of input")
      assert.isTrue(fits(Schema.Array(entry!), result.values), "reads as the API description says")
    })
  }

  for (const [tag, input, problem, settings] of refusedInputs) {
    it(`${tag} refuses ${JSON.stringify(input)?.slice(0, 60)}`, () => {
      assert.match(run(tag, input, settings).problem ?? "accepted", problem)
    })
  }

  it("1.3: datetimes with an offset are converted to UTC", () => {
    const { cell } = run("single_date", "2026-04-01T01:30:00+02:00", { time: "enabled" })
    assert.deepStrictEqual(cell, [{ start: "2026-03-31 23:30:00" }])
  })

  it("3.2: a range has twelve keys, and its ends may be sent as an object", () => {
    const result = run("range_date", { start: "2026-04-01", end: "2026-04-05" })
    assert.strictEqual(Object.keys(result.values![0] as object).length, 12)
    assert.deepStrictEqual(result.cell, run("range_date", "2026-04-01 - 2026-04-05").cell)
  })

  it("3.2: entries with an id are kept or changed, without one new, and one not sent goes", () => {
    const firstCell = run("checklist", ["One", { title: "Two", completed: true }]).cell!
    assert.deepInclude(firstCell[1], { id: 102, completed: true, completed_at: "2026-01-02 03:04:05" })
    const second = run("checklist", [{ id: 102, completed: false }, "Three"], {}, firstCell).cell!
    assert.deepStrictEqual(
      second.map((e: any) => [e.id, e.title, e.completed, e.completed_at]),
      [
        [102, "Two", false, null],
        [101, "Three", false, null]
      ]
    )
    assert.match(run("checklist", [{ id: 102 }, { id: 102 }], {}, firstCell).problem!, /twice/)
    const mails = run("multi_email", ["a@b.example", "c@d.example"]).cell!
    const kept = run("multi_email", [{ id: 102, type: "home" }], {}, mails).cell!
    assert.deepStrictEqual(kept, [{ id: 102, value: "c@d.example", type: "home" }])
  })

  it("3.2: a link can be kept or removed, not edited", () => {
    const links = run("multi_link", ["https://a.example", "https://b.example"]).cell!
    assert.deepStrictEqual(run("multi_link", [{ embed_id: 102 }], {}, links).cell, [links[1]!])
    assert.match(run("multi_link", [{ embed_id: 102, url: "https://c.example" }], {}, links).problem!, /edits a link/)
  })

  it("3.4: coordinates alone are a location", () => {
    assert.deepInclude(run("single_location", { latitude: 1.5, longitude: 2 }).cell![0], { value: "", latitude: 1.5 })
    assert.deepStrictEqual(run("single_location", {}).cell, [])
    assert.strictEqual(run("single_location", { city: "Wien", country: "Austria" }).title, "Wien, Austria")
  })

  it("4.3 rule 6, 3.1: what is gone is left out of values", () => {
    const field = fieldOf("multi_relation", apps)
    assert.isNull(fieldTypes.multi_relation.render(404, field, foundData))
    assert.isNull(fieldTypes.single_category.render(9, fieldOf("single_category", options), foundData))
  })

  it("3.3: computed fields come from the record itself", () => {
    const facts = {
      app_record_id: 14,
      created_on: "2026-02-11 08:15:00",
      created_by: { type: "user", user_id: 7 },
      last_modified_on: null,
      last_modified_by: { type: "automation", automation_id: 9 }
    } as const
    assert.deepStrictEqual(fieldTypes.unique_id.compute!(facts), [14])
    const padded = fieldTypes.unique_id.title!([14], fieldOf("unique_id", { prefix: "INV-", min_digits: 4 }), foundData)
    assert.strictEqual(padded, "INV-0014")
    assert.deepStrictEqual(fieldTypes.created_at.compute!(facts), [{ start: "2026-02-11 08:15:00" }])
    assert.deepStrictEqual(fieldTypes.last_modified_at.compute!(facts), [])
    const render = (tag: "created_by" | "last_modified_by") =>
      fieldTypes[tag].render(fieldTypes[tag].compute!(facts)[0] as number, fieldOf(tag), foundData)
    assert.deepStrictEqual(render("created_by"), { value: user })
    assert.deepStrictEqual(render("last_modified_by"), {
      value: { automation_id: 9, name: "Robot", type: "automation" }
    })
  })
})

describe("what was read is taken as it is (developer-api.md 3.2)", () => {
  const sentBack = (tag: FieldTypeTag, input: unknown, previous: (cell: Cell) => Cell) => {
    const firstRun = run(tag, input)
    assert.isUndefined(firstRun.problem, tag)
    const [shown] = firstRun.values as ReadonlyArray<any>
    const secondRun = run(tag, tag === "multi_text" ? shown.value : shown, {}, previous(firstRun.cell!))
    assert.isUndefined(secondRun.problem, tag)
    assert.deepStrictEqual(secondRun.cell, firstRun.cell)
    return firstRun.cell![0]
  }
  const ofTheRecord = (cell: Cell) => cell
  const ofAnother = (): Cell => []
  const part = "x".repeat(500)
  const parts = { street_address: part, city: part, state: part, postal_code: part, country: part }

  it("a location of long parts reads with an address that is longer than any of them", () => {
    for (const previous of [ofTheRecord, ofAnother]) {
      const { value } = sentBack("single_location", parts, previous) as { value: string }
      assert.strictEqual(value.length, 5 * 500 + 4 * 2)
      assert.strictEqual((run("single_location", value).values as any)[0].value, value)
    }
    const longer = { ...parts, value: "x".repeat(2511) }
    assert.match(run("single_location", longer).problem ?? "", /`value` that must have at most 2510/)
    assert.match(run("single_location", { city: "x".repeat(501) }).problem ?? "", /`city` that must have at most 500/)
  })

  it("markup that is escaped, or whose elements are closed, as it is cleaned", () => {
    for (const character of ["&", "<", ">"]) {
      for (const previous of [ofTheRecord, ofAnother]) sentBack("multi_text", character.repeat(150_000), previous)
      assert.match(run("multi_text", character.repeat(150_001)).problem ?? "", /at most 150000/)
    }
    assert.match(run("multi_text", "&amp;".repeat(150_001)).problem ?? "", /at most 150000/)
    const broken = sentBack("multi_text", `a${"<br>".repeat(37_499)}`, ofTheRecord) as string
    assert.isAbove(broken.length, 150_000)
    assert.match(run("multi_text", `${broken}b`, {}, [broken]).problem ?? "", /at most 150000/)
  })
})

describe("what is sent is handled in time linear in its length (decisions P8)", () => {
  it("a thousand entries that stay are each looked for once", () => {
    for (const [tag, key] of [
      ["checklist", "id"],
      ["multi_email", "id"],
      ["multi_link", "embed_id"]
    ] as const) {
      let numReads = 0
      const previous = Array.from({ length: 1000 }, (_, index) => ({
        get [key]() {
          numReads++
          return index + 1
        },
        ...{ title: "T", completed: false, value: "a@b.example", type: "work", url: "https://a.example" }
      }))
      const reversedItems = previous.map((_, index) => ({ [key]: 1000 - index }))
      const { cell } = run(tag, reversedItems, {}, previous as unknown as Cell)
      assert.strictEqual(cell?.length, 1000, tag)
      assert.isBelow(numReads, 10_000, tag)
    }
  })

  it("a title of long markup takes its first line", () => {
    const { title } = fieldTypes.multi_text
    const html = `<p> </p><br />One <b>two</b>${"<br />".repeat(37_500)}`
    const startUsage = process.cpuUsage()
    for (let n = 0; n < 100; n++) assert.strictEqual(title?.([html], fieldOf("multi_text"), foundData), "One two")
    const { user: micros } = process.cpuUsage(startUsage)
    // All lines of one took 15 ms.
    assert.isBelow(micros / 1000, 500)
  })
})

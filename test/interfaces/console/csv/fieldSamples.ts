// Fields of all types that a file can bring, with inputs that a write takes, plain ones and such that the signs of a file mean
// something in: for tests of what an export holds and an import makes of it.
import { Result, Schema } from "effect"
import fc from "fast-check"
import { type Names, peopleNames } from "../../../../src/domain/imports/csvField.ts"
import { type Field, type Found, nothingFound } from "../../../../src/domain/records/fields/model/Field.ts"
import { type FieldTypeTag, fieldTypes } from "../../../../src/domain/records/fields/registry.ts"

/** Signs of CSV, of lists in cells, of formulas, of entries and of markup; and letters of several bytes. */
const signs = [
  ...[
    "a",
    "B",
    "7",
    " ",
    "\n",
    "\r\n",
    ";",
    ",",
    '"',
    "'",
    "=",
    "+",
    "-",
    "@",
    "\t",
    "|",
    "[x] ",
    "home: ",
    "mobile: ",
    "{",
    "}",
    "[",
    "]"
  ],
  ...["<", ">", "&", "<html>", "</html>", "漢", "é", "😀", "ß", " - ", "/", "#", "sep=;", "\uFEFF", "＝"]
]
const text = fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 9 }).map((parts) => parts.join(""))
const visibleText = text.filter((one) => one.trim() !== "")
const escaped = visibleText.map((one) => one.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"))

const fieldOf = (field_id: number, tag: FieldTypeTag, settings: object): Field => ({
  ...{ field_id, app_id: 1, slug: `f${field_id}`, field_type: tag, label: `${tag} ${field_id}`, description: null },
  ...{ required: false, unique: false, hidden_if_empty: false, always_hidden: false, position: 0 },
  settings: Schema.decodeUnknownSync(fieldTypes[tag].settings as Schema.Codec<unknown>)(settings)
})

const optionTexts = [
  "Low",
  "a;b",
  "a",
  "b",
  "a; b",
  '"quoted"',
  " blank ",
  "=1",
  "'=1",
  "-5",
  "x\ny",
  "low, high",
  "12",
  "[1]"
]
const options = optionTexts.map((text, at) => ({ id: at + 1, text, color: "gray" }))
const states = options.map((option, at) => ({ ...option, means_completed: at % 2 === 1 }))
const ids = (from: number, count: number) => fc.integer({ min: from, max: from + count - 1 })

const people = [
  ["Mira Okafor", "mira@x.example"],
  ["Noa; Quay", "noa@x.example"],
  ["Twin", "one@x.example"],
  ["Twin", "two@x.example"],
  ["=Sum", "sum@x.example"],
  ["mira@x.example", "sly@x.example"]
].map(([name, email], at) => ({ name: name!, email: email!, user_id: at + 1 }))

const titles = ["North; by the mole", "South", "Twin", "twin", "21", "'=1", '"cut"', "-5", "x - y"]
const records = titles.map((title, at) => ({ record_id: at + 20, app_id: 2, title }))

const lookupResults: Found = {
  ...nothingFound,
  users: new Map(
    people.map(({ email, name, user_id }) => [
      user_id,
      { user_id, mail: [email], image: null, name, org_id: 1, type: "user" as const }
    ])
  ),
  records: new Map(records.map((record) => [record.record_id, record]))
}

/** What the service answers for a text: the exact title first, then upper and lower case aside, then the id. */
export const names: Names = {
  person: peopleNames(people),
  related: (_, asked) => {
    const same = [
      records.filter(({ title }) => title === asked),
      records.filter(({ title }) => title.toLowerCase() === asked.toLowerCase()),
      records.filter(({ record_id }) => String(record_id) === asked)
    ].find((some) => some.length > 0)
    return same?.length === 1 ? { id: same[0]!.record_id } : { refused: `“${asked}” is no record that it can point to` }
  }
}

const instants = fc.integer({ min: Date.UTC(1850, 0), max: Date.UTC(2200, 0) })
const moment = instants.map((at) => new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, 19).replace("T", " "))
const day = moment.map((one) => one.slice(0, 10))
const period = (side: fc.Arbitrary<string>) =>
  fc
    .tuple(side, side, fc.boolean())
    .map(([a, b, ended]) => (ended ? { start: [a, b].sort()[0]!, end: [a, b].sort()[1]! } : { start: a }))
const some = <A>(one: fc.Arbitrary<A>) => fc.array(one, { minLength: 1, maxLength: 4 })
const contact = (key: string, types: ReadonlyArray<string>, value: fc.Arbitrary<string>) =>
  some(fc.tuple(fc.constantFrom(...types), value).map(([type, one]) => ({ type, [key]: one })))
const phoneTypes = ["work", "work_fax", "home", "home_fax", "main", "mobile", "pager", "other"]

type Sample = readonly [tag: FieldTypeTag, settings: object, inputs: fc.Arbitrary<unknown>]
const samples: ReadonlyArray<Sample> = [
  ["single_text", {}, text],
  [
    "multi_text",
    {},
    fc.oneof(
      escaped,
      some(escaped).map((lines) => lines.map((line) => `<p>${line}</p>`).join("")),
      escaped.map((one) => `<ul><li><b>${one}</b></li></ul>`)
    )
  ],
  [
    "number",
    { decimals: 8 },
    fc.oneof(
      fc.integer(),
      fc.integer().map((n) => n / 10_000),
      fc.constantFrom(1e21, -1e-8, 0)
    )
  ],
  ["single_category", { options }, ids(1, options.length)],
  ["multi_category", { options }, some(ids(1, options.length))],
  ["status", { options: states }, ids(1, states.length)],
  ["single_date", {}, day],
  ["single_date", { time: "enabled" }, fc.oneof(day, moment)],
  ["single_date", { time: "required" }, moment],
  ["range_date", {}, period(day)],
  ["range_date", { time: "required" }, period(moment)],
  ["single_user", {}, ids(1, people.length)],
  ["multi_user", {}, some(ids(1, people.length))],
  ["single_relation", { referenced_apps: [{ app_id: 2 }] }, ids(20, records.length)],
  ["multi_relation", { referenced_apps: [{ app_id: 2 }] }, some(ids(20, records.length))],
  [
    "checklist",
    {},
    some(
      fc.record(
        {
          title: visibleText,
          completed: fc.boolean(),
          description: text,
          due_at: moment,
          assignee: ids(1, people.length)
        },
        { requiredKeys: ["title"] }
      )
    )
  ],
  [
    "multi_email",
    {},
    contact("email", ["work", "home", "other"], fc.constantFrom("a@b.example", "=x@b.example", "'+1@b.example"))
  ],
  ["multi_phone", {}, contact("phone", phoneTypes, visibleText)],
  ["multi_link", {}, some(fc.constantFrom("https://a.example/?q=1;2", "http://b.example/x,y", 'https://c.example/"'))],
  [
    "single_location",
    {},
    fc.oneof(
      visibleText,
      fc.record({
        value: visibleText,
        city: visibleText,
        latitude: fc.constant(48.2),
        longitude: fc.constant(16.4),
        map_in_sync: fc.boolean()
      })
    )
  ]
]

export const fields = samples.map(([tag, settings], at) => fieldOf(at + 1, tag, settings))
/** Of each field some input, or none. */
export const inputs = fc.tuple(...samples.map(([, , one]) => fc.option(one, { nil: undefined })))

const nameless = (entry: any) => {
  if (typeof entry !== "object" || entry === null) return entry
  const { completed_at: _, embed_id: __, id: ___, ...more } = entry
  return "value" in entry && typeof entry.value === "object" ? entry : more
}

/** What the API makes of an input, as it answers it; without ids of entries, which are new each time. */
export const stored = (field: Field, input: unknown): ReadonlyArray<unknown> => {
  const type = fieldTypes[field.field_type as FieldTypeTag] as any
  let id = 100
  const context = { previous: [], entryId: () => ++id, now: "2026-01-02 03:04:05" }
  const cell = Result.getOrThrowWith(
    type.parse(input, field, context),
    (problem) => new Error(`${field.label}: ${problem}`)
  ) as any
  const problem = type.check?.(cell, field, lookupResults) ?? null
  if (problem !== null) throw new Error(problem)
  return cell.map((entry: unknown) => type.render(entry, field, lookupResults))
}
export const comparable = (values: ReadonlyArray<unknown>) => values.map(nameless)

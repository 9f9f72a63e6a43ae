// Random cells, operands and filter trees over all field types, for the tests of the evaluator.

import { fromZonedTime } from "date-fns-tz"
import fc from "fast-check"
import type { Operand } from "../../../../src/domain/automations/filter/comparison.ts"
import {
  fieldKinds,
  type Operator,
  operators,
  operatorTokens
} from "../../../../src/domain/automations/schema/operators.ts"
import { fieldLike } from "../../../../src/domain/automations/values/resolveData.ts"
import type { Field, Found } from "../../../../src/domain/records/fields/model/Field.ts"
import type { FieldTypeTag } from "../../../../src/domain/records/fields/registry.ts"
import type { Cell } from "../../../../src/platform/primitives/Cell.ts"

export const zones = ["UTC", "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"] as const

const options = [1, 2, 3, 4].map((id) => ({ id, text: `Option ${id}`, color: "gray", means_completed: id % 2 === 0 }))
export const fieldOf = (field_type: FieldTypeTag, field_id = 1, app_id = 1): Field => ({
  ...fieldLike(field_type),
  field_id,
  app_id,
  settings: { ...fieldLike(field_type).settings, options }
})

/** Users, records and files 1 to 4 are there; 5 is trashed or gone. */
export const fileNames = ["", "a.pdf", "Photo One.png", "b c.txt", "A.PDF"]
export const found: Found = {
  users: new Map(
    [1, 2, 3, 4].map((id) => [id, { user_id: id, mail: [], image: null, name: `User ${id}`, org_id: 1, type: "user" }])
  ),
  automations: new Map([[1, { automation_id: 1, name: "Auto", type: "automation" }]]),
  records: new Map([1, 2, 3, 4].map((id) => [id, { record_id: id, app_id: 1, title: `Record ${id}` }])),
  files: new Map(
    [1, 2, 3, 4].map((id) => [
      id,
      { id, filename: fileNames[id]!, size: 1, mimetype: "text/plain", download_url: "https://example.com" }
    ])
  ),
  temporary: new Map()
}

const word = fc.constantFrom(
  "a",
  "A",
  "b",
  "Ab",
  "photo",
  "Photo One",
  "a.pdf",
  "ß",
  "SS",
  "é",
  "É",
  "1",
  "\u00a0x",
  "İ",
  "k"
)
const space = fc.constantFrom(" ", "  ", "\t", "\n ")
const text = fc
  .array(fc.tuple(word, space), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([one, gap]) => one + gap).join(""))
const html = fc.tuple(text, text).map(([one, two]) => `<p>${one}</p><b>${two}</b>&amp;`)
const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.1, 0.3, 2.5, 1e21, 12345.678),
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -10, max: 10 }).map((n) => (Object.is(n, -0) ? 0 : n))
)
const two = (n: number) => String(n).padStart(2, "0")
// Around both clock changes of a year, and an ordinary month.
const day = fc
  .tuple(
    fc.constantFrom("2026-03-29", "2026-04-05", "2026-10-25", "2026-11-01", "2026-07-01"),
    fc.integer({ min: -1, max: 1 })
  )
  .map(([date, shift]) => new Date(Date.parse(`${date}T00:00:00Z`) + shift * 86_400_000).toISOString().slice(0, 10))
const time = fc
  .tuple(fc.constantFrom(0, 1, 2, 3, 5, 11, 13, 18, 21, 22, 23), fc.constantFrom(0, 15, 30, 59), fc.constantFrom(0, 59))
  .map(([h, m, s]) => `${two(h)}:${two(m)}:${two(s)}`)
const utcText = (millis: number) => new Date(millis).toISOString().slice(0, 19).replace("T", " ")
/** Where the days of the zones meet, and a second beside. */
const midnight = fc
  .tuple(day, fc.constantFrom(...zones), fc.integer({ min: -1, max: 1 }))
  .map(([d, zone, shift]) => utcText(fromZonedTime(`${d}T00:00:00`, zone).getTime() + shift * 1000))
const moment = fc.oneof(
  day,
  fc.tuple(day, time).map(([d, t]) => `${d} ${t}`),
  midnight
)
const range = fc.tuple(moment, moment, fc.boolean()).map(([one, other, open]) => {
  const [start, end] = [one, other].toSorted() as [string, string]
  return open || start.length !== end.length ? { start } : { start, end }
})
const id = fc.constantFrom(1, 2, 3, 4, 5)
const ids = (most: number) => fc.uniqueArray(id, { minLength: 1, maxLength: most })
const optionIds = (most: number) => fc.uniqueArray(fc.constantFrom(1, 2, 3, 4), { minLength: 1, maxLength: most })
const many = <A>(arbitrary: fc.Arbitrary<A>) => fc.array(arbitrary, { minLength: 1, maxLength: 3 })

const filled: Record<FieldTypeTag, fc.Arbitrary<Cell>> = {
  single_text: text.map((it) => [it]),
  multi_text: html.map((it) => [it]),
  number: number.map((it) => [it]),
  single_category: optionIds(1),
  multi_category: optionIds(3),
  status: optionIds(1),
  single_date: moment.map((start) => [{ start }]),
  range_date: range.map((it) => [it]),
  single_relation: ids(1),
  multi_relation: ids(3),
  single_user: optionIds(1),
  multi_user: optionIds(3),
  checklist: many(fc.tuple(text, fc.boolean())).map((entries) =>
    entries.map(([title, completed], index) => ({
      id: index + 1,
      title,
      completed,
      description: null,
      due_at: null,
      completed_at: null,
      assignee: null
    }))
  ),
  multi_email: many(text).map((all) => all.map((value, index) => ({ id: index + 1, value, type: "work" }))),
  multi_phone: many(text).map((all) => all.map((value, index) => ({ id: index + 1, value, type: "work" }))),
  multi_link: many(text).map((all) => all.map((url, index) => ({ embed_id: index + 1, url }))),
  single_location: fc.oneof(text, fc.constant("")).map((value) => [
    {
      value,
      original_formatted_address: null,
      street_address: null,
      city: null,
      state: null,
      postal_code: null,
      country: null,
      latitude: 1,
      longitude: 1,
      map_in_sync: false
    }
  ]),
  single_attachment: ids(1),
  multi_attachment: ids(3),
  multi_image: ids(3),
  unique_id: fc.integer({ min: 1, max: 5 }).map((it) => [it]),
  calculation: fc.constant([]),
  created_at: fc.tuple(day, time).map(([d, t]) => [{ start: `${d} ${t}` }]),
  last_modified_at: fc.tuple(day, time).map(([d, t]) => [{ start: `${d} ${t}` }]),
  created_by: fc.constantFrom(1, 2, -1).map((it) => [it]),
  last_modified_by: fc.constantFrom(1, 2, -1).map((it) => [it])
}

/** Never empty: the facts that every record has. */
const always: ReadonlySet<FieldTypeTag> = new Set(["unique_id", "created_at", "created_by"])
export const cellOf = (type: FieldTypeTag): fc.Arbitrary<Cell> =>
  always.has(type)
    ? filled[type]
    : fc.oneof({ weight: 1, arbitrary: fc.constant<Cell>([]) }, { weight: 3, arbitrary: filled[type] })

interface GeneratedDate {
  readonly base: string
  readonly unit: "hour" | "day"
}
export type GeneratedOperand =
  | Exclude<Operand, { type: "date" }>
  | { readonly type: "date"; readonly date: GeneratedDate }

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""
/** Texts that stand in the cell, more or less as they are written there. */
const textsIn = (type: FieldTypeTag, cell: Cell): ReadonlyArray<string> =>
  (cell as ReadonlyArray<any>)
    .map((entry) =>
      /attachment|image/.test(type)
        ? fileNames[entry]
        : typeof entry === "string"
          ? entry.replaceAll(/<[^>]*>|&amp;/g, " ")
          : (entry.title ?? entry.value ?? entry.url)
    )
    .filter(isText)

/** An operand close to what the cell holds, so that a comparison which is a little wrong is found out. */
const near = (type: FieldTypeTag, cell: Cell, single: boolean): fc.Arbitrary<GeneratedOperand> | undefined => {
  const [first] = cell as ReadonlyArray<any>
  if (first === undefined) return undefined
  switch (fieldKinds[type].channels[0]) {
    case "number":
      return fc.constantFrom(first, first + 1, first - 1).map((number) => ({ type: "number", number }))
    case "ids":
      return fc.tuple(fc.subarray(cell as Array<number>, { minLength: 1 }), fc.option(id)).map(([held, more]) => ({
        type: "ids",
        ids: single ? held.slice(0, 1) : [...new Set(more === null ? held : [...held, more])]
      }))
    case "date": {
      const edge = fc.constantFrom(...[first.start, first.end].filter(isText))
      const base = fc.tuple(edge, fc.integer({ min: -1, max: 1 }), fc.boolean()).map(([at, shift, whole]) => {
        const millis = Date.parse(`${at.replace(" ", "T")}Z`)
        return whole || at.length <= 10
          ? utcText(millis + shift * 86_400_000).slice(0, 10)
          : utcText(millis + shift * 1000)
      })
      return fc
        .record({ base, unit: fc.constantFrom("hour" as const, "day" as const) })
        .map((date) => ({ type: "date", date }))
    }
    default: {
      const texts = textsIn(type, cell)
      if (texts.length === 0) return undefined
      const spelled = fc.constantFrom<(text: string) => string>(
        (it) => it,
        (it) => it.toUpperCase(),
        (it) => it.toLowerCase()
      )
      return fc
        .tuple(fc.constantFrom(...texts), fc.nat(), fc.nat(), fc.integer({ min: 0, max: 3 }), spelled)
        .map(([held, one, other, part, spell]) => {
          const [from, to] = [one % held.length, (other % held.length) + 1]
          const cut = [held, held.slice(0, to), held.slice(from), held.slice(Math.min(from, to), Math.max(from, to))][
            part
          ]!
          return { type: "text", text: spell(isText(cut) ? cut : held).trim() } as const
        })
    }
  }
}

export const operandOf = (
  type: FieldTypeTag,
  operator: Operator,
  cell?: Cell
): fc.Arbitrary<GeneratedOperand | null> => {
  if (operators[operator].arity === "none") return fc.constant(null)
  const [channel] = fieldKinds[type].channels
  const single = operators[operator].arity === "single"
  const value: fc.Arbitrary<GeneratedOperand> =
    channel === "number"
      ? number.map((it) => ({ type: "number", number: it }))
      : channel === "ids"
        ? (single ? id.map((it) => [it]) : fc.uniqueArray(id, { minLength: 1, maxLength: 3 })).map((it) => ({
            type: "ids",
            ids: it
          }))
        : channel === "date"
          ? fc
              .record({ base: moment, unit: fc.constantFrom("hour" as const, "day" as const) })
              .map((date) => ({ type: "date", date }))
          : fc
              .oneof(
                word,
                text.map((it) => it.trim())
              )
              .filter((it) => it.trim() !== "")
              .map((it) => ({ type: "text", text: it }))
  const close = cell === undefined ? undefined : near(type, cell, single)
  // Sometimes nothing is left of the value (A8).
  return fc.oneof(
    { weight: 5, arbitrary: value },
    { weight: 5, arbitrary: close ?? value },
    { weight: 1, arbitrary: fc.constant(null) }
  )
}

export const fieldTypes = Object.keys(fieldKinds) as ReadonlyArray<FieldTypeTag>
export { type FieldTypeTag, type Operator, operatorTokens }

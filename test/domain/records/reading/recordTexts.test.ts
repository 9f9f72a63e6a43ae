// developer-api.md 4.1: the text of a record is what its schema makes of the plain object, to the byte.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import fc from "fast-check"
import type { Icon } from "../../../../src/domain/accounts/Icon.ts"
import { type Field, type Found, nothingFound } from "../../../../src/domain/records/fields/model/Field.ts"
import { type FieldTypeTag, fieldTypes, fieldTypeTags, typeOf } from "../../../../src/domain/records/fields/registry.ts"
import { type AppDefinition, cellOf, definitionOf } from "../../../../src/domain/records/model/AppDefinition.ts"
import { factsOf, type RecordRow } from "../../../../src/domain/records/model/RecordRow.ts"
import { withFields } from "../../../../src/domain/records/reading/chosenFields.ts"
import { Record as RecordSchema } from "../../../../src/domain/records/reading/recordSchemas.ts"
import { recordTexts } from "../../../../src/domain/records/reading/recordText.ts"
import { renderAuthor } from "../../../../src/domain/records/reading/render.ts"
import type { Author } from "../../../../src/engine/outbox/Event.ts"
import { formatDateTime } from "../../../../src/platform/primitives/dates.ts"
import { DEPTH, seedOf } from "../../../support/seed.ts"

const BASE_URL = 'https://millrace.example/"deep"'

/** Quotes, escapes, surrogates on their own and in pairs, separators that scripts treat as ends of lines. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom('"', "\\", "\n\u2028\u0000", "\ud800", "🦆", "</script>", "")
)
const id = fc.integer({ min: 1, max: 6 })
const moment = fc.date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
const author: fc.Arbitrary<Author> = fc.oneof(
  fc.record({ type: fc.constant("user" as const), user_id: id }),
  fc.record({ type: fc.constant("automation" as const), automation_id: id })
) as fc.Arbitrary<Author>
const day = fc.constantFrom("2026-02-03", "2026-02-03 04:05:06", "1999-12-31 23:59:59")
const orNull = <A>(some: fc.Arbitrary<A>) => fc.option(some)

const option = fc.record({
  id,
  text,
  color: fc.constantFrom("gray" as const, "red" as const),
  means_completed: fc.boolean()
})
const settingsOf = (tag: FieldTypeTag): fc.Arbitrary<object> =>
  tag === "status" || tag.endsWith("category")
    ? fc.record({ options: fc.uniqueArray(option, { selector: (one) => one.id }) })
    : tag === "calculation"
      ? fc.record({
          expression: fc.constant("1"),
          result: fc.constantFrom("text", "number", "date", "boolean"),
          decimals: fc.constant(null)
        })
      : fc.constant({})

/** Entries as they are stored, by the kind of their type. */
const entryOf: Readonly<globalThis.Record<string, fc.Arbitrary<any>>> = {
  text,
  number: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  options: id,
  dates: fc.record({ start: day, end: day }, { requiredKeys: ["start"] }),
  records: id,
  users: id,
  files: id,
  contacts: fc.record({ id, value: text, type: fc.constantFrom("work", "home") }),
  links: fc.record({ embed_id: id, url: text, type: fc.constant("link") }),
  location: fc.record({
    value: text,
    original_formatted_address: orNull(text),
    street_address: orNull(text),
    city: orNull(text),
    state: orNull(text),
    postal_code: orNull(text),
    country: orNull(text),
    map_in_sync: fc.boolean()
  }),
  checklist: fc.record({
    id,
    title: text,
    description: orNull(text),
    due_at: orNull(day),
    completed: fc.boolean(),
    completed_at: orNull(fc.constant("2026-02-03 04:05:06")),
    assignee: orNull(id)
  }),
  result: fc.constantFrom("true", "false")
}

const fieldOf = (field_id: number) =>
  fc.constantFrom(...fieldTypeTags).chain((field_type) =>
    fc.record({
      field_id: fc.constant(field_id),
      app_id: fc.constant(3),
      slug: fc.constant(`f${field_id}`),
      field_type: fc.constant(field_type as string),
      label: text,
      description: orNull(text),
      required: fc.boolean(),
      unique: fc.boolean(),
      hidden_if_empty: fc.boolean(),
      always_hidden: fc.boolean(),
      position: fc.constant(field_id),
      settings: settingsOf(field_type),
      converted_on: orNull(fc.constant("2026-01-01"))
    })
  ) as fc.Arbitrary<Field>

const icon: fc.Arbitrary<Icon> = fc.oneof(
  fc.record({ type: fc.constant("graphic" as const), id: text }),
  fc.record({ type: fc.constant("emoji" as const), emoji: text })
)

const definition = fc
  .tuple(
    fc.record({
      app_id: fc.constant(3),
      org_id: fc.constant(9),
      workspace_id: id,
      slug: fc.constant("app"),
      name: text,
      item_name: text,
      description: fc.constant(null),
      icon: orNull(icon),
      item_icon: fc.constant(null),
      position: fc.constant(0),
      version: fc.constant(1)
    }),
    fc.nat({ max: 7 }).chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => fieldOf(n + 1))))
  )
  .map(([app, fields]) => definitionOf(app, fields))

/** Cells of the field's own kind, now and then of another, as a state from before a conversion has. */
const cellsOf = ({ fields }: AppDefinition) =>
  fc.record(
    Object.fromEntries(
      fields.map((field) => {
        const { kind } = typeOf(field)
        const entries = fc.array(entryOf[kind]!, { maxLength: 3 })
        const otherEntries = fc.array(entryOf["location"]!, { maxLength: 1 })
        return [field.field_id, (field.converted_on ?? null) === null ? entries : fc.oneof(entries, otherEntries)]
      })
    ),
    { requiredKeys: [] }
  )

const recordOf = (of: AppDefinition) =>
  fc.record({
    record_id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    app_id: fc.constant(3),
    org_id: fc.constant(9),
    app_record_id: fc.nat(),
    title: orNull(text),
    revision: fc.nat(),
    cells: cellsOf(of),
    comment_count: fc.nat(),
    created_on: moment,
    created_by: author,
    last_modified_on: orNull(moment),
    last_modified_by: orNull(author),
    deleted_on: orNull(moment)
  }) as fc.Arbitrary<RecordRow>

/** Lookups: some of the ids, the others are unknown. */
const drawnLookups: fc.Arbitrary<Found> = fc
  .record({
    users: fc.uniqueArray(
      fc.record({ user_id: id, mail: fc.array(text, { maxLength: 1 }), image: orNull(text), name: text }),
      {
        selector: ({ user_id }) => user_id
      }
    ),
    automations: fc.uniqueArray(fc.record({ automation_id: id, name: orNull(text) }), {
      selector: ({ automation_id }) => automation_id
    }),
    records: fc.uniqueArray(fc.record({ record_id: id, app_id: id, title: text }), {
      selector: ({ record_id }) => record_id
    }),
    files: fc.uniqueArray(fc.record({ id, filename: text, size: fc.nat(), mimetype: text, download_url: text }), {
      selector: (file) => file.id
    })
  })
  .map(({ automations, files, records, users }) => ({
    ...nothingFound,
    users: new Map(users.map((user) => [user.user_id, { ...user, org_id: 9, type: "user" as const }])),
    automations: new Map(automations.map((one) => [one.automation_id, { ...one, type: "automation" as const }])),
    records: new Map(records.map((one) => [one.record_id, one])),
    files: new Map(files.map((one) => [one.id, one]))
  }))

const plainTime = (date: Date | null) => (date === null ? null : formatDateTime(date))

/** The record as an object, member by member. */
const plainRecord = (of: AppDefinition, record: RecordRow, facts: Found) => ({
  record_id: record.record_id,
  app_record_id: record.app_record_id,
  app_id: record.app_id,
  title: record.title ?? `${of.item_name} #${record.app_record_id}`,
  record_url: `${BASE_URL}/record/${record.record_id}`,
  revision: record.revision,
  created_on: formatDateTime(record.created_on),
  last_modified_on: plainTime(record.last_modified_on),
  deleted_on: plainTime(record.deleted_on),
  comment_count: record.comment_count,
  created_by: renderAuthor(record.created_by, record.org_id, facts),
  last_modified_by:
    record.last_modified_by === null ? null : renderAuthor(record.last_modified_by, record.org_id, facts),
  app: {
    app_id: of.app_id,
    name: of.name,
    record_name: of.item_name,
    workspace_id: of.workspace_id,
    icon: of.icon === null ? null : of.icon.type === "emoji" ? of.icon.emoji : of.icon.id
  },
  fields: of.fields.flatMap((field) => {
    const type = typeOf(field)
    const values = cellOf(field, record.cells, factsOf(record))
      .map((entry) => type.render(entry, field, facts))
      .filter((value) => value !== null)
    if (values.length === 0) return []
    const { field_id, field_type, label, slug } = field
    return [{ field_id, external_id: slug, label, type: type.type, field_type, values }]
  })
})
const encode = Schema.encodeUnknownSync(RecordSchema)

describe("developer-api.md 4.1: texts of records", () => {
  it("are those of the plain object as its schema encodes it, for drawn definitions, records and fields", () => {
    const drawn = definition.chain((of) =>
      fc.tuple(
        fc.constant(of),
        fc.array(recordOf(of), { minLength: 1, maxLength: 4 }),
        drawnLookups,
        fc.option(fc.subarray(of.fields.map(({ slug }) => slug)))
      )
    )
    let empty = 0
    let full = 0
    fc.assert(
      fc.property(drawn, ([of, records, facts, chosen]) => {
        const chosenDefinition = withFields(of, chosen?.join(","))
        assert.strictEqual(chosenDefinition._tag, "Success")
        if (chosenDefinition._tag !== "Success") return
        const textOf = recordTexts(facts, BASE_URL)
        for (const record of records) {
          const object = plainRecord(chosenDefinition.success, record, facts)
          assert.strictEqual(textOf(chosenDefinition.success, record), JSON.stringify(encode(object)))
          if (object.fields.length > 0) full++
          else empty++
        }
      }),
      { seed: seedOf("record texts"), numRuns: 2_000 * DEPTH }
    )
    assert.isAbove(full, 1_000)
    assert.isAbove(empty, 100)
    assert.hasAllKeys(entryOf, [...new Set(Object.values(fieldTypes).map(({ kind }) => kind))])
  })
})

// Looks up the people and records that the rows of a batch name, so that reading them is pure. A caller finds those that they may refer to.
import { Effect, Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { Access } from "../accounts/Access.ts"
import { type CallerShape, holds } from "../accounts/Caller.ts"
import type { Field } from "../records/fields/model/Field.ts"
import { Relations } from "../records/listing/Relations.ts"
import { matchSizes } from "../records/listing/relationSchemas.ts"
import { recordsNamed } from "./cellValues.ts"
import { chooseRecord, type NamedThing, type Names, peopleNames } from "./csvField.ts"
import type { ReadRow } from "./csvReader.ts"
import { PARTS_MOST, partsOf } from "./listTexts.ts"
import { asRead } from "./rowReading.ts"

const Person = Schema.Struct({ user_id: Schema.Int, name: Schema.String, email: Schema.String })

/** Longer texts are titles or names of nobody. */
const LONGEST = 500

export const makeNamedRecords = Effect.gen(function* () {
  const sql = yield* Sql
  const relations = yield* Relations
  const access = yield* Access

  /** Texts of a column, without those of cells that name too many. */
  const textsOf = (rows: ReadonlyArray<ReadRow>, column: number, parts: (text: string) => ReadonlyArray<string>) => {
    const namedTexts = rows.map(({ cells }) => parts(cells[column] ?? "")).filter(({ length }) => length <= PARTS_MOST)
    return [...new Set(namedTexts.flat().filter((text) => text.length <= LONGEST))]
  }

  /** People of the organization who are called like one of the texts. */
  const lookUpPeople = Effect.fnUntraced(function* (orgId: number, texts: ReadonlyArray<string>) {
    if (texts.length === 0) return peopleNames([])
    const lowerTexts = texts.map((text) => text.trim().toLowerCase())
    return peopleNames(
      yield* rowsOf(Person)(sql`
        SELECT u.user_id, u.name, p.email FROM users u JOIN people p USING (person_id)
        WHERE u.org_id = ${orgId} AND u.status <> 'removed'
          AND (lower(btrim(u.name)) = ANY(${lowerTexts}::text[]) OR lower(p.email) = ANY(${lowerTexts}::text[]))`)
    )
  })

  /** Names that the rows hold. @param targets field of each column */
  return Effect.fnUntraced(function* (
    caller: CallerShape,
    rows: ReadonlyArray<ReadRow>,
    targets: ReadonlyArray<Field | undefined>
  ) {
    // Who may not read records does not learn which there are, nor whom they name.
    const mayRead = holds(caller, "records:read")
    const people: Array<string> = []
    const recordsByField = new Map<number, Map<string, NamedThing>>()
    for (const [column, field] of targets.entries()) {
      if (field === undefined) continue
      if (field.field_type === "single_user") people.push(...textsOf(rows, column, (text) => [text.trim()]))
      if (field.field_type === "multi_user") people.push(...textsOf(rows, column, partsOf))
      if (!field.field_type.endsWith("_relation")) continue
      const namedByText = new Map<string, NamedThing>()
      recordsByField.set(field.field_id, namedByText)
      if (!mayRead) continue
      const texts = textsOf(rows, column, (text) => recordsNamed(text, asRead(field)))
      const grant = yield* access.check(caller, "field", field.field_id, 1)
      for (let from = 0; from < texts.length; from += matchSizes.texts)
        for (const match of yield* relations.match(grant, texts.slice(from, from + matchSizes.texts)))
          namedByText.set(match.text, chooseRecord(match))
    }
    const person = yield* lookUpPeople(caller.orgId, mayRead ? people.filter((text) => text !== "") : [])
    const related: Names["related"] = ({ field_id }, text) =>
      recordsByField.get(field_id)?.get(text) ?? chooseRecord({ text, records: [] })
    return { person, related } satisfies Names
  })
})

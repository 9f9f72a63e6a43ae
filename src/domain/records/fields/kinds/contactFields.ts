// Entries of email and phone fields: kept by id, new without one (developer-api.md 3.2).
import { Result, Schema } from "effect"
import type { ContactEntry } from "../../../../platform/primitives/Cell.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { kept, oneOrMany, upTo } from "../contract/shapes.ts"
import { keptEntries } from "../input/entryInput.ts"
import { closed } from "../input/writeInput.ts"
import { textTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import type { Field, ParseContext, Parsed, Problem } from "../model/Field.ts"
import { noCell, when } from "../sql/predicates.ts"

/** Input of the entries of one type. */
export interface ContactInput {
  /** The entry's member on write. */
  readonly key: "email" | "phone"
  readonly types: ReadonlyArray<string>
  readonly valueOf: (input: unknown) => Result.Result<string, Problem>
}

type Known = ReadonlyMap<unknown, ContactEntry>

const entryOf = (kind: ContactInput, input: unknown, known: Known, { entryId }: ParseContext) =>
  Result.gen(function* () {
    const members =
      typeof input === "string"
        ? { [kind.key]: input }
        : yield* closed(input, ["id", "type", kind.key], `a string or an entry with \`${kind.key}\``)
    const { id, type, [kind.key]: value } = members as Record<string, unknown>
    const formerEntry = known.get(id)
    if (id !== undefined && formerEntry === undefined) {
      return yield* Result.fail(`names no entry of the record: ${JSON.stringify(id)}`)
    }
    const sort = type ?? formerEntry?.type ?? kind.types[0]!
    if (!kind.types.includes(sort as string))
      return yield* Result.fail(`has a type that is none of ${kind.types.join(", ")}`)
    const entry: ContactEntry = {
      id: formerEntry?.id ?? entryId(),
      value: value === undefined && formerEntry ? formerEntry.value : yield* kind.valueOf(value),
      type: sort as string
    }
    return entry
  })

const parseContacts = (kind: ContactInput, input: unknown, context: ParseContext): Parsed =>
  keptEntries("id", input, context, (item, known: Known) => entryOf(kind, item, known, context))

const contactKind = {
  kind: "contacts",
  channels: ["text"],
  operators: "LIST",
  assignable: true,
  multiple: true,
  titleCapable: true,
  mayBeUnique: true,
  entryIds: true,
  render: (entry) => {
    const { id, value, type } = entry as ContactEntry
    return { id, value, type }
  },
  text: (entry) => (entry as ContactEntry).value,
  compared: (cell) => ({
    set: "LIST",
    texts: (cell as ReadonlyArray<ContactEntry>).map(({ value }) => value),
    cased: false
  }),
  filter: {
    matchTypes: matchTypes.contact,
    test: (filter) => textTest(filter, false),
    passes: when("text", ({ someText }, { field_id }, test) => someText(field_id, "value", test)),
    empty: noCell
  },
  sortKey: ({ first, sql, words }, { field_id }) => words(sql`nullif(${first(field_id)}->>'value', '')`)
} satisfies Partial<AssignableType<"contacts">>

const inputOf = ({ key, types }: ContactInput) => {
  const entry = { id: kept, type: Schema.optionalKey(Schema.Literals(types)), [key]: Schema.optionalKey(upTo(500)) }
  const name = key === "email" ? "EmailEntryInput" : "PhoneEntryInput"
  return oneOrMany(Schema.Union([upTo(500), Schema.Struct(entry).annotate({ identifier: name })]))
}

/** All of a contact type that follows from how its entries are sent. */
export const contactKindOf = (input: ContactInput) => ({
  ...contactKind,
  type: input.key,
  contactTypes: input.types,
  input: inputOf(input),
  entry: Schema.Struct({ id: Schema.Int, value: Schema.String, type: Schema.Literals(input.types) }),
  parse: (sent: unknown, _field: Field, context: ParseContext) => parseContacts(input, sent, context)
})

// Entries of email and phone fields: kept by id, new without one (developer-api.md 3.2).
import { Result } from "effect"
import type { ContactEntry, Entry } from "../../../../ground/primitives/Cell.ts"
import { closed, distinctIds, entriesOf } from "../input/writeInput.ts"
import type { ParseContext, Parsed, Problem } from "../model/FieldType.ts"

export interface ContactKind {
  /** The entry's member on write. */
  readonly key: "email" | "phone"
  readonly types: ReadonlyArray<string>
  readonly valueOf: (input: unknown) => Result.Result<string, Problem>
}

const entryOf = (kind: ContactKind, input: unknown, { previous, entryId }: ParseContext) =>
  Result.gen(function* () {
    const sent =
      typeof input === "string"
        ? { [kind.key]: input }
        : yield* closed(input, ["id", "type", kind.key], `a string or an entry with \`${kind.key}\``)
    const { id, type, [kind.key]: value } = sent as Record<string, unknown>
    const before = previous.find((entry) => (entry as ContactEntry).id === id) as ContactEntry | undefined
    if (id !== undefined && before === undefined) {
      return yield* Result.fail(`names no entry of the record: ${JSON.stringify(id)}`)
    }
    const sort = type ?? before?.type ?? kind.types[0]!
    if (!kind.types.includes(sort as string))
      return yield* Result.fail(`has a type that is none of ${kind.types.join(", ")}`)
    const entry: ContactEntry = {
      id: before?.id ?? entryId(),
      value: value === undefined && before ? before.value : yield* kind.valueOf(value),
      type: sort as string
    }
    return entry
  })

export const parseContacts = (kind: ContactKind, input: unknown, context: ParseContext): Parsed =>
  input === ""
    ? Result.succeed([])
    : Result.flatMap(
        entriesOf(input, (item) => entryOf(kind, item, context)),
        distinctIds("id")
      )

export const renderContact = (entry: Entry) => {
  const { id, value, type } = entry as ContactEntry
  return { id, value, type }
}
export const contactText = (entry: Entry) => (entry as ContactEntry).value

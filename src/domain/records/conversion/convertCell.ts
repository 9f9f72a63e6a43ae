// Converts a field's value to another type (developer-api.md 11.4): values of one kind of data keep their entries, all others go through
// their text as it is shown, which the new type reads as it reads what people send. Pure.
import { Result } from "effect"
import type { Cell, DateEntry, Entry } from "../../../platform/primitives/Cell.ts"
import { readable } from "../../../platform/text/markup.ts"
import type { DataKind } from "../fields/contract/FieldType.ts"
import { htmlOf, textAsHtml } from "../fields/kinds/htmlText.ts"
import type { OptionSettings } from "../fields/kinds/optionFields.ts"
import type { Field, Found, ParseContext, Parsed, Problem } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import type { NumberSettings } from "../fields/types/number.ts"

/** A field before and after its conversion. */
export interface FieldPair {
  readonly from: Field
  readonly to: Field
}

interface ConversionContext extends Omit<ParseContext, "previous"> {
  /** Lookup of what the value names. */
  readonly found: Found
  /** Ids of users, or of records, that a text names: several if it is ambiguous. */
  readonly idsNamed: (text: string) => ReadonlyArray<number>
  readonly hasOption: (text: string) => boolean
  /** Option with this text, a new one if there is none; a problem if there can be none. */
  readonly optionNamed: (text: string) => Result.Result<number, Problem>
}

const fail = (problem: string): Parsed => Result.fail(problem)
const tooMany = (count: number) => fail(`has ${count} entries, and the new type holds one`)

/** Kinds whose entries mean the same in each of their types. */
const lasting: ReadonlySet<DataKind> = new Set(["options", "dates", "records", "users", "files"])
export const keepsEntries = ({ from, to }: FieldPair): boolean =>
  typeOf(from).kind === typeOf(to).kind && lasting.has(typeOf(to).kind)

/** Text of an entry as it is shown; an email address for a user who becomes one. */
const shownText = (entry: Entry, { from, to }: FieldPair, found: Found): string => {
  const type = typeOf(from)
  if (type.html === true) return readable(entry as string)
  if (type.kind === "users" && to.field_type === "multi_email") return found.users.get(entry as number)?.mail[0] ?? ""
  return type.text(entry, from, found)
}

/** Text of a whole value. */
export const valueText = (cell: Cell, pair: FieldPair, found: Found): string =>
  textsOf(cell, pair, found).join(lineOf(pair))
const textsOf = (cell: Cell, pair: FieldPair, found: Found): ReadonlyArray<string> =>
  cell.map((entry) => shownText(entry, pair, found)).filter((text) => text.trim() !== "")
const lineOf = ({ from }: FieldPair) => (typeOf(from).kind === "checklist" ? "\n" : ", ")

/** Separators of the entries that one text lists, by the kind of the entries. */
const separators: Partial<Record<DataKind, RegExp>> = {
  options: /[,;\n]/,
  users: /[,;\n]/,
  records: /[,;\n]/,
  contacts: /[,;\n]/,
  links: /[,;]?[ \n\t]+/,
  checklist: /\n/
}
/** Entries that a list takes. */
const LISTED_AT_MOST = 1_000
const listedTooMany = () => fail(`lists more than ${LISTED_AT_MOST} entries`)

/** Names that the text lists; one more than a list takes if there are more. */
export const partsOf = (text: string, { to }: FieldPair): ReadonlyArray<string> => {
  const { kind, multiple } = typeOf(to)
  const separator = multiple ? separators[kind] : undefined
  const parts = separator === undefined ? [text] : text.split(separator, LISTED_AT_MOST + 1)
  return parts.map((part) => part.trim()).filter((part) => part !== "")
}

const keptEntries = (cell: Cell, { from, to }: FieldPair, context: ConversionContext): Parsed => {
  const type = typeOf(to)
  if (!type.multiple && cell.length > 1) return tooMany(cell.length)
  if (type.kind === "dates") {
    const { end, start } = cell[0] as DateEntry
    if (end !== undefined && type.range !== true) return fail("has an end, and the new type holds one date")
    return type.parse(end === undefined ? start : `${start} - ${end}`, to, { ...context, previous: [] })
  }
  if (type.kind !== "options") return Result.succeed(cell)
  const ids = new Set((to.settings as OptionSettings).options.map(({ id }) => id))
  const keptIds = cell.filter((id) => ids.has(id as number))
  return keptIds.length === 0 && typeOf(from).kind === "options"
    ? fail("names an option that the field no longer has")
    : Result.succeed(keptIds)
}

const idsOf = (texts: ReadonlyArray<string>, what: string, { idsNamed }: ConversionContext): Parsed => {
  const ids = new Set<number>()
  for (const text of texts) {
    const [id, ...others] = idsNamed(text)
    if (id === undefined) return fail(`names no ${what}: ${JSON.stringify(text)}`)
    if (others.length > 0) return fail(`names ${others.length + 1} ${what}s: ${JSON.stringify(text)}`)
    ids.add(id)
  }
  return Result.succeed([...ids])
}

const optionsOf = (texts: ReadonlyArray<string>, { optionNamed }: ConversionContext): Parsed => {
  const ids = new Set<number>()
  for (const text of texts) {
    const option = optionNamed(text)
    if (Result.isFailure(option)) return fail(option.failure)
    ids.add(option.success)
  }
  return Result.succeed([...ids])
}

/** A number without the unit that the field shows with it. */
const withoutUnit = (text: string, { unit, unit_location }: NumberSettings): string => {
  const trimmedText = text.trim()
  if (unit === null || unit === "") return trimmedText
  if (unit_location === "prefix") return trimmedText.startsWith(unit) ? trimmedText.slice(unit.length) : trimmedText
  return trimmedText.endsWith(unit) ? trimmedText.slice(0, -unit.length) : trimmedText
}

/** A text that is one name, although it has separators in it, is that name. */
const namesIn = (texts: ReadonlyArray<string>, pair: FieldPair, isName: (text: string) => boolean) =>
  texts.flatMap((text) => (isName(text.trim()) ? [text.trim()] : partsOf(text, pair)))

/** A value of the new type, or why it has none. @param cell not empty */
export const convertCell = (cell: Cell, pair: FieldPair, context: ConversionContext): Parsed => {
  if (keepsEntries(pair)) return keptEntries(cell, pair, context)
  const { to } = pair
  const type = typeOf(to)
  const texts = textsOf(cell, pair, context.found)
  if (texts.length === 0) return fail("shows nothing: what it names is gone")
  const parse = (input: unknown) => type.parse(input, to, { ...context, previous: [] })
  if (type.kind === "text") {
    const text = texts.join(lineOf(pair))
    return type.html === true ? Result.map(htmlOf(textAsHtml(text)), (html): Cell => [html]) : parse(text)
  }
  if (!type.multiple && texts.length > 1) return tooMany(texts.length)
  switch (type.kind) {
    case "number":
      return parse(withoutUnit(texts[0]!, to.settings as NumberSettings))
    case "options": {
      const names = namesIn(texts, pair, context.hasOption)
      return names.length > LISTED_AT_MOST ? listedTooMany() : optionsOf(names, context)
    }
    case "users":
    case "records": {
      const names = namesIn(texts, pair, (text) => context.idsNamed(text).length > 0)
      if (names.length > LISTED_AT_MOST) return listedTooMany()
      return idsOf(names, type.kind === "users" ? "user" : "record", context)
    }
    case "contacts":
    case "links":
    case "checklist":
      return parse(texts.flatMap((text) => partsOf(text, pair)))
    default:
      return parse(texts[0]!.trim())
  }
}

// Converts a text of a file to the input of a write for a field, or tells why it cannot (developer-api.md 4.2, imports). The API's own readers
// check what they can here, so that a preview reports what the import would.

import { exactNumber } from "../../platform/primitives/decimals.ts"
import { isEmailAddress, isLinkAddress } from "../records/fields/input/addressForms.ts"
import { isLonger } from "../records/fields/input/characters.ts"
import { periodProblem, timeProblem } from "../records/fields/input/moments.ts"
import type { CsvField, NamedThing, ReadContext } from "./csvField.ts"
import { readMoment } from "./dateTexts.ts"
import { entryOf, fromJson } from "./entryTexts.ts"
import { PARTS_MOST, partsOf } from "./listTexts.ts"
import { readNumber } from "./numberTexts.ts"
import { type OptionMatch, optionNamed } from "./optionTexts.ts"
import { readMultiText } from "./richTexts.ts"
import { quoted } from "./shownText.ts"

/** `missing`: texts of options that the field lacks. */
export type Read = { readonly input: unknown } | { readonly refused: string; readonly missing?: ReadonlyArray<string> }
type Reader = (text: string, field: CsvField, context: ReadContext) => Read

const acceptInput = (input: unknown): Read => ({ input })
const refuseText = (why: string): Read => ({ refused: why })

const settingsOf = ({ config }: CsvField) => config.settings as Readonly<Record<string, any>>

const namedOption = (text: string, field: CsvField) => optionNamed(text, settingsOf(field)["options"])

const tooMany = refuseText(`it names more than ${PARTS_MOST.toLocaleString("en")} values`)

const readNamed = (named: NamedThing): Read => ("id" in named ? acceptInput(named.id) : named)

const each = (texts: ReadonlyArray<string>, named: (text: string) => NamedThing | OptionMatch): Read => {
  if (texts.length > PARTS_MOST) return tooMany
  const namedValues = texts.map(named)
  const stray = namedValues.find((one) => "refused" in one)
  const missing = namedValues.flatMap((one) => ("missing" in one ? (one.missing ?? []) : []))
  if (stray !== undefined) return missing.length === 0 ? stray : { ...stray, missing }
  return acceptInput([...new Set(namedValues.flatMap((one) => ("id" in one ? [one.id] : [])))])
}

const firstRefusal = (texts: ReadonlyArray<string>, problemOf: (text: string) => string | null): string | null =>
  texts.map(problemOf).find((problem) => problem !== null) ?? null

/** A list of entries: as JSON, as a program would send them, or one after the other. */
const entries =
  (problemOf: (value: string) => string | null): Reader =>
  (text, { field_type }) => {
    const jsonValue = fromJson(text)
    if (Array.isArray(jsonValue)) return acceptInput(jsonValue)
    const texts = partsOf(text)
    if (texts.length > PARTS_MOST) return tooMany
    const parts = texts.map((part) => entryOf(field_type, part))
    const problem = firstRefusal(
      parts.map(({ value }) => value),
      problemOf
    )
    return problem === null ? acceptInput(parts.map(({ input }) => input)) : refuseText(problem)
  }

const upTo = (most: number) => (text: string) => (isLonger(text, most) ? `it is longer than ${most} characters` : null)
const someUpTo = (most: number) => (text: string) => (text.trim() === "" ? "an entry is empty" : upTo(most)(text))

/** Midnight is what spreadsheets write behind a day; any other time would be lost. */
const momentFor = (text: string, field: CsvField, context: ReadContext): { moment: string } | { refused: string } => {
  const read = readMoment(text, context)
  if (read === undefined) return { refused: `${quoted(text)} is no date` }
  const time = settingsOf(field)["time"] ?? "disabled"
  const moment = time === "disabled" && /[ T]0?0:00(:00)?(\.0+)?$/.test(text) ? read.slice(0, 10) : read
  const problem = timeProblem(moment, time)
  return problem === null ? { moment } : { refused: `${quoted(text)} ${problem}` }
}

const dateOf: Reader = (text, field, context) => {
  const read = momentFor(text, field, context)
  return "moment" in read ? acceptInput(read.moment) : read
}

const periodOf: Reader = (text, field, context) => {
  const sides = text.split(/ [-–—] /).map((side) => momentFor(side.trim(), field, context))
  const [start, end] = sides
  if (start === undefined || sides.length > 2) return refuseText(`${quoted(text)} is no period`)
  if ("refused" in start) return start
  if (end !== undefined && "refused" in end) return end
  const problem = periodProblem(start.moment, end?.moment, settingsOf(field)["end"] ?? "enabled")
  if (problem !== null) return refuseText(`${quoted(text)} ${problem}`)
  return acceptInput(end === undefined ? { start: start.moment } : { start: start.moment, end: end.moment })
}

const numberOf: Reader = (text, field, { decimal }) => {
  const numberText = readNumber(text, decimal)
  const exact = numberText === undefined ? undefined : exactNumber(numberText, settingsOf(field)["decimals"] ?? 0)
  if (exact === null) return refuseText(`${quoted(text)} has more digits than are kept exactly`)
  return exact === undefined ? refuseText(`${quoted(text)} is no number`) : acceptInput(numberText)
}

const isOne = ({ field_type }: CsvField) => field_type === "single_relation"
/** The texts that name records: of one alone the whole, since a title may have a semicolon. */
export const recordsNamed = (text: string, field: CsvField): ReadonlyArray<string> =>
  text.trim() === "" ? [] : isOne(field) ? [text.trim()] : partsOf(text)
const records: Reader = (text, field, { related }) => {
  const names = recordsNamed(text, field)
  return isOne(field) ? readNamed(related(field, names[0]!)) : each(names, (name) => related(field, name))
}

/** Fields without a reader take nothing from a file: files, and what is computed. */
const readers: Readonly<Record<string, Reader>> = {
  single_text: (text) => {
    const problem = upTo(500)(text)
    return problem === null ? acceptInput(text) : refuseText(problem)
  },
  multi_text: (text) => acceptInput(readMultiText(text)),
  number: numberOf,
  single_category: (text, field) => readNamed(namedOption(text, field)),
  status: (text, field) => readNamed(namedOption(text, field)),
  multi_category: (text, field) => {
    const parts = partsOf(text)
    const [asListed, asWhole] = [each(parts, (part) => namedOption(part, field)), namedOption(text, field)]
    if ("input" in asListed) return asListed
    if ("id" in asWhole) return acceptInput([asWhole.id])
    // Other programs write commas between options.
    const withCommas =
      parts.length > 1
        ? []
        : text
            .split(",")
            .map((part) => part.trim())
            .filter((part) => part !== "")
    const asCommas = each(withCommas, (part) => namedOption(part, field))
    return withCommas.length > 1 && "input" in asCommas ? asCommas : asListed
  },
  single_date: dateOf,
  range_date: periodOf,
  single_user: (text, _, { person }) => readNamed(person(text)),
  multi_user: (text, _, { person }) => each(partsOf(text), person),
  checklist: entries(someUpTo(500)),
  multi_email: entries((text) =>
    isEmailAddress(text) && text.length <= 254 ? null : `${quoted(text)} is no email address`
  ),
  multi_phone: entries(someUpTo(500)),
  multi_link: entries((text) => (isLinkAddress(text) ? null : `${quoted(text)} is no web address (http or https)`)),
  single_location: (text) => {
    const jsonValue = fromJson(text)
    return acceptInput(jsonValue !== undefined && !Array.isArray(jsonValue) ? jsonValue : text)
  },
  single_relation: records,
  multi_relation: records
}

export const isImportable = ({ field_type }: { readonly field_type: string }) => readers[field_type] !== undefined

/** Texts and options keep the blanks round them. */
const AS_IT_IS = new Set(["single_text", "single_category", "status"])

/** Reads a text; blanks alone leave a field empty. */
export const readText = (text: string, field: CsvField, context: ReadContext): Read | undefined => {
  const trimmedText = text.trim()
  if (trimmedText === "") return undefined
  return readers[field.field_type]!(AS_IT_IS.has(field.field_type) ? text : trimmedText, field, context)
}

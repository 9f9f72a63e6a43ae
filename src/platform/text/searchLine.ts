// The line of a record's search entry (developer-api.md 11.1), made by the process that writes the record: Postgres needs five times as long
// for it (`sql/searchFunctions.ts`, `search_record_line`). It is the same line; whatever else is written has it from there.
import type { Cells } from "../primitives/Cell.ts"
import { wordsIn } from "./searchWords.ts"

/** Ends a text within a line, so that no phrase reaches from one into the next. */
export const END = "\u0001"

/** Tags of elements that stand within words; of these only links have attributes (`sanitize.ts`). Postgres goes by the same patterns. */
export const inlineTag = /<\/?(?:a|b|code|del|em|i|ins|mark|s|small|span|strike|strong|sub|sup|u)(?: [^<>]*)?>/g
export const anyTag = /<[^<>]*>/g

/** Longer texts are left to Postgres, which works on them in pieces, with words that end where a lexeme does. */
const CHARACTERS = 4_000
const WORD = 250

const untagged = (html: string) =>
  html
    .replaceAll(inlineTag, "")
    .replaceAll(anyTag, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

const phone = /^[+0-9][0-9 ()./-]{5,50}$/
/** Members of an entry in the order in which Postgres keeps them. */
const members = ["url", "title", "value"] as const

type Members = Readonly<Partial<Record<(typeof members)[number] | "description", string | null>>>

/** A record as search takes it. */
export interface SearchedRecord {
  readonly title: string
  readonly cells: Cells
}

/** Texts in the order of `search_record_line`: those of strings, of members, of other descriptions, phone numbers, and HTML. */
const textsOf = ({ cells, title }: SearchedRecord, htmlFields: ReadonlyArray<number>): ReadonlyArray<string> => {
  const texts: Array<string> = []
  const memberTexts: Array<string> = []
  const descriptions: Array<string> = []
  const phones: Array<string> = []
  const html: Array<string> = []
  for (const id of Object.keys(cells)) {
    if (htmlFields.includes(Number(id))) continue
    for (const entry of cells[Number(id)]!) {
      if (typeof entry === "string") texts.push(entry)
      if (typeof entry !== "object") continue
      const texted = entry as Members
      for (const member of members) if (texted[member] != null) memberTexts.push(texted[member])
      if (texted.description != null)
        "completed" in entry ? html.push(untagged(texted.description)) : descriptions.push(texted.description)
      if (texted.value != null && phone.test(texted.value)) phones.push(texted.value.replaceAll(/[^0-9]/g, ""))
    }
  }
  const plainTexts = [...texts, ...memberTexts, ...descriptions]
  return [
    title,
    ...(plainTexts.length === 0 ? [""] : plainTexts),
    ...phones,
    ...(html.length === 0 ? [""] : html),
    ...htmlFields.map((id) => untagged((cells[id]?.[0] as string | undefined) ?? ""))
  ]
}

const lineOf = (texts: ReadonlyArray<string>): string | null => {
  if (texts.reduce((sum, text) => sum + text.length, 0) > CHARACTERS) return null
  let searchLine = ""
  for (const [n, text] of texts.entries()) {
    if (text.includes(END)) return null
    if (n > 0) searchLine += ` ${END}`
    for (const word of wordsIn(text)) {
      if (word.length > WORD) return null
      searchLine += ` ${word}`
    }
  }
  return `${searchLine} `
}

/** Null where Postgres has to make it. @param htmlFields ids of fields that hold HTML, ascending */
export const searchLine = (record: SearchedRecord, htmlFields: ReadonlyArray<number>): string | null =>
  lineOf(textsOf(record, htmlFields))

/** Effect of a change on a record's entry. */
export interface ChangedLine {
  /** The entry's next line; null if it stays as it is, or if Postgres has to make it. */
  readonly line: string | null
  /** False: Postgres has to make it. */
  readonly has_line: boolean
}

/** @param before null if the entry may have other words. @param htmlFields ids of fields that hold HTML, ascending */
export const changedLine = (
  before: SearchedRecord | null,
  after: SearchedRecord,
  htmlFields: ReadonlyArray<number>
): ChangedLine => {
  const texts = textsOf(after, htmlFields)
  const formerTexts = before === null ? [] : textsOf(before, htmlFields)
  if (texts.length === formerTexts.length && texts.every((text, n) => text === formerTexts[n]))
    return { line: null, has_line: true }
  const nextLine = lineOf(texts)
  return { line: nextLine, has_line: nextLine !== null }
}

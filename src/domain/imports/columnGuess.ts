// Guesses the field to which a column goes, by its name, and the type of field that would take its values.
import { isEmailAddress, isLinkAddress } from "../records/fields/input/addressForms.ts"
import { isImportable } from "./cellValues.ts"
import type { CsvField } from "./csvField.ts"
import { type DateReading, readMoment } from "./dateTexts.ts"
import { type DecimalSign, readNumber } from "./numberTexts.ts"

/** Letters and digits of a name, without accents. */
const plainName = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")

/** Names for the same thing. */
const synonyms: ReadonlyArray<ReadonlySet<string>> = [
  ["mail", "email", "emails", "emailaddress", "mailaddress", "emailaddresses"],
  ["phone", "phones", "telephone", "tel", "phonenumber", "telephonenumber", "mobile", "mobilephone"],
  ["link", "links", "url", "urls", "website", "web", "homepage", "webaddress"],
  ["address", "location", "place"],
  ["name", "title"],
  ["description", "notes", "note", "details"],
  ["due", "duedate", "deadline"],
  ["owner", "assignee", "assignedto", "responsible"],
  ["status", "state"],
  ["amount", "total", "sum"],
  ["tag", "tags", "label", "labels"]
].map((names) => new Set(names))

const isSynonym = (a: string, b: string) => synonyms.some((names) => names.has(a) && names.has(b))

/** Comparisons of a field with a column's name, from the strictest on: an exact match comes first. */
const comparisons: ReadonlyArray<(field: CsvField, name: string) => boolean> = [
  ({ label }, name) => label === name,
  ({ external_id }, name) => external_id === name,
  ({ external_id, label }, name) =>
    plainName(name) !== "" && [label, external_id].some((own) => plainName(own) === plainName(name)),
  ({ label }, name) => isSynonym(plainName(label), plainName(name))
]

/** Fields of the columns that are called like them; each field once. */
export const guessFields = (
  fields: ReadonlyArray<CsvField>,
  head: ReadonlyArray<string>
): ReadonlyArray<CsvField | undefined> => {
  const remainingFields = new Set(fields.filter(isImportable))
  const targets = head.map((): CsvField | undefined => undefined)
  for (const isAlike of comparisons)
    for (const [at, name] of head.entries()) {
      const field = targets[at] === undefined ? [...remainingFields].find((one) => isAlike(one, name)) : undefined
      if (field === undefined) continue
      targets[at] = field
      remainingFields.delete(field)
    }
  return targets
}

/** Distinct texts of a column of categories, at most, and the share of texts that repeat one. */
const OPTIONS_MOST = 20
const REPEATED = 0.5

const PHONE = /^\+?[\d\s()/.-]{6,25}$/

/** @param texts of a column that are not blank */
export const guessType = (
  texts: ReadonlyArray<string>,
  reading: DateReading & { readonly decimal: DecimalSign }
): string => {
  if (texts.length === 0) return "single_text"
  const allFit = (fits: (text: string) => boolean) => texts.every((text) => fits(text.trim()))
  if (allFit((text) => readNumber(text, reading.decimal) !== undefined && !/^\+?0\d/.test(text))) return "number"
  if (allFit((text) => readMoment(text, reading) !== undefined)) return "single_date"
  if (allFit(isEmailAddress)) return "multi_email"
  if (allFit(isLinkAddress)) return "multi_link"
  if (allFit((text) => PHONE.test(text))) return "multi_phone"
  const distinctTexts = new Set(texts)
  const isRepeated = texts.length >= 4 && distinctTexts.size <= Math.min(OPTIONS_MOST, texts.length * REPEATED)
  if (isRepeated && allFit((text) => text.length <= 60)) return "single_category"
  return texts.some((text) => text.length > 200 || text.includes("\n")) ? "multi_text" : "single_text"
}

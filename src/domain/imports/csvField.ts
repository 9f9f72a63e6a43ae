// Types by which reading and writing of cells know a field, and the records and people that its texts name.
import type { DateReading } from "./dateTexts.ts"
import type { DecimalSign } from "./numberTexts.ts"
import { quoted } from "./shownText.ts"

/** Members of a field as the API answers it. */
export interface CsvField {
  readonly field_id: number
  readonly field_type: string
  readonly label: string
  readonly external_id: string
  readonly config: { readonly required: boolean; readonly settings: unknown }
}

/** The record or person that a text names, or why it names none. */
export type NamedThing = { readonly id: number } | { readonly refused: string }

/** Finds what texts name. */
export interface Names {
  readonly person: (text: string) => NamedThing
  readonly related: (field: CsvField, text: string) => NamedThing
}

export type ReadContext = DateReading & Names & { readonly decimal: DecimalSign }

/** People by their mail address, or by a name that nobody else has; upper and lower case are the same. */
export const peopleNames = (
  people: ReadonlyArray<{ readonly email: string; readonly name: string; readonly user_id: number }>
): Names["person"] => {
  const personByName = new Map<string, NamedThing>()
  for (const { email, name, user_id } of people) {
    const key = name.trim().toLowerCase()
    const refusal = `“${name}” is the name of several people; name one by the mail address, such as ${email}`
    personByName.set(key, personByName.has(key) ? { refused: refusal } : { id: user_id })
  }
  for (const { email, user_id } of people) personByName.set(email.toLowerCase(), { id: user_id })
  return (text) =>
    personByName.get(text.trim().toLowerCase()) ?? { refused: `${quoted(text)} is no person of the organization` }
}

interface MatchedText {
  readonly text: string
  readonly records: ReadonlyArray<{ readonly record_id: number; readonly title: string }>
}

/** The record that a text names, among those that match it: the exact title first, then upper and lower case aside, then the id. */
export const chooseRecord = ({ records, text }: MatchedText): NamedThing => {
  const same = [
    records.filter(({ title }) => title === text),
    records.filter(({ title }) => title.toLowerCase() === text.toLowerCase()),
    records
  ].find((some) => some.length > 0)
  const [first, second] = same ?? []
  if (first === undefined) return { refused: `${quoted(text)} is no record that it can point to` }
  return second === undefined
    ? { id: first.record_id }
    : { refused: `${quoted(text)} is the title of several records; name one by its id, such as ${first.record_id}` }
}

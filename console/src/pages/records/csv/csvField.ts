// Types by which reading and writing of cells know a field, and the records and people that its texts name.
import type { DateReading } from "./dateTexts.ts"

export interface CsvField {
  readonly field_id: number
  readonly field_type: string
  readonly label: string
  readonly external_id: string
  readonly config: { readonly required: boolean; readonly settings: unknown }
}

/** The record or person that a text names, or why it names none. */
export type Named = { readonly id: number } | { readonly refused: string }

/** Finds what texts name. */
export interface Names {
  readonly person: (text: string) => Named
  readonly related: (field: CsvField, text: string) => Named
}

export type ReadContext = DateReading & Names

/** People by their mail address, or by a name that nobody else has; upper and lower case are the same. */
export const peopleNames = (
  people: ReadonlyArray<{ readonly email: string; readonly name: string; readonly user_id: number }>
): Names["person"] => {
  const personByName = new Map<string, Named>()
  for (const { email, name, user_id } of people) {
    const key = name.trim().toLowerCase()
    const refusal = `“${name}” is the name of several people; name one by the mail address, such as ${email}`
    personByName.set(key, personByName.has(key) ? { refused: refusal } : { id: user_id })
  }
  for (const { email, user_id } of people) personByName.set(email.toLowerCase(), { id: user_id })
  return (text) =>
    personByName.get(text.trim().toLowerCase()) ?? { refused: `“${text}” is no person of the organization` }
}

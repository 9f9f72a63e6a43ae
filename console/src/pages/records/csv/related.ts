// Related records that a file names, by title or by id: looked up a hundred at a time, each text once. Who is named by a title that several
// records have is not known.
import type { AnswerOf } from "@millrace/client"
import type { CsvField, Named } from "./csvField.ts"
import { recordsNamed } from "./csvValues.ts"
import type { Mapping, Row } from "./mapping.ts"
import { client, type Patience, patiently } from "./patience.ts"

const TEXTS = 100
/** No title is longer. */
const LONGEST = 500

type Match = AnswerOf<"listings.match">["matches"][number]

/** The exact title first, then upper and lower case aside, then the id. */
const chooseRecord = ({ records, text }: Match): Named => {
  const same = [
    records.filter(({ title }) => title === text),
    records.filter(({ title }) => title.toLowerCase() === text.toLowerCase()),
    records
  ].find((some) => some.length > 0)
  const [first, second] = same ?? []
  if (first === undefined) return { refused: `“${text}” is no record that it can point to` }
  return second === undefined
    ? { id: first.record_id }
    : { refused: `“${text}” is the title of several records; name one by its id, such as ${first.record_id}` }
}

const isRelation = ({ field_type }: CsvField) => field_type === "single_relation" || field_type === "multi_relation"

interface EntriesOf {
  readonly field_id: number
  readonly values: ReadonlyArray<any>
}

export class RelatedRecords {
  readonly #known = new Map<number, Map<string, Named>>()

  /** Records that a text of this field names; texts that were not looked up name none. */
  readonly read = ({ field_id }: CsvField, text: string): Named =>
    this.#known.get(field_id)?.get(text) ?? chooseRecord({ text, records: [] })

  /** Looks up what rows name and is not known yet. */
  async lookUp(rows: ReadonlyArray<Row>, mapping: Mapping, patience: Patience): Promise<void> {
    for (const [at, field] of mapping.entries()) {
      if (field === undefined || !isRelation(field)) continue
      const texts = rows.flatMap(({ cells }) => recordsNamed(cells[at] ?? "", field))
      await this.#lookUpTexts(field, texts, patience)
    }
  }

  /** Looks up what the titles of shown records name, and the ids of those whose title names another one or none. */
  async lookUpShown(
    records: ReadonlyArray<{ readonly fields: ReadonlyArray<EntriesOf> }>,
    fields: ReadonlyArray<CsvField>,
    patience: Patience
  ): Promise<void> {
    for (const field of fields.filter(isRelation)) {
      const relatedRecords = records.flatMap(({ fields: cells }) =>
        cells
          .filter(({ field_id }) => field_id === field.field_id)
          .flatMap(({ values }) => values.map(({ value }) => value))
      )
      await this.#lookUpTexts(
        field,
        relatedRecords.map(({ title }) => title.trim()),
        patience
      )
      const unclear = relatedRecords.filter(({ record_id, title }) => {
        const named = this.read(field, title.trim())
        return !("id" in named && named.id === record_id)
      })
      await this.#lookUpTexts(
        field,
        unclear.map(({ record_id }) => String(record_id)),
        patience
      )
    }
  }

  async #lookUpTexts(field: CsvField, texts: ReadonlyArray<string>, patience: Patience): Promise<void> {
    const namedByText = this.#known.get(field.field_id) ?? new Map<string, Named>()
    this.#known.set(field.field_id, namedByText)
    const unknownTexts = [...new Set(texts)].filter(
      (text) => !namedByText.has(text) && text !== "" && text.length <= LONGEST
    )
    for (let from = 0; from < unknownTexts.length; from += TEXTS) {
      const body = { texts: unknownTexts.slice(from, from + TEXTS) }
      const { matches } = await patiently(patience, () =>
        client.listings.match({ field_id: field.field_id, body }, { signal: patience.signal })
      )
      for (const match of matches) namedByText.set(match.text, chooseRecord(match))
    }
  }
}

// Related records that an exported file names, by title or by id: looked up a hundred at a time, each text once. Who is named by a title that several
// records have is not known.
import { type CsvField, chooseRecord, type NamedThing } from "../../../../../src/domain/imports/csvField.ts"
import { client, type Patience, patiently } from "./patience.ts"

const TEXTS = 100
/** No title is longer. */
const LONGEST = 500

const isRelation = ({ field_type }: CsvField) => field_type === "single_relation" || field_type === "multi_relation"

interface EntriesOf {
  readonly field_id: number
  readonly values: ReadonlyArray<any>
}

export class RelatedRecords {
  readonly #known = new Map<number, Map<string, NamedThing>>()
  readonly #titles = new Map<number, string>()

  /** Records that a text of this field names; texts that were not looked up name none. */
  readonly read = ({ field_id }: CsvField, text: string): NamedThing =>
    this.#known.get(field_id)?.get(text) ?? chooseRecord({ text, records: [] })

  /** Title of a record that a text has named. */
  readonly titleOf = (recordId: number): string | undefined => this.#titles.get(recordId)

  /** Looks up the records that texts name. */
  lookUp(field: CsvField, texts: ReadonlyArray<string>, patience: Patience): Promise<void> {
    return this.#lookUpTexts(field, texts, patience)
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
    const namedByText = this.#known.get(field.field_id) ?? new Map<string, NamedThing>()
    this.#known.set(field.field_id, namedByText)
    const unknownTexts = [...new Set(texts)].filter(
      (text) => !namedByText.has(text) && text !== "" && text.length <= LONGEST
    )
    for (let from = 0; from < unknownTexts.length; from += TEXTS) {
      const body = { texts: unknownTexts.slice(from, from + TEXTS) }
      const { matches } = await patiently(patience, () =>
        client.listings.match({ field_id: field.field_id, body }, { signal: patience.signal })
      )
      for (const match of matches) {
        namedByText.set(match.text, chooseRecord(match))
        for (const { record_id, title } of match.records) this.#titles.set(record_id, title)
      }
    }
  }
}

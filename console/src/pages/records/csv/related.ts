// Related records that a file names, by title or by id: looked up a hundred at a time, each text once. Who is named by a title that several
// records have is not known.
import type { AnswerOf } from "@millrace/client"
import type { Field } from "../../../api/types.ts"
import { partsOf, type RelatedRead } from "./csvValues.ts"
import type { Mapping, Row } from "./mapping.ts"
import { client, type Patience, patiently } from "./patience.ts"

const TEXTS = 100
/** No title is longer. */
const LONGEST = 500

type Match = AnswerOf<"listings.match">["matches"][number]

/** The exact title first, then upper and lower case aside, then the id. */
const chosen = ({ records, text }: Match): RelatedRead => {
  const same = [
    records.filter(({ title }) => title === text),
    records.filter(({ title }) => title.toLowerCase() === text.toLowerCase()),
    records
  ].find((some) => some.length > 0)
  const [first, second] = same ?? []
  if (first === undefined) return { refused: `“${text}” is no record that it can point to` }
  return second === undefined
    ? { record_id: first.record_id }
    : { refused: `“${text}” is the title of several records; name one by its id, such as ${first.record_id}` }
}

const isRelation = ({ field_type }: Field) => field_type === "single_relation" || field_type === "multi_relation"

export class RelatedRecords {
  readonly #known = new Map<number, Map<string, RelatedRead>>()

  /** What a text of this field names; texts that were not looked up name nothing. */
  readonly read = ({ field_id }: Field, text: string): RelatedRead =>
    this.#known.get(field_id)?.get(text) ?? chosen({ text, records: [] })

  /** Looks up what rows name and is not known yet. */
  async lookUp(rows: ReadonlyArray<Row>, mapping: Mapping, patience: Patience): Promise<void> {
    for (const [at, field] of mapping.entries()) {
      if (field === undefined || !isRelation(field)) continue
      const known = this.#known.get(field.field_id) ?? new Map<string, RelatedRead>()
      this.#known.set(field.field_id, known)
      const texts = rows.flatMap(({ cells }) => partsOf(cells[at] ?? "", field))
      const asked = [...new Set(texts)].filter((text) => !known.has(text) && text.length <= LONGEST)
      for (let from = 0; from < asked.length; from += TEXTS) {
        const body = { texts: asked.slice(from, from + TEXTS) }
        const { matches } = await patiently(patience, () =>
          client.listings.match({ field_id: field.field_id, body }, { signal: patience.signal })
        )
        for (const match of matches) known.set(match.text, chosen(match))
      }
    }
  }
}

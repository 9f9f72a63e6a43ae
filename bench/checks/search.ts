// Searches among very many records (developer-api.md 11.1): processor time of service and Postgres for one search, since a busy machine stretches
// its duration. Each kind of query is drawn anew for each search, most of them from the texts of some record.
import { Effect } from "effect"
import { makeBed } from "../support/bed.ts"
import type { Check, Reading } from "../support/Check.ts"
import { processorOf } from "../support/processor.ts"
import { type BenchFailed, benchFailed } from "../support/Row.ts"
import { seedSearched, textsOf, vocabulary } from "../support/searchWords.ts"
import { percentile } from "../support/statistics.ts"

const RECORDS = 1_000_000
const APPS = 20
/** Share of the records that a small app has, beside as large ones as the rest makes. */
const SMALL = 0.001
const MILLIS = 50
/** Records whose texts give the words of searches. */
const NOTES = 500
/** The commonest words: each is in a tenth of all records at least. */
const COMMON = 12

export const search: Check = {
  name: "search",
  work: `searches among --records records (${RECORDS}) by kinds of queries: processor time`,
  seconds: 60,
  run: Effect.fnUntraced(function* (seconds, say, { records = RECORDS }) {
    const bed = yield* makeBed("bench-search", { temporal: false })
    const apps = yield* Effect.forEach(Array.from({ length: APPS + 1 }), (_, n) => bed.app(`App ${n}`))
    const small = apps[APPS]!.appId
    const words = vocabulary()
    yield* seedSearched(bed, apps, SMALL, words, records)
    say(`${records} records`)
    const drawn = textsOf(words, 3)
    const common = textsOf(words.slice(0, COMMON), 5)
    /** Notes of drawn records, read at once: to look for each would take longer than the search. */
    const notesOf = Effect.fnUntraced(function* (inSmall: boolean) {
      const rows = yield* bed.sql<{ note: string }>`
        SELECT split_part(line, E' \\x01 ', 3) AS note FROM search_entries
        WHERE kind = 'record' AND (app_id = ${small}) = ${inSmall} ORDER BY hashint8(id) LIMIT ${NOTES}::int`
      return rows.map(({ note }) => note.split(" "))
    }, Effect.mapError(benchFailed))
    const notes = { small: yield* notesOf(true), large: yield* notesOf(false) }
    let drawnNotes = 0
    const noteOf = (inSmall: boolean) =>
      Effect.sync(() => {
        const from = inSmall ? notes.small : notes.large
        return from[drawnNotes++ % from.length] ?? []
      })
    /** Different words of one record. */
    const some = (count: number, inSmall = false) =>
      Effect.map(noteOf(inSmall), (note) => [...new Set(note)].slice(0, count).join(" "))
    const kinds: Readonly<Record<string, Effect.Effect<string, BenchFailed>>> = {
      "one word": Effect.sync(() => drawn(1)),
      "two words of a record": some(2),
      "three words of a record": some(3),
      "three beginnings of words": Effect.map(some(3), (q) =>
        q
          .split(" ")
          .map((word) => word.slice(0, 3))
          .join(" ")
      ),
      "three common words": Effect.sync(() => common(3)),
      "two words in their order": Effect.map(noteOf(false), (note) => `"${note.slice(4, 6).join(" ")}"`),
      "two common words in an order": Effect.sync(() => `"${common(2)}"`),
      "three words of a small app's record, there": Effect.map(some(3, true), (q) => `${q}&app_id=${small}`),
      "three common words in a small app": Effect.sync(() => `${common(3)}&app_id=${small}`)
    }
    const find = (q: string) =>
      Effect.mapError(
        bed.client.get("GET", `/v1/search?limit=20&q=${encodeURIComponent(q).replace("%26", "&").replace("%3D", "=")}`),
        benchFailed
      )
    for (const query of Object.values(kinds)) for (let n = 0; n < 5; n++) yield* find(yield* query)
    const read: Array<Reading> = []
    for (const [what, query] of Object.entries(kinds)) {
      const costs: Array<number> = []
      const until = performance.now() + (1000 * seconds) / Object.keys(kinds).length
      do {
        const q = yield* query
        const from = processorOf(bed.machine)
        yield* find(q)
        const to = processorOf(bed.machine)
        costs.push(1000 * (to.postgres + to.main + to.threads - from.postgres - from.main - from.threads))
      } while (performance.now() < until)
      const value = percentile(costs, 95)
      say(`${what}: ${percentile(costs, 50).toFixed(1)} ms, p95 ${value.toFixed(1)} ms of ${costs.length}`)
      read.push({ what: `${what}, p95`, value, unit: "ms of processor time", atMost: MILLIS })
    }
    return read
  }, Effect.scoped)
}

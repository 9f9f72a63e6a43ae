// The processor time that the index of search adds to a write (developer-api.md 11.1), of service and Postgres together: the same writes in
// turn with the index and without it. What a write leaves to be sorted into the index is sorted before the count ends. Without the index the
// process still makes lines, which a figure of their own says.
import { Effect } from "effect"
import { addRecordEntries } from "../../src/platform/sql/searchSources.ts"
import { searchLine } from "../../src/platform/text/searchLine.ts"
import { type Bed, makeBed } from "../support/bed.ts"
import type { Check } from "../support/Check.ts"
import { processorOf } from "../support/processor.ts"
import { BenchFailed, benchFailed } from "../support/Row.ts"
import { NOTE_WORDS, seedSearched, TITLE_WORDS, textsOf, vocabulary } from "../support/searchWords.ts"

const RECORDS = 200_000
const BATCH = 50
const PERCENT = 10
const LINES = 20_000

/** Turns the index of records off and on again: entries go nowhere. */
const switchOf = Effect.fnUntraced(function* ({ sql }: Bed) {
  const [definition] = yield* sql<{ text: string }>`SELECT pg_get_functiondef('records_added'::regproc) AS text`
  const withEntries = definition!.text
  const without = withEntries.replace(`${addRecordEntries};`, "")
  if (without === withEntries) return yield* new BenchFailed({ message: "records_added keeps no search entries" })
  yield* sql.unsafe("CREATE FUNCTION bench_nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$")
  yield* sql.unsafe(`
    CREATE TRIGGER bench_nothing BEFORE INSERT OR UPDATE ON search_entries FOR EACH ROW EXECUTE FUNCTION bench_nothing()`)
  return (on: boolean) =>
    sql
      .withTransaction(
        Effect.gen(function* () {
          yield* sql.unsafe(on ? withEntries : without)
          yield* sql.unsafe(`ALTER TABLE search_entries ${on ? "DISABLE" : "ENABLE"} TRIGGER bench_nothing`)
          yield* sql.unsafe(`ALTER TABLE records ${on ? "ENABLE" : "DISABLE"} TRIGGER records_searched_update`)
        })
      )
      .pipe(Effect.mapError(benchFailed))
}, Effect.mapError(benchFailed))

export const searchWrites: Check = {
  name: "search-writes",
  work: `processor time of writes with the index of search and without it, among --records records (${RECORDS})`,
  seconds: 120,
  run: Effect.fnUntraced(function* (seconds, say, { records = RECORDS }) {
    const bed = yield* makeBed("bench-search-writes", { temporal: false })
    const app = yield* bed.app("Big")
    const words = vocabulary()
    yield* seedSearched(bed, [app], 1, words, records)
    const ids = yield* Effect.mapError(
      bed.sql<{
        record_id: number
      }>`SELECT record_id FROM records WHERE record_id % 97 = 3 ORDER BY record_id LIMIT 2000`,
      benchFailed
    )
    say(`${records} records`)
    const text = textsOf(words, 11)
    const fieldsOf = () => ({ name: text(TITLE_WORDS), count: 7, note: text(NOTE_WORDS) })
    const call = (method: "POST" | "PUT", path: string, body: object) =>
      Effect.mapError(bed.client.get(method, path, { body }), benchFailed)
    let changeCount = 0
    /** Changes of every second record, from this one on: what changed a text without the index left its entry as it was. */
    const change = (remainder: number, fields: () => object) =>
      Effect.suspend(() => {
        const changeable = ids.filter((_, n) => n % 2 === remainder)
        return call("PUT", `/v1/record/${changeable[changeCount++ % changeable.length]!.record_id}`, {
          fields: fields()
        })
      })
    const batch = () => ({ inputs: Array.from({ length: BATCH }, () => ({ fields: fieldsOf() })) })
    const writers = [
      {
        what: `${BATCH} creates in a batch`,
        times: 80,
        write: Effect.suspend(() => call("POST", `/v1/record/app/batch/${app.appId}`, batch()))
      },
      {
        what: "a create",
        times: 200,
        write: Effect.suspend(() => call("POST", `/v1/record/app/${app.appId}`, { fields: fieldsOf() }))
      },
      { what: "a change of a text", times: 200, write: change(0, () => ({ note: text(NOTE_WORDS) })) },
      { what: "a change of a number", times: 200, write: change(1, () => ({ count: changeCount })) }
    ]
    const sorted = Effect.mapError(bed.sql`SELECT gin_clean_pending_list('search_entries_words')`, benchFailed)
    const switchTo = yield* switchOf(bed)
    const sums = writers.map(() => ({ with: 0, without: 0, postgres: 0, rounds: 0 }))
    const round = Effect.fnUntraced(function* (order: ReadonlyArray<boolean>, counts: boolean) {
      for (const on of order) {
        yield* switchTo(on)
        for (const [n, { times, write }] of writers.entries()) {
          for (let warm = 0; warm < times / 10; warm++) yield* write
          if (on) yield* sorted
          const from = processorOf(bed.machine)
          for (let each = 0; each < times; each++) yield* write
          if (on) yield* sorted
          const to = processorOf(bed.machine)
          if (!counts) continue
          const postgres = (1e6 / times) * (to.postgres - from.postgres)
          sums[n]![on ? "with" : "without"] +=
            postgres + (1e6 / times) * (to.main + to.threads - from.main - from.threads)
          sums[n]!.postgres += on ? postgres : -postgres
          sums[n]!.rounds += on ? 1 : 0
        }
      }
    })
    yield* round([true, false], false)
    const until = performance.now() + seconds * 1000
    for (let n = 0; performance.now() < until; n++) yield* round(n % 2 === 0 ? [true, false] : [false, true], true)

    const lines = Array.from({ length: LINES }, () => ({ title: text(TITLE_WORDS), cells: { 1: [text(NOTE_WORDS)] } }))
    const startUsage = process.cpuUsage()
    for (const line of lines) searchLine(line, [])
    const { user } = process.cpuUsage(startUsage)
    say(`a line takes the process ${(user / LINES).toFixed(1)} µs`)
    return writers.map(({ what }, n) => {
      const { postgres, rounds, with: indexed, without } = sums[n]!
      const per = (sum: number) => (sum / rounds).toFixed(0)
      say(
        `${what}: ${per(indexed)} µs, without ${per(without)} µs; Postgres ${per(postgres)} µs more (${rounds} rounds)`
      )
      return { what, value: 100 * (indexed / without - 1), unit: "% more", atMost: PERCENT }
    })
  }, Effect.scoped)
}

// Records whose texts are drawn from a vocabulary as people draw theirs: few words often, most of them seldom (Zipf's law).
import { Effect } from "effect"
import type { AppOf, Bed } from "./bed.ts"
import { BenchFailed } from "./Row.ts"

const VOCABULARY = 20_000
/** Records of a statement. */
const AT_ONCE = 10_000
const CONSONANTS = "bcdfghjklmnprstvz"
const VOWELS = "aeiou"

/** Draws the same numbers from 0 to 1 each time (Mulberry32). */
const drawsOf = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Words by how frequent they are: the first one is in a third of all records. */
export const vocabulary = (): ReadonlyArray<string> => {
  const draw = drawsOf(7)
  const words = new Set<string>()
  const syllable = () =>
    CONSONANTS[Math.floor(draw() * CONSONANTS.length)]! + VOWELS[Math.floor(draw() * VOWELS.length)]!
  while (words.size < VOCABULARY) words.add(Array.from({ length: 2 + Math.floor(draw() * 3) }, syllable).join(""))
  return [...words]
}

/** Draws texts of so many words. */
export const textsOf = (words: ReadonlyArray<string>, seed: number) => {
  const draw = drawsOf(seed)
  const word = () => words[Math.max(1, Math.floor(words.length ** draw())) - 1]!
  return (count: number) => Array.from({ length: count }, word).join(" ")
}

/** Words of a title and of a note. */
export const TITLE_WORDS = 3
export const NOTE_WORDS = 19

/**
 * Adds records with their search entries; the index is built at the end.
 * @param smallShare share of the records that the last app has; the others have as many each
 */
export const seedSearched = Effect.fnUntraced(
  function* (
    { orgId, sql }: Bed,
    apps: ReadonlyArray<AppOf>,
    smallShare: number,
    words: ReadonlyArray<string>,
    records: number
  ) {
    const indexes = yield* sql<{ indexdef: string; indexname: string }>`
      SELECT indexname, indexdef FROM pg_indexes WHERE indexname = 'search_entries_words'`
    for (const { indexname } of indexes) yield* sql.unsafe(`DROP INDEX ${indexname}`)
    yield* sql`ALTER TABLE records DISABLE TRIGGER USER`
    const draw = drawsOf(5)
    const text = textsOf(words, 13)
    const drawApp = () => (draw() < smallShare ? apps.length - 1 : Math.floor(draw() * (apps.length - 1)))
    const targets = apps.map(({ appId, fields }, n) => ({
      n,
      app_id: appId,
      name: fields["name"],
      note: fields["note"]
    }))
    for (let firstNumber = 1; firstNumber <= records; firstNumber += AT_ONCE) {
      const rows = Array.from({ length: Math.min(AT_ONCE, records + 1 - firstNumber) }, (_, n) => ({
        number: firstNumber + n,
        app: drawApp(),
        title: text(TITLE_WORDS),
        note: text(NOTE_WORDS)
      }))
      yield* sql`
        WITH a AS MATERIALIZED (
          SELECT * FROM jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) AS x (n int, app_id bigint, name text, note text)
        ), i AS MATERIALIZED (
          SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x (number bigint, app int, title text, note text)
        ), r AS (
          INSERT INTO records (org_id, app_id, app_record_id, title, cells, created_on, created_by)
          SELECT ${orgId}, a.app_id, i.number, i.title, jsonb_build_object(a.name, jsonb_build_array(i.title), a.note, jsonb_build_array(i.note)),
            now(), '{"type":"user","user_id":1}'
          FROM i JOIN a ON a.n = i.app ORDER BY i.number RETURNING record_id, app_id, app_record_id, title
        )
        INSERT INTO search_entries (org_id, kind, id, app_id, record_id, line)
        SELECT ${orgId}, 'record', r.record_id, r.app_id, r.record_id,
          ' ' || r.title || E' \\x01 ' || r.title || E' \\x01 ' || i.note || ' '
        FROM r JOIN i ON i.number = r.app_record_id ORDER BY r.record_id`
    }
    yield* sql`ALTER TABLE records ENABLE TRIGGER USER`
    yield* sql`UPDATE app_counters SET last_app_record_id = ${records}`
    yield* sql`SET maintenance_work_mem = '1GB'`
    for (const { indexdef } of indexes) yield* sql.unsafe(indexdef)
    for (const table of ["records", "search_entries"]) yield* sql.unsafe(`VACUUM (ANALYZE) ${table}`)
  },
  Effect.mapError((error) => new BenchFailed({ message: String(error) }))
)

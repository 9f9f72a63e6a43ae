// Indexes of pairs (`pair_indexes`, migration 0076): a large app's records with one value of a field, in the order of another. Counts how
// often a listing would read one, in the process; the row of a pair takes the sum from time to time. Housekeeping builds the indexes of the
// pairs that are often asked for (./buildPairIndexes.ts).
import { Cause, Effect, Schema } from "effect"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { inBrief } from "../../../platform/sql/transientErrors.ts"

/** Requests within a day from which on a pair counts as asked for often. */
const OFTEN = 100
/** Days after which the index of a pair that is not asked for often any more is dropped. */
export const UNUSED_DAYS = 7
/** Requests that a process counts before it adds them to the pair's row. */
const NOTED_REQUESTS = 10
/** Pairs of an app that are counted at a time; whoever asks for more of them has none that is asked for often. */
const COUNTED_PAIRS = 32
const DAY_MILLIS = 86_400_000

/** A record whose sort field is empty, over `record_pairs k`, as its index has it. */
export const EMPTY_PAIR_KEY = "k.number IS NULL AND k.words IS NULL AND k.plain IS NULL"

const KnownPair = Schema.Struct({
  pair_id: Schema.Int,
  filter_id: Schema.Int,
  sort_id: Schema.Int,
  usable: Schema.Boolean,
  noted: Schema.Boolean
})

/** Pairs of an app by `pairName`, as they were read. */
export type Pairs = ReadonlyMap<string, typeof KnownPair.Type>
export const NO_PAIRS: Pairs = new Map()

export const pairName = (filterId: number, sortId: number) => `${filterId} ${sortId}`

export const makePairIndexes = Effect.gen(function* () {
  const sql = yield* Sql

  /** Adds counts of requests; both fields have an index. If this fails, some requests are not counted. */
  const note = (appId: number, countsByPair: ReadonlyMap<string, number>, nowMillis: number) =>
    Effect.gen(function* () {
      const nowDate = new Date(nowMillis)
      const yesterday = new Date(nowMillis - DAY_MILLIS)
      const countRows = [...countsByPair].map(([name, requests]) => {
        const [filter_id, sort_id] = name.split(" ").map(Number)
        return { filter_id, sort_id, requests }
      })
      const requests = sql`(CASE WHEN p.counted_from < ${yesterday} THEN 0 ELSE p.requests END + excluded.requests)`
      yield* sql`
        INSERT INTO pair_indexes AS p (app_id, filter_id, sort_id, requests, counted_from, often_on)
        SELECT ${appId}, w.filter_id, w.sort_id, w.requests, ${nowDate}, CASE WHEN w.requests >= ${OFTEN}::int THEN ${nowDate}::timestamptz END
        FROM jsonb_to_recordset(${JSON.stringify(countRows)}::jsonb) AS w (filter_id bigint, sort_id bigint, requests int)
        JOIN field_indexes f ON f.field_id = w.filter_id JOIN field_indexes s ON s.field_id = w.sort_id
        WHERE EXISTS (SELECT 1 FROM pair_indexes o WHERE o.filter_id = w.filter_id AND o.sort_id = w.sort_id)
          OR (SELECT count(*) FROM pair_indexes o WHERE o.app_id = ${appId}) < ${COUNTED_PAIRS}
        ORDER BY w.filter_id, w.sort_id
        ON CONFLICT (filter_id, sort_id) DO UPDATE SET requests = ${requests},
          counted_from = CASE WHEN p.counted_from < ${yesterday} THEN excluded.counted_from ELSE p.counted_from END,
          often_on = CASE WHEN ${requests} >= ${OFTEN}::int THEN excluded.counted_from ELSE p.often_on END`
    }).pipe(Effect.catch((error) => Effect.logDebug("a pair could not be counted", inBrief(Cause.fail(error)))))

  /**
   * Reads the app's pairs, after the counts of the process are added, which leave `counts`. What housekeeping may drop within a day is not
   * usable.
   */
  const read = Effect.fnUntraced(function* (appId: number, counts: Map<string, number>, nowMillis: number) {
    const enough = new Map([...counts].filter(([, count]) => count >= NOTED_REQUESTS))
    if (enough.size > 0) {
      for (const name of enough.keys()) counts.delete(name)
      yield* note(appId, enough, nowMillis)
    }
    // Pairs that are seldom asked for leave room for others.
    if (counts.size >= COUNTED_PAIRS) counts.clear()
    const kept = new Date(nowMillis - (UNUSED_DAYS - 1) * DAY_MILLIS)
    const rows = yield* rowsOf(KnownPair)(sql`
      SELECT pair_id, filter_id, sort_id, coalesce(ready_on IS NOT NULL AND often_on > ${kept}, false) AS usable,
        coalesce(often_on > ${new Date(nowMillis - DAY_MILLIS)}, false) AS noted
      FROM pair_indexes WHERE app_id = ${appId}`)
    return new Map(rows.map((row) => [pairName(row.filter_id, row.sort_id), row])) satisfies Pairs as Pairs
  })

  /** Counts a request for a pair, unless it is known to be asked for often. */
  const count = (counts: Map<string, number>, pairs: Pairs, name: string) => {
    if (pairs.get(name)?.noted === true || (!counts.has(name) && counts.size >= COUNTED_PAIRS)) return
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }

  return { count, read }
})

// A sample of the newest entries (developer-api.md 11.1): how many have which words, by which the way to the others is chosen (`wayThrough`).
import { Schema } from "effect"
import type { Statement } from "effect/sql"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { makeSearchParts } from "./searchParts.ts"
import { lexemesOf, type SearchTerm, wholeWords } from "./searchQuery.ts"
import { type EntryKind, entryKindNames, type SearchRequest } from "./searchSchemas.ts"

/** Newest entries of a kind whose words say how frequent those of the query are. */
export const SAMPLE = 1_000

const Sampled = Schema.Struct({
  kind: Schema.Literals(entryKindNames),
  size: Schema.Int,
  /** About how many entries there are: as many as if the ids of all were as far apart. */
  entries: Schema.Finite,
  /** Entries of apps that the caller sees. */
  reached: Schema.Int,
  matches: Schema.Int,
  /** Matches of all apps. */
  joint: Schema.Int,
  frequencies: Schema.Array(Schema.Int),
  exact_matches: Schema.Int,
  exact_joint: Schema.Int,
  exact_frequencies: Schema.Array(Schema.Int)
})
export type Sampled = typeof Sampled.Type

export const makeSearchSample = (sql: Sql) => {
  const { apps, matches, reached, union } = makeSearchParts(sql)

  return (
    caller: CallerShape,
    request: SearchRequest,
    kinds: ReadonlyArray<EntryKind>,
    terms: ReadonlyArray<SearchTerm>
  ) => {
    const count = (condition: Statement.Fragment) => sql`(count(*) FILTER (WHERE ${condition}))::int`
    const has = (some: ReadonlyArray<SearchTerm>) => matches(sql`e.line`, some)
    const countsOf = (kind: EntryKind, name: string, some: ReadonlyArray<SearchTerm>) => {
      const frequencies = lexemesOf(some).map(({ prefix, word }) => count(has([{ words: [word], prefix }])))
      return sql`
        ${count(sql`${has(some)} AND ${reached(kind)}`)} AS ${sql(`${name}matches`)}, ${count(has(some))} AS ${sql(`${name}joint`)},
        ARRAY[${sql.csv(frequencies)}]::int[] AS ${sql(`${name}frequencies`)}`
    }
    /** Counts of whole words; nobody asks for them where no word is a prefix. */
    const exactCountsOf = (kind: EntryKind) =>
      terms.some(({ prefix }) => prefix)
        ? countsOf(kind, "exact_", wholeWords(terms))
        : sql`0 AS exact_matches, 0 AS exact_joint, '{}'::int[] AS exact_frequencies`
    // A long line is read once from where it is stored.
    const ofKind = (kind: EntryKind) => sql`
      SELECT ${kind}::text AS kind, count(*)::int AS size, ${count(reached(kind))} AS reached,
        coalesce(max(id)::float8 * count(*) / (max(id) - min(id) + 1), 0) AS entries, ${countsOf(kind, "", terms)}, ${exactCountsOf(kind)}
      FROM (
        SELECT line || '' AS line, app_id, id FROM search_entries
        WHERE org_id = ${caller.orgId} AND kind = ${kind} ORDER BY id DESC LIMIT ${SAMPLE}::int OFFSET 0
      ) AS e`
    return rowsOf(Sampled)(sql`WITH ${apps(caller, request)} ${union(kinds.map(ofKind))}`)
  }
}

// The statement of a search (developer-api.md 11.1): it asks for the caller's rights as it selects.
import { Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { END } from "../../platform/text/searchLine.ts"
import { type CallerShape, holds } from "../accounts/Caller.ts"
import { makeSearchParts } from "./searchParts.ts"
import { inLine, type Lexeme, type SearchTerm, tsqueryOf, wholeWords } from "./searchQuery.ts"
import { type EntryKind, entryKindNames, entryKinds, type SearchRequest } from "./searchSchemas.ts"

/** Newest matches of a kind that are ranked: so many, or the least number where that would take reading very many entries. */
export const RANKED = { least: 100, most: 300 }
/** Characters of each text in which a snippet is looked for. */
const CHARACTERS = 8_000
/** A score in a cursor is whole. */
export const SCORES = 1_000_000

/** A way to matches: through the index by these words, from the newest entry on, or from the newest of each app on. */
export interface SearchWay {
  readonly through: ReadonlyArray<Lexeme> | "newest" | "apps"
  /** Match: all terms, or all of them as whole words. */
  readonly terms: ReadonlyArray<SearchTerm>
  /** Newest matches that are ranked. */
  readonly limit: number
}

/** Ways to the matches of a kind. The second one is taken where the first has led to few. */
export interface SearchWays {
  readonly kind: EntryKind
  readonly ways: ReadonlyArray<SearchWay>
}

export const SearchPosition = Schema.Struct({ score: Schema.Int, rank: Schema.Int, id: Schema.Int })
export type SearchPosition = typeof SearchPosition.Type

const FoundRow = Schema.Struct({
  kind: Schema.Literals(entryKindNames),
  id: Schema.Int,
  app_id: Schema.Int,
  record_id: Schema.NullOr(Schema.Int),
  comment_id: Schema.NullOr(Schema.Int),
  title: Schema.NullOr(Schema.String),
  texts: Schema.NullOr(Schema.Array(Schema.Tuple([Schema.NullOr(Schema.Int), Schema.String]))),
  score: Schema.Int,
  rank: Schema.Int
})

export const makeSearchStatement = (sql: Sql) => {
  const { apps, appsOf, matches, reached, union } = makeSearchParts(sql)

  /** Comments leave with their record, and come back with it. */
  const live = (kind: EntryKind) =>
    kind === "comment" || kind === "reply"
      ? sql`AND (SELECT r.deleted_on IS NULL FROM records r WHERE r.record_id = e.record_id)`
      : sql``

  /**
   * Newest matches with their scores: half of it where all words are whole, most of the rest by the share of terms that the title has. A
   * condition that the planner knows nothing of is not what it reads an index by.
   */
  const candidates = (caller: CallerShape, kind: EntryKind, { limit, terms, through }: SearchWay) => {
    const columns = sql.literal("e.kind, e.id, e.app_id, e.record_id, e.line")
    const isMatch = sql`${matches(sql`e.line`, terms)} ${live(kind)} ORDER BY e.id DESC LIMIT ${limit}::int`
    const lexemePrefix = `${caller.orgId}${entryKinds[kind].letter}/`
    const newest =
      through === "apps"
        ? sql`SELECT e.* FROM unnest(${appsOf(kind)}) AS a (app_id) CROSS JOIN LATERAL (
            SELECT ${columns} FROM search_entries e WHERE e.app_id = a.app_id AND e.kind = ${kind} AND ${isMatch}
          ) AS e ORDER BY e.id DESC LIMIT ${limit}::int`
        : through === "newest"
          ? sql`SELECT ${columns} FROM search_entries e WHERE e.org_id = ${caller.orgId} AND e.kind = ${kind} AND ${reached(kind)} AND ${isMatch}`
          : sql`SELECT ${columns} FROM search_entries e
              WHERE search_vector(e.org_id, e.kind, e.line) @@ (SELECT ${tsqueryOf(lexemePrefix, through)}::tsquery) AND ${reached(kind)} AND ${isMatch}`
    const inTitle = terms.map((term) => sql`(strpos(title, ${inLine(term)}::text) > 0)::int`)
    const title = terms.map((term) => inLine({ ...term, prefix: true })).join("")
    return sql`
      SELECT e.kind, e.id, e.app_id, e.record_id, ${entryKindNames.indexOf(kind)}::int AS rank,
        round(${SCORES}::int * (
          0.05 + 0.5 * (${matches(sql`e.line`, wholeWords(terms))})::int
          + 0.35 * (${sql.join(" + ", false)(inTitle)}) / ${terms.length}::int
          + 0.1 * (title = ${`${title} `}::text)::int
        ))::int AS score
      FROM (${newest}) AS e CROSS JOIN LATERAL (SELECT left(e.line, strpos(e.line, ${END}::text) - 1)) AS t (title)`
  }

  /** The way to whole words comes first: where it leads to enough, beginnings of words would all stand behind. */
  const candidatesOf = (caller: CallerShape, { kind, ways }: SearchWays) => {
    const [first, second] = ways.map((way) => candidates(caller, kind, way))
    return second === undefined
      ? sql`(${first!})`
      : sql`(
        WITH exact_matches AS MATERIALIZED (${first!})
        SELECT * FROM exact_matches UNION ALL
        SELECT * FROM (${second}) AS more WHERE (SELECT count(*) FROM exact_matches) < ${RANKED.least}::int)`
  }

  const search = (
    caller: CallerShape,
    request: SearchRequest,
    ways: ReadonlyArray<SearchWays>,
    after: SearchPosition | null
  ) => {
    const afterCursor =
      after === null
        ? sql`true`
        : sql`(-score, rank, -id) > (${-after.score}::int, ${after.rank}::int, ${-after.id}::bigint)`
    return rowsOf(FoundRow)(sql`
      WITH ${apps(caller, request)},
      candidates AS (${union(ways.map((each) => candidatesOf(caller, each)))}),
      matches AS (SELECT kind, id, app_id, record_id, rank, max(score) AS score FROM candidates GROUP BY 1, 2, 3, 4, 5),
      page AS MATERIALIZED (
        SELECT * FROM matches WHERE ${afterCursor} ORDER BY score DESC, rank, id DESC LIMIT ${request.limit + 1}::int
      )
      SELECT p.kind, p.id, p.app_id, p.record_id, y.comment_id, p.score, p.rank,
        CASE p.kind WHEN 'app' THEN a.name WHEN 'automation' THEN x.name
          ELSE coalesce(CASE WHEN ${holds(caller, "records:read")} THEN r.title END, a.item_name || ' #' || r.app_record_id) END AS title,
        CASE p.kind
          WHEN 'record' THEN (SELECT jsonb_agg(jsonb_build_array(t.field_id, left(t.value, ${CHARACTERS}))) FROM search_texts(r.cells) t)
          WHEN 'comment' THEN jsonb_build_array(jsonb_build_array(NULL, search_comment_text(c.value)))
          WHEN 'reply' THEN jsonb_build_array(jsonb_build_array(NULL, search_comment_text(y.value)))
          WHEN 'automation' THEN jsonb_build_array(jsonb_build_array(NULL, coalesce(x.description, '')))
          WHEN 'app' THEN (SELECT jsonb_build_array(jsonb_build_array(NULL, coalesce(o.description, '')))
            FROM apps o WHERE o.app_id = p.app_id) END AS texts
      FROM page p JOIN apps_seen a USING (app_id)
      LEFT JOIN records r ON r.record_id = p.record_id
      LEFT JOIN comments c ON p.kind = 'comment' AND c.comment_id = p.id
      LEFT JOIN replies y ON p.kind = 'reply' AND y.reply_id = p.id
      LEFT JOIN automations x ON p.kind = 'automation' AND x.automation_id = p.id
      ORDER BY p.score DESC, p.rank, p.id DESC`)
  }

  return search
}

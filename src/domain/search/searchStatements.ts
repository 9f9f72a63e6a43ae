// The statements of a search (developer-api.md 11.1): a sample of the newest entries, by which the way to the others is chosen, and the search
// itself, which asks for the caller's rights as it selects.
import { Schema } from "effect"
import type { Statement } from "effect/sql"
import { rowsOf } from "../../ground/sql/rows.ts"
import type { Sql } from "../../ground/sql/Sql.ts"
import { END } from "../../ground/text/searchLine.ts"
import { makeAppLevels } from "../accounts/appLevels.ts"
import { type CallerShape, holds } from "../accounts/Caller.ts"
import { inLine, type Lexeme, lexemesOf, type SearchTerm, tsqueryOf, wholeWords } from "./searchQuery.ts"
import { type EntryKind, entryKindNames, entryKinds, type SearchRequest } from "./searchSchemas.ts"

/** Newest entries of a kind whose words say how frequent those of the query are. */
export const SAMPLE = 1_000
/** Newest matches of a kind that are ranked. */
export const RANKED = 300
/** Characters of each text in which a snippet is looked for. */
const CHARACTERS = 8_000
/** A score in a cursor is whole. */
export const SCORES = 1_000_000

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

/** A way to the matches of a kind: through the index by these words, from the newest entry on, or from the newest of each app on. */
export interface SearchWay {
  readonly kind: EntryKind
  readonly through: ReadonlyArray<Lexeme> | "newest" | "apps"
  /** What matches: all terms, or all of them as whole words. */
  readonly terms: ReadonlyArray<SearchTerm>
}

export const makeSearchStatements = (sql: Sql) => {
  const appLevels = makeAppLevels(sql)

  const apps = (caller: CallerShape, { appId, workspaceId }: SearchRequest) => {
    const app = appId === undefined ? sql`true` : sql`a.app_id = ${appId}::bigint`
    const workspace = workspaceId === undefined ? sql`true` : sql`a.workspace_id = ${workspaceId}::bigint`
    return sql`
      apps_seen AS MATERIALIZED (${appLevels(caller, sql`${app} AND ${workspace}`)}),
      app_ids AS MATERIALIZED (SELECT coalesce(array_agg(app_id), '{}') AS seen,
        coalesce(array_agg(app_id) FILTER (WHERE level = 5), '{}') AS administered FROM apps_seen)`
  }
  const appsOf = (kind: EntryKind) =>
    sql.literal(`(SELECT ${entryKinds[kind].level === 5 ? "administered" : "seen"} FROM app_ids)::bigint[]`)
  /** No condition by which the planner could read an index. */
  const reached = (kind: EntryKind) => sql`(e.app_id = ANY(${appsOf(kind)})) IS TRUE`

  /** Whether the line of an entry has all terms. */
  const matches = (line: Statement.Fragment, terms: ReadonlyArray<SearchTerm>) =>
    sql.and(terms.map((term) => sql`strpos(${line}, ${inLine(term)}::text) > 0`))

  /** Comments leave with their record, and come back with it. */
  const live = (kind: EntryKind) =>
    kind === "comment" || kind === "reply"
      ? sql`AND (SELECT r.deleted_on IS NULL FROM records r WHERE r.record_id = e.record_id)`
      : sql``

  const sample = (
    caller: CallerShape,
    request: SearchRequest,
    kinds: ReadonlyArray<EntryKind>,
    terms: ReadonlyArray<SearchTerm>
  ) => {
    const lexemes = lexemesOf(terms)
    const exactLexemes = lexemesOf(wholeWords(terms))
    const count = (some: ReadonlyArray<SearchTerm>) => sql`count(*) FILTER (WHERE ${matches(sql`e.line`, some)}`
    const frequencies = (some: ReadonlyArray<Lexeme>) =>
      sql.csv(some.map(({ prefix, word }) => sql`${count([{ words: [word], prefix }])})`))
    // A long line is read once from where it is stored.
    const ofKind = (kind: EntryKind) => sql`
      SELECT ${kind}::text AS kind, count(*)::int AS size,
        coalesce(max(id)::float8 * count(*) / (max(id) - min(id) + 1), 0) AS entries, (count(*) FILTER (WHERE ${reached(kind)}))::int AS reached,
        ${count(terms)} AND ${reached(kind)})::int AS matches, ${count(terms)})::int AS joint,
        ARRAY[${frequencies(lexemes)}]::int[] AS frequencies,
        ${count(wholeWords(terms))} AND ${reached(kind)})::int AS exact_matches, ${count(wholeWords(terms))})::int AS exact_joint,
        ARRAY[${frequencies(exactLexemes)}]::int[] AS exact_frequencies
      FROM (
        SELECT line || '' AS line, app_id, id FROM search_entries
        WHERE org_id = ${caller.orgId} AND kind = ${kind} ORDER BY id DESC LIMIT ${SAMPLE}::int OFFSET 0
      ) AS e`
    return rowsOf(Sampled)(sql`WITH ${apps(caller, request)} ${union(kinds.map(ofKind))}`)
  }

  /**
   * Newest matches with their scores: half of it where all words are whole, most of the rest by the share of terms that the title has. A
   * condition that the planner knows nothing of is not what it reads an index by.
   */
  const candidates = (caller: CallerShape, { kind, terms, through }: SearchWay) => {
    const columns = sql.literal("e.kind, e.id, e.app_id, e.record_id, e.line")
    const isMatch = sql`${matches(sql`e.line`, terms)} ${live(kind)} ORDER BY e.id DESC LIMIT ${RANKED}::int`
    const place = `${caller.orgId}${entryKinds[kind].letter}/`
    const newest =
      through === "apps"
        ? sql`SELECT e.* FROM unnest(${appsOf(kind)}) AS a (app_id) CROSS JOIN LATERAL (
            SELECT ${columns} FROM search_entries e WHERE e.app_id = a.app_id AND e.kind = ${kind} AND ${isMatch}
          ) AS e ORDER BY e.id DESC LIMIT ${RANKED}::int`
        : through === "newest"
          ? sql`SELECT ${columns} FROM search_entries e WHERE e.org_id = ${caller.orgId} AND e.kind = ${kind} AND ${reached(kind)} AND ${isMatch}`
          : sql`SELECT ${columns} FROM search_entries e
              WHERE search_vector(e.org_id, e.kind, e.line) @@ (SELECT ${tsqueryOf(place, through)}::tsquery) AND ${reached(kind)} AND ${isMatch}`
    const inTitle = terms.map((term) => sql`(strpos(title, ${inLine(term)}::text) > 0)::int`)
    const title = terms.map((term) => inLine({ ...term, prefix: true })).join("")
    return sql`(
      SELECT e.kind, e.id, e.app_id, e.record_id, ${entryKindNames.indexOf(kind)}::int AS rank,
        round(${SCORES}::int * (
          0.05 + 0.5 * (${matches(sql`e.line`, wholeWords(terms))})::int
          + 0.35 * (${sql.join(" + ", false)(inTitle)}) / ${terms.length}::int
          + 0.1 * (title = ${`${title} `}::text)::int
        ))::int AS score
      FROM (${newest}) AS e CROSS JOIN LATERAL (SELECT left(e.line, strpos(e.line, ${END}::text) - 1)) AS t (title))`
  }

  const search = (
    caller: CallerShape,
    request: SearchRequest,
    ways: ReadonlyArray<SearchWay>,
    after: SearchPosition | null
  ) => {
    const beyond =
      after === null
        ? sql`true`
        : sql`(-score, rank, -id) > (${-after.score}::int, ${after.rank}::int, ${-after.id}::bigint)`
    return rowsOf(FoundRow)(sql`
      WITH ${apps(caller, request)},
      candidates AS (${union(ways.map((way) => candidates(caller, way)))}),
      matches AS (SELECT kind, id, app_id, record_id, rank, max(score) AS score FROM candidates GROUP BY 1, 2, 3, 4, 5),
      page AS MATERIALIZED (
        SELECT * FROM matches WHERE ${beyond} ORDER BY score DESC, rank, id DESC LIMIT ${request.limit + 1}::int
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

  const union = (parts: ReadonlyArray<Statement.Fragment>) =>
    parts.slice(1).reduce((all, one) => sql`${all} UNION ALL ${one}`, parts[0]!)

  return { sample, search }
}

// The statements of a search (developer-api.md 11.1): a sample of the newest entries, by which the way to the others is chosen, and the search
// itself, which asks for the caller's rights as it selects.
import { Schema } from "effect"
import type { Statement } from "effect/sql"
import { rowsOf } from "../../ground/sql/rows.ts"
import type { Sql } from "../../ground/sql/Sql.ts"
import { makeAppLevels } from "../accounts/appLevels.ts"
import { type CallerShape, holds } from "../accounts/Caller.ts"
import { type SearchTerm, tsqueryOf, wholeWords } from "./searchQuery.ts"
import { type EntryKind, entryKindNames, entryKinds, type SearchRequest } from "./searchSchemas.ts"

/** Newest entries of a kind whose words say how frequent those of the query are. */
export const SAMPLE = 2_000
/** Newest matches of a kind that are ranked. */
const RANKED = 1_000
/** Characters of each text in which a snippet is looked for. */
const CHARACTERS = 8_000
/** A score in a cursor is whole. */
export const SCORES = 1_000_000

const Sampled = Schema.Struct({
  kind: Schema.Literals(entryKindNames),
  size: Schema.Int,
  matches: Schema.Int,
  frequencies: Schema.Array(Schema.Int),
  exact_matches: Schema.Int,
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

/** A way to the matches of a kind: through the index by these terms, or from the newest entry on. */
export interface SearchWay {
  readonly kind: EntryKind
  readonly indexed: ReadonlyArray<SearchTerm> | null
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
  const reached = (kind: EntryKind) =>
    sql.literal(
      `e.app_id = ANY((SELECT ${entryKinds[kind].level === 5 ? "administered" : "seen"} FROM app_ids)::bigint[])`
    )

  const queryOf = (caller: CallerShape, kind: EntryKind, terms: ReadonlyArray<SearchTerm>) =>
    sql`${tsqueryOf(`${caller.orgId}${entryKinds[kind].letter}/`, terms)}::tsquery`

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
    const matching = (kind: EntryKind, some: ReadonlyArray<SearchTerm>) =>
      sql`count(*) FILTER (WHERE e.words @@ ${queryOf(caller, kind, some)}`
    const ofKind = (kind: EntryKind) => sql`
      SELECT ${kind}::text AS kind, count(*)::int AS size, ${matching(kind, terms)} AND ${reached(kind)})::int AS matches,
        ARRAY[${sql.csv(terms.map((term) => sql`${matching(kind, [term])})`))}]::int[] AS frequencies,
        ${matching(kind, wholeWords(terms))} AND ${reached(kind)})::int AS exact_matches,
        ARRAY[${sql.csv(wholeWords(terms).map((term) => sql`${matching(kind, [term])})`))}]::int[] AS exact_frequencies
      FROM (
        SELECT words, app_id FROM search_entries WHERE org_id = ${caller.orgId} AND kind = ${kind} ORDER BY id DESC LIMIT ${SAMPLE}::int
      ) AS e`
    return rowsOf(Sampled)(sql`WITH ${apps(caller, request)} ${union(kinds.map(ofKind))}`)
  }

  /** A condition that the planner knows nothing of is not what it reads an index by. */
  const candidates = (caller: CallerShape, { indexed, kind, terms }: SearchWay) => {
    const from =
      indexed === null
        ? sql`e.org_id = ${caller.orgId} AND e.kind = ${kind}`
        : sql`e.words @@ (SELECT ${queryOf(caller, kind, indexed)})`
    const query = queryOf(caller, kind, terms)
    const wholeQuery = queryOf(caller, kind, wholeWords(terms))
    return sql`(
      SELECT e.kind, e.id, e.app_id, e.record_id, ${entryKindNames.indexOf(kind)}::int AS rank,
        round(${SCORES}::int * (ts_rank(e.words, ${query}) + (e.words @@ ${wholeQuery})::int) / 2)::int AS score
      FROM (
        SELECT e.kind, e.id, e.app_id, e.record_id, e.words FROM search_entries e
        WHERE ${from} AND (e.words @@ ${query}) IS TRUE AND ${reached(kind)} ${live(kind)}
        ORDER BY e.id DESC LIMIT ${RANKED}::int
      ) AS e)`
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

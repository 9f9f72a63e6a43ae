// Finds records, comments, automations and apps by their words (developer-api.md 11.1), best first: only what the caller may see, and of the
// kinds that the credential's scopes reach.
import { Context, Effect, Layer, Result } from "effect"
import { ValidationError } from "../../platform/primitives/errors.ts"
import { Cursors } from "../../platform/sealing/Cursors.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { type CallerShape, holds } from "../accounts/Caller.ts"
import { lexemesOf, readQuery, type SearchTerm, wholeWords } from "./searchQuery.ts"
import { makeSearchSample, SAMPLE, type Sampled } from "./searchSample.ts"
import { entryKindNames, entryKinds, type SearchPage, type SearchRequest, type SearchResult } from "./searchSchemas.ts"
import { makeSearchStatement, RANKED, SCORES, SearchPosition, type SearchWay } from "./searchStatement.ts"
import { snippetOf } from "./snippets.ts"

/** A word that is so much more frequent than the rarest one costs more to read in the index than it leaves out. */
const FREQUENT = 6
/** Costs by that of comparing an entry in the order in which they were made: of one of an app, of one that the index names, of a word in it. */
const COSTS = { app: 4, match: 5, word: 0.25 }

type Frequencies = Pick<Sampled, "entries" | "frequencies" | "joint" | "matches" | "reached" | "size">

/** The way to matches that costs least. Words that are in nearly every entry are compared, not looked up. */
export const wayThrough = (
  { entries, frequencies, joint, matches, reached, size }: Frequencies,
  terms: ReadonlyArray<SearchTerm>
): SearchWay["through"] => {
  if (size < SAMPLE) return "newest"
  const rarest = Math.max(1, Math.min(...frequencies))
  const isRare = (_: unknown, n: number) => frequencies[n]! <= FREQUENT * rarest
  const wordEntries = frequencies.filter(isRare).reduce((sum, one) => sum + one, 0)
  const index = (entries / size) * (COSTS.match * joint + COSTS.word * wordEntries)
  const newest = matches === 0 ? entries : Math.min(entries, (RANKED / matches) * size)
  const apps = (entries / size) * COSTS.app * reached
  if (index <= newest && index <= apps) return lexemesOf(terms).filter(isRare)
  return newest <= apps ? "newest" : "apps"
}

/** Ways to what matches, and to what has all terms as whole words: the newest beginnings of words would leave an older title out. */
const waysTo = (sampled: Sampled, terms: ReadonlyArray<SearchTerm>): ReadonlyArray<SearchWay> => {
  const {
    entries,
    exact_frequencies: frequencies,
    exact_joint: joint,
    exact_matches: matches,
    kind,
    reached,
    size
  } = sampled
  const way = { kind, terms, through: wayThrough(sampled, terms) }
  if (size < SAMPLE || terms.every(({ prefix }) => !prefix)) return [way]
  const exactTerms = wholeWords(terms)
  const through = wayThrough({ size, entries, reached, matches, joint, frequencies }, exactTerms)
  return [way, { kind, terms: exactTerms, through }]
}

export class Search extends Context.Service<
  Search,
  { readonly find: (caller: CallerShape, request: SearchRequest) => Effect.Effect<SearchPage, ValidationError> }
>()("millrace/search/Search") {
  static readonly layer = Layer.effect(
    Search,
    Effect.gen(function* () {
      const cursors = yield* Cursors
      const sql = yield* Sql
      const sample = makeSearchSample(sql)
      const search = makeSearchStatement(sql)

      const find = Effect.fn("Search.find")(function* (caller: CallerShape, request: SearchRequest) {
        const { appId, cursor, limit, q, workspaceId } = request
        const read = readQuery(q)
        if (Result.isFailure(read)) return yield* new ValidationError({ message: read.failure })
        const terms = read.success
        const kinds = entryKindNames.filter(
          (kind) => request.kinds.includes(entryKinds[kind].foundAs) && holds(caller, entryKinds[kind].scope)
        )
        const listing = `search/${caller.userId}/${JSON.stringify([appId ?? 0, workspaceId ?? 0, kinds, terms])}`
        const cursorPosition =
          cursor === undefined ? null : (yield* cursors.read(listing, cursor, SearchPosition)).position
        if (terms.length === 0 || kinds.length === 0) return { results: [], cursor: null }
        const ways = (yield* sample(caller, request, kinds, terms)).flatMap((sampled) => waysTo(sampled, terms))
        const rows = yield* search(caller, request, ways, cursorPosition)
        const resultOf = (row: (typeof rows)[number]): SearchResult => {
          const { field_id, snippet } = snippetOf(row.texts ?? [], terms)
          const { foundAs } = entryKinds[row.kind]
          return {
            kind: foundAs,
            id: row.comment_id ?? row.id,
            app_id: row.app_id,
            title: row.title ?? "",
            ...(foundAs === "comment" ? { record_id: row.record_id! } : {}),
            ...(row.kind === "reply" ? { reply_id: row.id } : {}),
            ...(field_id === null ? {} : { field_id }),
            snippet,
            score: Math.min(1, row.score / SCORES)
          }
        }
        // Others have their turn between two results, whose texts may be long.
        const results = yield* Effect.forEach(rows.slice(0, limit), (row) =>
          Effect.andThen(
            Effect.yieldNow,
            Effect.sync(() => resultOf(row))
          )
        )
        if (rows.length <= limit) return { results, cursor: null }
        const { id, rank, score } = rows[limit - 1]!
        return { results, cursor: yield* cursors.issue(listing, { total: 0, position: { score, rank, id } }) }
      }, orSqlDefect)

      return Search.of({ find })
    })
  )
}

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
import {
  makeSearchStatement,
  RANKED,
  SCORES,
  SearchPosition,
  type SearchWay,
  type SearchWays
} from "./searchStatement.ts"
import { snippetOf } from "./snippets.ts"

/**
 * Costs by that of comparing an entry in the order in which they were made: of one of an app, of one that the index names, of an entry in the
 * index that has a word, or a word that begins so.
 */
const COSTS = { app: 4, match: 5, word: 0.08, prefix: 0.5 }
/** Entries that are read for more than the least number of matches: some 15 ms. */
const READ = 20_000

type Frequencies = Pick<Sampled, "entries" | "frequencies" | "joint" | "matches" | "reached" | "size">

/** Words whose entries in the index cost least to read together with what they have in common; the others are compared. */
const lookupOf = ({ frequencies, joint, size }: Frequencies, terms: ReadonlyArray<SearchTerm>) => {
  const words = lexemesOf(terms).map((lexeme, n) => ({ lexeme, frequency: frequencies[n]! }))
  const byFrequency = words.toSorted((one, other) => one.frequency - other.frequency)
  let read = 0
  let matchShare = 1
  let best = { cost: Number.POSITIVE_INFINITY, count: 0 }
  for (const [n, { frequency, lexeme }] of byFrequency.entries()) {
    read += frequency * (lexeme.prefix ? COSTS.prefix : COSTS.word)
    // Words are taken to be independent; one that the sample lacks is in half an entry of it.
    matchShare *= Math.max(frequency, 0.5) / size
    const cost = read + COSTS.match * Math.max(joint, matchShare * size)
    if (cost < best.cost) best = { cost, count: n + 1 }
  }
  const lookupWords = new Set(byFrequency.slice(0, best.count))
  return { cost: best.cost, lexemes: words.filter((word) => lookupWords.has(word)).map(({ lexeme }) => lexeme) }
}

/** The way to matches that costs least. */
export const wayThrough = (
  sampled: Frequencies,
  terms: ReadonlyArray<SearchTerm>
): Pick<SearchWay, "limit" | "through"> => {
  const { entries, matches, reached, size } = sampled
  if (size < SAMPLE) return { through: "newest", limit: RANKED.most }
  const lookup = lookupOf(sampled, terms)
  const index = (entries / size) * lookup.cost
  const limit = Math.max(RANKED.least, Math.min(RANKED.most, Math.floor((READ / size) * matches)))
  const newest = matches === 0 ? entries : Math.min(entries, (limit / matches) * size)
  const apps = (entries / size) * COSTS.app * reached
  if (index <= newest && index <= apps) return { through: lookup.lexemes, limit: RANKED.most }
  return { through: newest <= apps ? "newest" : "apps", limit }
}

/** Ways to what has all terms as whole words, and to what matches: the newest beginnings of words would leave an older title out. */
const waysTo = (sampled: Sampled, terms: ReadonlyArray<SearchTerm>): SearchWays => {
  const {
    entries,
    exact_frequencies: frequencies,
    exact_joint: joint,
    exact_matches: matches,
    kind,
    reached,
    size
  } = sampled
  const way = { terms, ...wayThrough(sampled, terms) }
  if (size < SAMPLE || terms.every(({ prefix }) => !prefix)) return { kind, ways: [way] }
  const exactTerms = wholeWords(terms)
  const exactWay = wayThrough({ size, entries, reached, matches, joint, frequencies }, exactTerms)
  return { kind, ways: [{ terms: exactTerms, ...exactWay }, way] }
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
        const samples = yield* sample(caller, request, kinds, terms)
        const ways = samples.filter(({ size }) => size > 0).map((sampled) => waysTo(sampled, terms))
        if (ways.length === 0) return { results: [], cursor: null }
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

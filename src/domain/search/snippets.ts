// Cuts the part of a text that shows where a search has found something (developer-api.md 11.1).
import { type Word, wordsOf } from "../../platform/text/searchWords.ts"
import type { SearchTerm } from "./searchQuery.ts"

const SNIPPET_AT_MOST = 160
/** Characters before the first word that was searched for. */
const LEAD = 40

/** A text of a result; `field_id`: null if it is no field's. */
export type SearchedText = readonly [field_id: number | null, text: string]

/** Words of one result that are looked at: who writes long texts must not hold up who searches. */
const WORDS_AT_MOST = 1_000

interface Match {
  readonly terms: number
  readonly start: number
  /** Words that were looked at. */
  readonly words: number
}

/** Position in the text at which the term begins, where the last words are those of the term. */
const startOf = ({ prefix, words }: SearchTerm, lastWords: ReadonlyArray<Word>): number | undefined => {
  const firstIndex = lastWords.length - words.length
  if (firstIndex < 0) return undefined
  const isTerm = words.every((word, n) => {
    const other = lastWords[firstIndex + n]!.word
    return prefix && n === words.length - 1 ? other.startsWith(word) : other === word
  })
  return isTerm ? lastWords[firstIndex]!.from : undefined
}

/** How many terms occur in the first words of the text, and where the first of them begins. */
const matchIn = (text: string, terms: ReadonlyArray<SearchTerm>, wordsAtMost: number): Match => {
  const longest = Math.max(...terms.map(({ words }) => words.length))
  const starts = new Map<SearchTerm, number>()
  const lastWords: Array<Word> = []
  let count = 0
  for (const word of wordsOf(text)) {
    lastWords.push(word)
    if (lastWords.length > longest) lastWords.shift()
    for (const term of terms) {
      const start = starts.has(term) ? undefined : startOf(term, lastWords)
      if (start !== undefined) starts.set(term, start)
    }
    if (++count >= wordsAtMost || starts.size === terms.length) break
  }
  return { terms: starts.size, start: Math.min(...starts.values()), words: count }
}

/** Whole characters: no half of a surrogate pair at the ends. */
const cut = (text: string, from: number, to: number) =>
  text
    .slice(from, to)
    .replace(/^[\udc00-\udfff]/u, "")
    .replace(/[\ud800-\udbff]$/u, "")

const snippetAt = (text: string, at: number) => {
  const blank = text.lastIndexOf(" ", Math.max(0, at - LEAD))
  const from = at <= LEAD ? 0 : at - LEAD < 1 || blank < at - 2 * LEAD ? at - LEAD : blank + 1
  const part = cut(text, from, from + SNIPPET_AT_MOST)
    .replaceAll(/\s+/g, " ")
    .trim()
  return `${from > 0 ? "…" : ""}${part}${from + SNIPPET_AT_MOST < text.length ? "…" : ""}`
}

/** Snippet of the text with most of the terms, the first of several; empty where only the title has them, or what is far behind. */
export const snippetOf = (
  texts: ReadonlyArray<SearchedText>,
  terms: ReadonlyArray<SearchTerm>
): { readonly field_id: number | null; readonly snippet: string } => {
  let best: { readonly match: Match; readonly searchedText: SearchedText } | undefined
  let wordsLeft = WORDS_AT_MOST
  for (const searchedText of texts) {
    if (wordsLeft <= 0) break
    const match = matchIn(searchedText[1], terms, wordsLeft)
    wordsLeft -= match.words
    if (match.terms > (best?.match.terms ?? 0)) best = { match, searchedText }
    if (match.terms === terms.length) break
  }
  return best === undefined
    ? { field_id: null, snippet: "" }
    : { field_id: best.searchedText[0], snippet: snippetAt(best.searchedText[1], best.match.start) }
}

// Cuts the part of a text that shows where a search has found something (developer-api.md 11.1).
import { type Word, wordsOf } from "../../ground/text/searchWords.ts"
import type { SearchTerm } from "./searchQuery.ts"

const SNIPPET_AT_MOST = 160
/** Characters before the first word that was searched for. */
const LEAD = 40

/** A text of a result; `field_id`: null if it is no field's. */
export type SearchedText = readonly [field_id: number | null, text: string]

interface Match {
  readonly terms: number
  readonly at: number
}

/** How many terms occur in the text, and where the first of them begins. */
const matchIn = (text: string, terms: ReadonlyArray<SearchTerm>): Match => {
  const words: ReadonlyArray<Word> = [...wordsOf(text)]
  const starts = terms.flatMap((term) => {
    const last = term.words.length - 1
    const start = words.findIndex((_, from) =>
      term.words.every((word, n) => {
        const other = words[from + n]?.word
        return other !== undefined && (term.prefix && n === last ? other.startsWith(word) : other === word)
      })
    )
    return start === -1 ? [] : [words[start]!.from]
  })
  return { terms: starts.length, at: Math.min(...starts) }
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

/** Snippet of the text with most of the terms, the first of several; empty where only the title has them. */
export const snippetOf = (
  texts: ReadonlyArray<SearchedText>,
  terms: ReadonlyArray<SearchTerm>
): { readonly field_id: number | null; readonly snippet: string } => {
  let best: { readonly match: Match; readonly of: SearchedText } | undefined
  for (const of of texts) {
    const match = matchIn(of[1], terms)
    if (match.terms > (best?.match.terms ?? 0)) best = { match, of }
    if (match.terms === terms.length) break
  }
  return best === undefined
    ? { field_id: null, snippet: "" }
    : { field_id: best.of[0], snippet: snippetAt(best.of[1], best.match.at) }
}

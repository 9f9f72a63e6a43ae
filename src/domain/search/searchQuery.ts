// Reads what people type into a search (developer-api.md 11.1): words and "phrases". Whatever stands between words separates them; none of
// it has a meaning to Postgres.
import { Result } from "effect"
import { wordsIn } from "../../platform/text/searchWords.ts"

export const QUERY_AT_MOST = 200
const WORDS_AT_MOST = 60

/** Words that follow each other; where `prefix`, the last one begins a word of the text. */
export interface SearchTerm {
  readonly words: ReadonlyArray<string>
  readonly prefix: boolean
}

/** A phrase in quotes, which may lack its end while it is being typed, or what stands between blanks. */
const part = /"([^"]*)("|$)|[^\s"]+/gu

/** Terms that must all occur; none where the text has no word. A text like `DLV-0014` is a phrase too. */
export const readQuery = (text: string): Result.Result<ReadonlyArray<SearchTerm>, string> => {
  const terms: Array<SearchTerm> = []
  let count = 0
  for (const { 0: plain, 1: quoted, 2: end } of text.normalize("NFC").matchAll(part)) {
    const words = wordsIn(quoted ?? plain)
    count += words.length
    if (words.length > 0) terms.push({ words, prefix: end !== '"' })
  }
  return count > WORDS_AT_MOST
    ? Result.fail(`q: has ${count} words; a search takes ${WORDS_AT_MOST} at most.`)
    : Result.succeed(terms)
}

/** A word of a query as the index knows it: alone, whatever stands beside it in a phrase. */
export interface Lexeme {
  readonly word: string
  readonly prefix: boolean
}

/** The terms without prefixes. */
export const wholeWords = (terms: ReadonlyArray<SearchTerm>): ReadonlyArray<SearchTerm> =>
  terms.map((term) => ({ ...term, prefix: false }))

/** The different words of the terms. */
export const lexemesOf = (terms: ReadonlyArray<SearchTerm>): ReadonlyArray<Lexeme> => {
  const lexemes = terms.flatMap(({ prefix, words }) =>
    words.map((word, n): Lexeme => ({ word, prefix: prefix && n === words.length - 1 }))
  )
  return [...new Map(lexemes.map((lexeme) => [`${lexeme.word} ${lexeme.prefix}`, lexeme])).values()]
}

/** Query as Postgres reads it. Words hold nothing that would have to be escaped. @param place stands before each word in the index */
export const tsqueryOf = (place: string, lexemes: ReadonlyArray<Lexeme>): string =>
  lexemes.map(({ prefix, word }) => `'${place}${word}'${prefix ? ":*" : ""}`).join(" & ")

/** Term as it stands in a line of words, with a blank before and behind each. */
export const inLine = ({ prefix, words }: SearchTerm): string => ` ${words.join(" ")}${prefix ? "" : " "}`

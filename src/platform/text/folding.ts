// Folds text (decisions A25): `foldCase` removes differences of case, `fold` those of case and accents. SQL folds by the same table
// (migration 0059), so that a record filter and an automation's condition give the same answer. Texts are in NFC.
import { ACCENTS, CASES, MARKS } from "./foldingTable.ts"

type Folds = ReadonlyMap<string, string>

const read = (table: string): Map<string, string> => {
  const replacements = new Map<string, string>()
  for (const entry of table.trim().split(/\s+/)) {
    const equalsIndex = entry.indexOf("=")
    for (const character of entry.slice(equalsIndex + 1)) replacements.set(character, entry.slice(0, equalsIndex))
  }
  return replacements
}

const cases: Folds = read(CASES)

const bare = ((): Folds => {
  const letters = read(ACCENTS)
  for (const [first, last] of MARKS)
    for (let code = first; code <= last; code++) letters.set(String.fromCodePoint(code), "")
  const without = (text: string) => [...text].map((character) => letters.get(character) ?? character).join("")
  return new Map([...letters, ...[...cases].map(([character, folded]) => [character, without(folded)] as const)])
})()

/** Characters beyond ASCII that have a folding, by what they become. */
export const foldings = { case: cases, all: bare }

/** Ranges of all characters with a folding, for the database: it does not look at others one by one. */
export const FOLDED_RANGES: ReadonlyArray<readonly [number, number]> = [
  [0xb5, 0x587],
  [0x10a0, 0x10cd],
  [0x13a0, 0x13f5],
  [0x1ab0, 0x22ed],
  [0x24b6, 0x24cf],
  [0x2adc, 0x2cf2],
  [0xa640, 0xa7f5],
  [0xfb00, 0xfb17],
  [0xfe20, 0xff3a],
  [0x10400, 0x105e4],
  [0x10c80, 0x10d65],
  [0x118a0, 0x118bf],
  [0x16e40, 0x16eb8],
  [0x1e900, 0x1e921]
]

/** Ranges as in `FOLDED_RANGES`, as a pattern. */
const folded =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: ranges of characters, combining ones among them
  /[A-Z\u{b5}-\u{587}\u{10a0}-\u{10cd}\u{13a0}-\u{13f5}\u{1ab0}-\u{22ed}\u{24b6}-\u{24cf}\u{2adc}-\u{2cf2}\u{a640}-\u{a7f5}\u{fb00}-\u{fb17}\u{fe20}-\u{ff3a}\u{10400}-\u{105e4}\u{10c80}-\u{10d65}\u{118a0}-\u{118bf}\u{16e40}-\u{16eb8}\u{1e900}-\u{1e921}]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII as a whole
const ascii = /^[\u0000-\u007f]*$/

const by =
  (folds: Folds) =>
  (text: string): string =>
    ascii.test(text) ? text.toLowerCase() : text.replaceAll(folded, (character) => folds.get(character) ?? character)

export const foldCase = by(cases)
export const fold = by(bare)

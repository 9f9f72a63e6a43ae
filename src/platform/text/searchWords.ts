// Splits text into words for search (developer-api.md 11.1): folded (decisions A25), without case and accents; full-width and other forms of a
// letter are that letter, and vowel points and soft hyphens do not count. SQL splits by the same ranges (`sql/searchFunctions.ts`), so that what
// a query names is what the index holds. The locale of the database has no say.
import { fold } from "./folding.ts"

type Ranges = ReadonlyArray<readonly [first: number, last: number]>

/** Characters between words: blanks, punctuation, symbols, controls. SQL has all tables here from its migration. */
export const SEPARATORS: Ranges = [
  [0x1, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x60],
  [0x7b, 0xa9],
  [0xab, 0xb1],
  [0xb4, 0xb4],
  [0xb6, 0xb8],
  [0xbb, 0xbb],
  [0xbf, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x2d8, 0x2dd],
  [0x37e, 0x37e],
  [0x384, 0x385],
  [0x387, 0x387],
  [0x55a, 0x55f],
  [0x589, 0x58a],
  [0x5be, 0x5be],
  [0x5c0, 0x5c0],
  [0x5c3, 0x5c3],
  [0x5f3, 0x5f4],
  [0x60c, 0x60d],
  [0x61b, 0x61f],
  [0x66a, 0x66d],
  [0x6d4, 0x6d4],
  [0x964, 0x965],
  [0xe4f, 0xe4f],
  [0xe5a, 0xe5b],
  [0x104a, 0x104f],
  [0x10fb, 0x10fb],
  [0x1360, 0x1368],
  [0x17d4, 0x17da],
  [0x1fbd, 0x1fbd],
  [0x1fbf, 0x1fc1],
  [0x1fcd, 0x1fcf],
  [0x1fdd, 0x1fdf],
  [0x1fed, 0x1fef],
  [0x1ffd, 0x1ffe],
  [0x2000, 0x2070],
  [0x20a0, 0x20cf],
  [0x2190, 0x245f],
  [0x249c, 0x24ff],
  [0x2500, 0x2bff],
  [0x2e00, 0x2e7f],
  [0x3000, 0x3004],
  [0x3008, 0x3020],
  [0x3030, 0x3030],
  [0x303d, 0x303f],
  [0x309b, 0x309c],
  [0x30a0, 0x30a0],
  [0x30fb, 0x30fb],
  [0xe000, 0xf8ff],
  [0xfe10, 0xfe1f],
  [0xfe30, 0xfe6f],
  [0xfeff, 0xfeff],
  [0xff01, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
  [0xffe0, 0xffff],
  [0x1f000, 0x1faff]
]

/** Letters of scripts that put no blanks between words: each is a word of its own, and several in a row are a phrase. */
export const UNSPACED: Ranges = [
  [0xe01, 0xe4e],
  [0xe81, 0xeff],
  [0x1000, 0x1049],
  [0x1780, 0x17d3],
  [0x3041, 0x309a],
  [0x309d, 0x309f],
  [0x30a1, 0x30fa],
  [0x30fc, 0x30ff],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0xff66, 0xff9f],
  [0x20000, 0x3fffd]
]

/** Ranges in which characters stand for others (NFKC), of Unicode 16, so that runtime and database agree on them. */
export const FORMS: Ranges = [
  [0xa8, 0xbe],
  [0x132, 0x149],
  [0x17f, 0x17f],
  [0x1c4, 0x1cc],
  [0x1f1, 0x1f3],
  [0x2b0, 0x2e4],
  [0x37a, 0x37a],
  [0x384, 0x385],
  [0x3d0, 0x3f9],
  [0x587, 0x587],
  [0x675, 0x678],
  [0xe33, 0xe33],
  [0xeb3, 0xeb3],
  [0xedc, 0xedd],
  [0xf0c, 0xf0c],
  [0xf77, 0xf79],
  [0x10fc, 0x10fc],
  [0x1d2c, 0x1dbf],
  [0x1e9a, 0x1e9b],
  [0x1fbd, 0x1ffe],
  [0x2017, 0x2017],
  [0x203e, 0x203e],
  [0x2070, 0x209c],
  [0x20a8, 0x20a8],
  [0x2100, 0x2189],
  [0x2460, 0x24ea],
  [0x2c7c, 0x2c7d],
  [0x2d6f, 0x2d6f],
  [0x2e9f, 0x2fd5],
  [0x3036, 0x303a],
  [0x309b, 0x309f],
  [0x30ff, 0x30ff],
  [0x3131, 0x33ff],
  [0xa69c, 0xa69d],
  [0xa770, 0xa770],
  [0xa7f2, 0xa7f9],
  [0xab5c, 0xab69],
  [0xfb00, 0xfdfc],
  [0xfe49, 0xffe6],
  [0x10781, 0x107ba],
  [0x1ccd6, 0x1ccf9],
  [0x1d400, 0x1d7ff],
  [0x1e030, 0x1e06d],
  [0x1ee00, 0x1eebb],
  [0x1f100, 0x1f190],
  [0x1f200, 0x1f251],
  [0x1fbf0, 0x1fbf9]
]

/** Characters that do not count: soft hyphens, points and vowels of Hebrew and Arabic. */
export const SILENT: Ranges = [
  [0xad, 0xad],
  [0x591, 0x5bd],
  [0x5bf, 0x5bf],
  [0x5c1, 0x5c2],
  [0x5c4, 0x5c5],
  [0x5c7, 0x5c7],
  [0x610, 0x61a],
  [0x640, 0x640],
  [0x64b, 0x65f],
  [0x670, 0x670],
  [0x6d6, 0x6dc],
  [0x6df, 0x6e4],
  [0x6e7, 0x6e8],
  [0x6ea, 0x6ed]
]

const classOf = (ranges: Ranges) =>
  ranges.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join("")

const separated = new RegExp(`[^${classOf(SEPARATORS)}]+`, "gu")
const unspaced = new RegExp(`[${classOf(UNSPACED)}]`, "gu")

/** A word, folded, and the part of the text that it comes from. */
export interface Word {
  readonly word: string
  readonly from: number
  readonly to: number
}

const piecesOf = (folded: string): ReadonlyArray<string> => folded.replaceAll(unspaced, " $& ").match(separated) ?? []

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII as a whole
const ascii = /^[\u0000-\u007f]*$/

/** The words alone; nearly all texts are spared what other scripts need. */
export const wordsIn = (text: string): ReadonlyArray<string> =>
  ascii.test(text) ? (text.toLowerCase().match(/[a-z0-9]+/g) ?? []) : Array.from(wordsOf(text), ({ word }) => word)

/** Voiced marks belong to the letter before them, and jamo to each other. */
const form = new RegExp(
  `[^]?[\\u3099\\u309a\\uff9e\\uff9f]+|[\\u3131-\\u318e\\uffa0-\\uffdc]+|[${classOf(FORMS)}]|[${classOf(SILENT)}]`,
  "gu"
)
const silent = new RegExp(`[${classOf(SILENT)}]`, "gu")

/** The words of a text in their order. */
export function* wordsOf(text: string): Generator<Word> {
  if (text.search(form) < 0) {
    yield* plainWordsOf(text)
    return
  }
  let plainText = ""
  /** Begin and end of each character of `plain` in the text. */
  const starts: Array<number> = []
  const endPositions: Array<number> = []
  const append = (part: string, from: number, to: number | undefined) => {
    plainText += part
    for (let n = 0; n < part.length; n++) {
      starts.push(to === undefined ? from + n : from)
      endPositions.push(to ?? from + n + 1)
    }
  }
  let end = 0
  for (const { 0: character, index } of text.matchAll(form)) {
    append(text.slice(end, index), end, undefined)
    end = index + character.length
    append(character.normalize("NFKC").replaceAll(silent, ""), index, end)
  }
  append(text.slice(end), end, undefined)
  for (const { from, to, word } of plainWordsOf(plainText))
    yield { word, from: starts[from]!, to: endPositions[to - 1]! }
}

function* plainWordsOf(text: string): Generator<Word> {
  for (const { 0: run, index } of text.matchAll(separated)) {
    const letters = [...run.matchAll(unspaced)]
    if (letters.length === 0) {
      for (const word of piecesOf(fold(run))) yield { word, from: index, to: index + run.length }
      continue
    }
    // Each letter has a place of its own, and so has what stands between two.
    let from = 0
    const parts = letters.flatMap(({ 0: letter, index: at }) => {
      const between = [from, at] as const
      from = at + letter.length
      return [between, [at, from] as const]
    })
    for (const [start, end] of [...parts, [from, run.length] as const])
      for (const word of piecesOf(fold(run.slice(start, end)))) yield { word, from: index + start, to: index + end }
  }
}

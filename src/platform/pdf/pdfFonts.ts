// Finds scripts for which no font is installed: the browser silently draws a box for each of their letters. One letter of each script in a
// document is drawn once per process, next to one that no font has.
import { Effect } from "effect"
import type { Browser } from "puppeteer-core"
import { makeGivingWay } from "../primitives/slices.ts"
import type { PdfDefinition } from "./pdfDocument.ts"

/** Letter of each script; scripts that are not listed are not checked. */
const scripts: ReadonlyArray<readonly [name: string, letter: string, has: RegExp]> = [
  ["Arabic", "\u0639", /\p{Script=Arabic}/u],
  ["Armenian", "\u0531", /\p{Script=Armenian}/u],
  ["Bengali", "\u0995", /\p{Script=Bengali}/u],
  ["Chinese", "\u8bf7", /\p{Script=Han}/u],
  ["Cyrillic", "\u0416", /\p{Script=Cyrillic}/u],
  ["Devanagari", "\u0939", /\p{Script=Devanagari}/u],
  ["emoji", "\u{1f600}", /\p{Emoji_Presentation}/u],
  ["Ethiopic", "\u1200", /\p{Script=Ethiopic}/u],
  ["Georgian", "\u10d0", /\p{Script=Georgian}/u],
  ["Greek", "\u03a9", /\p{Script=Greek}/u],
  ["Gujarati", "\u0a95", /\p{Script=Gujarati}/u],
  ["Gurmukhi", "\u0a15", /\p{Script=Gurmukhi}/u],
  ["Hebrew", "\u05d0", /\p{Script=Hebrew}/u],
  ["Japanese", "\u3042", /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["Kannada", "\u0c95", /\p{Script=Kannada}/u],
  ["Khmer", "\u1780", /\p{Script=Khmer}/u],
  ["Korean", "\ud55c", /\p{Script=Hangul}/u],
  ["Lao", "\u0e81", /\p{Script=Lao}/u],
  ["Malayalam", "\u0d15", /\p{Script=Malayalam}/u],
  ["Myanmar", "\u1000", /\p{Script=Myanmar}/u],
  ["Sinhala", "\u0d9a", /\p{Script=Sinhala}/u],
  ["Tamil", "\u0b95", /\p{Script=Tamil}/u],
  ["Telugu", "\u0c15", /\p{Script=Telugu}/u],
  ["Thai", "\u0e01", /\p{Script=Thai}/u],
  ["Tibetan", "\u0f40", /\p{Script=Tibetan}/u]
]
type Script = (typeof scripts)[number]

const PIECE = 64 * 1024
const texts = [
  "pdf_body",
  "pdf_header",
  "pdf_header_following_pages",
  "pdf_footer",
  "pdf_footer_following_pages"
] as const satisfies ReadonlyArray<keyof PdfDefinition>

/** Characters written as numeric references. */
const numbered = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi
const decodeReferences = (text: string) =>
  text.replace(numbered, (sign, hexadecimal: string | undefined, decimal: string) => {
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : sign
  })

/** Scripts with at least one letter in the document. Searches in slices (decisions P8). */
export const scriptsOf = Effect.fnUntraced(function* (definition: PdfDefinition) {
  const giveWay = makeGivingWay()
  const usedScripts = new Set<Script>()
  for (const name of texts)
    for (let from = 0; from < definition[name].length; from += PIECE) {
      const text = decodeReferences(definition[name].slice(from, from + PIECE))
      if (/[\u0300-\uffff]/.test(text))
        for (const script of scripts) if (!usedScripts.has(script) && script[2].test(text)) usedScripts.add(script)
      yield* giveWay
    }
  return [...usedScripts]
})

/** Code point without an assigned letter, so that no font has it. */
const NO_LETTER = "\u0378"

/** Draws the letters in a page of its own and finds those that look like one that no font has. Runs in the browser. */
const drawn = (letters: ReadonlyArray<string>, noLetter: string): ReadonlyArray<string> => {
  const page = globalThis as any
  const context = Object.assign(page.document.createElement("canvas"), { width: 48, height: 48 }).getContext("2d", {
    willReadFrequently: true
  })
  context.font = "32px sans-serif"
  const picture = (letter: string) => {
    context.clearRect(0, 0, 48, 48)
    context.fillText(letter, 4, 36)
    return context.getImageData(0, 0, 48, 48).data.join()
  }
  const box = picture(noLetter)
  return letters.filter((letter) => picture(letter) === box)
}

const findMissingLetters = async (browser: Browser, letters: ReadonlyArray<string>): Promise<ReadonlySet<string>> => {
  const context = await browser.createBrowserContext()
  try {
    const page = await context.newPage()
    return new Set(await page.evaluate(drawn, letters, NO_LETTER))
  } finally {
    await context.close()
  }
}

/** Remembers the results: fonts do not change while the process runs. */
export const makeScriptFonts = () => {
  const missingByScript = new Map<Script, boolean>()
  return {
    /** Names of the scripts without a font. If the check fails it reports none: the document is printed. */
    missing: (browser: Browser, asked: ReadonlyArray<Script>): Effect.Effect<ReadonlyArray<string>> =>
      Effect.gen(function* () {
        const unknown = asked.filter((script) => !missingByScript.has(script))
        if (unknown.length > 0) {
          const boxes = yield* Effect.tryPromise(() =>
            findMissingLetters(
              browser,
              unknown.map(([, letter]) => letter)
            )
          )
          for (const script of unknown) missingByScript.set(script, boxes.has(script[1]))
        }
        return asked.filter((script) => missingByScript.get(script) === true).map(([name]) => name)
      }).pipe(
        Effect.catchCause((cause) =>
          Effect.as(Effect.logWarning("The fonts of the browser could not be looked at", cause), [])
        )
      )
  }
}

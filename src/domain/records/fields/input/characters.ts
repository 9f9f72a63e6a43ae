// Texts of people: one spelling for equal-looking texts (NFC), and lengths in characters as people count them, so that a family of emojis
// is one (developer-api.md 3.2). Far too long texts are not counted.
import { normalForm } from "../../../../platform/text/normalForm.ts"

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" })

/** Code units that one character may take before a text counts as too long whatever it shows. */
const UNITS_EACH = 12
/** Above it characters are code points: segmenting so much would take too long. */
const SEGMENTED_AT_MOST = 25_000

const countOf = (parts: Iterable<unknown>, most: number): number => {
  let count = 0
  for (const _ of parts) if (++count > most) return count
  return count
}

/** True if the text has more than `max` characters. */
export const isLonger = (text: string, max: number): boolean => {
  if (text.length <= max) return false
  if (max > SEGMENTED_AT_MOST) return text.length > 2 * max || countOf(text, max) > max
  return text.length > UNITS_EACH * max || countOf(segmenter.segment(text), max) > max
}

/** The one spelling in which texts are kept and compared. */
export const spelled = (text: string): string => normalForm(text, "NFC")

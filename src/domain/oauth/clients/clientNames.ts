// Sanitizes names shown to people: a name chosen by a stranger may not hide, reverse or flood the text around it (decisions O8, O24).
import { limits } from "../../connections/oauthLimits.ts"

/** Controls, bidirectional marks, joiners, fillers, variation selectors, tags: whatever is drawn as nothing. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
/** Blanks of any width, and the Braille cell without dots. */
const blanks = /[\p{Zs}\u2800]+/gu
/** More marks on one letter than any script writes: they would climb over the lines round it. */
const floods = /(\p{M}{4})\p{M}+/gu
const leadingMarks = /^\p{M}+/u

export const showable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\t\n\r]/g, " ")
    .replace(invisible, "")
    .replace(blanks, " ")
    .trim()
    .replace(floods, "$1")
    .replace(leadingMarks, "")

const characters = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Visible characters, as people count them. */
export const visibleCharacters = (text: string): number => [...characters.segment(text)].length

/** A client's name as it may be shown, cut to its length; undefined when nothing of it can be seen. */
export const clientName = (text: string): string | undefined => {
  const name = showable(text)
  const segments = Array.from(characters.segment(name), ({ segment }) => segment)
  return name === "" ? undefined : segments.slice(0, limits.clientNameCharacters).join("").trim()
}

/** The name as it is kept; null when none was sent, undefined when nothing of it can be seen (decisions O24). */
export const registeredName = (sent: string | undefined): string | null | undefined =>
  sent === undefined || sent === "" ? null : clientName(sent)

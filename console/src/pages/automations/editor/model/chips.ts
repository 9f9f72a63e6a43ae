// Text with references as one line of characters: each reference stands as one character of a private plane, the same wherever it is used on
// the page, so that it is typed around, copied and deleted as a letter is (service.md 2.7 "Dynamic values").
import type { Reference } from "./definition.ts"

export type Part = string | Reference

const FIRST = 0xf0000
const LAST = 0xffffd
const CHIP = /[\u{F0000}-\u{FFFFD}]/u
const CHIPS = /([\u{F0000}-\u{FFFFD}])/u

const knownReferences: Array<Reference> = []
const indexByName = new Map<string, number>()

export const chipOf = (reference: Reference): string => {
  const name = JSON.stringify(reference)
  const chipIndex = indexByName.get(name) ?? knownReferences.push(reference) - 1
  indexByName.set(name, chipIndex)
  return String.fromCodePoint(Math.min(FIRST + chipIndex, LAST))
}

/** Reference that a character stands for, if any. */
export const referenceOf = (character: string): Reference | undefined =>
  knownReferences[(character.codePointAt(0) ?? 0) - FIRST]

export const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : Array.isArray(value)
      ? value.map((part: Part) => (typeof part === "string" ? part : chipOf(part))).join("")
      : ""

/** Characters that came from another page, where they stood for something else, are left out. */
export const partsOf = (text: string): ReadonlyArray<Part> =>
  text.split(CHIPS).flatMap((piece): ReadonlyArray<Part> => {
    if (piece === "") return []
    if (!CHIP.test(piece)) return [piece]
    const reference = referenceOf(piece)
    return reference === undefined ? [] : [reference]
  })

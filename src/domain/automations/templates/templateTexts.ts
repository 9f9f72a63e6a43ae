// Template values as text with placeholders, and back (our extension, docs/api.md "Short templates"): a text stands for its literal parts and
// references in order, a list for the parts of each of its texts. Pure, so that the console shares it.
import { literalText, placeholdersIn } from "./placeholders.ts"
import type { ResolvePath } from "./references.ts"
import type { ShortForm } from "./shortForms.ts"
import type { ValueObject } from "./unknownName.ts"

export type Part = string | ValueObject

/** @param onMistake called for each placeholder that cannot be read, with its position in the text, from 0 */
export const partsOfText = (
  text: string,
  resolve: ResolvePath,
  onMistake: (message: string, position: number) => void
): ReadonlyArray<Part> => {
  const placeholders = placeholdersIn(text)
  if (placeholders.length === 0) return [text]
  const parts: Array<Part> = []
  const addText = (literal: string) => {
    const previous = parts.at(-1)
    if (typeof previous === "string") parts[parts.length - 1] = previous + literal
    else if (literal !== "") parts.push(literal)
  }
  let end = 0
  for (const { content, from, to } of placeholders) {
    addText(text.slice(end, from))
    end = to
    if ("text" in content) addText(content.text)
    else {
      const resolved = "mistake" in content ? content : resolve(content.path, content.as)
      if ("value" in resolved) parts.push(resolved.value)
      else onMistake(resolved.mistake, from)
    }
  }
  addText(text.slice(end))
  return parts.length === 0 ? [""] : parts
}

/** Returns one text wherever it reads as these parts; parts that it cannot hold are entries of a list. */
export const textOfParts = (parts: ReadonlyArray<Part>, shortForm: ShortForm): string | ReadonlyArray<Part> => {
  const shortForms = parts.map((part) => (typeof part === "string" ? undefined : shortForm(part)))
  const isShort = (index: number) => shortForms[index] !== undefined
  const entries: Array<Part> = []
  for (const [index, part] of parts.entries()) {
    const entry = typeof part === "string" ? literalText(part, !isShort(index + 1)) : (shortForms[index] ?? part)
    const previous = entries.at(-1)
    // Two literal texts stay two, and an empty one stays one.
    const isJoined = (isShort(index) || isShort(index - 1)) && part !== "" && parts[index - 1] !== ""
    if (isJoined && typeof previous === "string" && typeof entry === "string")
      entries[entries.length - 1] = previous + entry
    else entries.push(entry)
  }
  const [only, ...more] = entries
  return typeof only === "string" && more.length === 0 ? only : entries
}

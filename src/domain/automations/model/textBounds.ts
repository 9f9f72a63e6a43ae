// How long what a step composes may be (decisions P7, P8): whoever writes a reference a thousand times into one template makes of a long
// value a text of hundreds of millions of characters, in the process of all.
import { StepFailed } from "./StepFailed.ts"

/** A value: a field's, a comment's, an argument's, an address. */
export const VALUE_CHARS = 2 * 1024 * 1024
/** What is sent or shown: bodies, mails, pages, printed texts; all arguments of a call. */
export const LONG_CHARS = 5 * 1024 * 1024
/** A page, with all that steps have added to it: each commit that adds to it writes all of it anew. */
export const PAGE_CHARS = 2 * 1024 * 1024

export const tooLong = (what: string, most: number): StepFailed =>
  new StepFailed({ message: `${what} longer than ${most} characters.` })

/** The texts of the parts, each made only while there is room; null: longer than `most`. */
export const written = <A>(
  parts: ReadonlyArray<A>,
  write: (part: A) => string,
  most: number
): ReadonlyArray<string> | null => {
  const texts: Array<string> = []
  let chars = 0
  for (const part of parts) {
    const text = write(part)
    chars += text.length
    if (chars > most) return null
    texts.push(text)
  }
  return texts
}

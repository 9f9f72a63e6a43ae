// Maximum lengths of texts that a step composes (decisions P7, P8). A template that uses the reference to a long value a thousand times
// would otherwise build a text of hundreds of millions of characters, in a process that all organizations share.
import { StepFailed } from "./StepFailed.ts"

/** Value of a field, a comment, an argument or an address. */
export const VALUE_CHARS = 2 * 1024 * 1024
/** Text that is sent or shown: bodies, mails, pages, printed texts; all arguments of a call. */
export const LONG_CHARS = 5 * 1024 * 1024
/** Page with everything that steps have added to it: each commit that adds to it rewrites all of it. */
export const PAGE_CHARS = 2 * 1024 * 1024

export const tooLong = (what: string, most: number): StepFailed =>
  new StepFailed({ message: `${what} longer than ${most} characters.` })

/** Returns the texts of the parts, or null if together they are longer than `most`. It stops composing at that length. */
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

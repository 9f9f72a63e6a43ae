// "Did you mean …": finds the valid name nearest to a mistaken one. One helper for the API, MCP and the command line.

/** Number of letters that differ, or more than `most` where that many do. */
const distance = (a: string, b: string, most: number): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    if (Math.min(...next) > most) return most + 1
    row = next
  }
  return row[b.length]!
}

/** Longest text that is compared; anything longer is no name. */
const MAX_LENGTH = 80

/** Most names that a mistaken one is compared with: the work is bounded, whoever provides them. */
const MAX_NAMES = 2_000

/** Spelling without case, blanks and hyphens; `camelCase` and `snake_case` are equal. */
const spelled = (text: string) =>
  text
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")

/** Name most like `text`, or undefined when none is close. @param most letters that may differ: a third, or two, unless given */
export const nearest = (
  text: string,
  names: ReadonlyArray<string>,
  most = Math.max(2, Math.floor(text.length / 3))
): string | undefined => {
  if (text.length > MAX_LENGTH) return undefined
  const spelledText = spelled(text)
  let best: string | undefined
  let least = most + 1
  for (const name of names.slice(0, MAX_NAMES)) {
    if (Math.abs(name.length - spelledText.length) >= least) continue
    const spellings = new Set([spelled(name), name.toLowerCase()])
    const d = Math.min(...[...spellings].map((spelling) => distance(spelledText, spelling, least)))
    if (d < least) {
      best = name
      least = d
    }
  }
  return best
}

/** Text `; did you mean "put"?`, or an empty one if no name is close. */
export const nearestHint = (text: string, names: ReadonlyArray<string>): string => {
  const close = nearest(text, names)
  return close === undefined ? "" : `; did you mean ${JSON.stringify(close)}?`
}

/** Text `"post" is not allowed here; allowed: "get", "put"; did you mean "put"?` */
export const unknownToken = (text: string, tokens: ReadonlyArray<string>): string => {
  const quotedText = text.length > MAX_LENGTH ? "the text" : JSON.stringify(text)
  return `${quotedText} is not allowed here; allowed: ${tokens.map((token) => JSON.stringify(token)).join(", ")}${nearestHint(text, tokens)}`
}

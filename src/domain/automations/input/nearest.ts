// "Did you mean …": the valid token nearest to a mistaken one.

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}

/** Longest text that is compared; anything longer is no token. */
const MAX_LENGTH = 80

/** The token most like `text`, or undefined when none is close. */
export const nearest = (text: string, tokens: ReadonlyArray<string>): string | undefined => {
  if (text.length > MAX_LENGTH) return undefined
  const wanted = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")
  let best: string | undefined
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const token of tokens) {
    const d = distance(wanted, token.toLowerCase())
    if (d < least) {
      best = token
      least = d
    }
  }
  return best
}

/** `"post" is none of "get", "put"; did you mean "put"?` */
export const unknownToken = (text: string, tokens: ReadonlyArray<string>): string => {
  const close = nearest(text, tokens)
  const shown = text.length > MAX_LENGTH ? "the text" : JSON.stringify(text)
  const hint = close === undefined ? "" : `; did you mean ${JSON.stringify(close)}?`
  return `${shown} is not allowed here; allowed: ${tokens.map((token) => JSON.stringify(token)).join(", ")}${hint}`
}

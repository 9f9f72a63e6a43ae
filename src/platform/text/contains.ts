// Tests whether a text contains another, in linear time whatever both are (decisions P8). The runtime's own search compares a long one that
// nearly matches everywhere again and again: seconds for two texts of a hundred thousand characters.

/** Longest text that needs no special search: it takes no time, however repetitive. */
const SHORT = 64

/** Length of the longest end of each beginning of `wanted` that is itself a beginning (Knuth, Morris, Pratt). */
const bordersOf = (wanted: string) => {
  const borders = new Int32Array(wanted.length)
  for (let index = 1, held = 0; index < wanted.length; index++) {
    const code = wanted.charCodeAt(index)
    while (held > 0 && wanted.charCodeAt(held) !== code) held = borders[held - 1]!
    if (wanted.charCodeAt(held) === code) held++
    borders[index] = held
  }
  return borders
}

export const contains = (text: string, wanted: string): boolean => {
  if (wanted.length <= SHORT) return text.includes(wanted)
  if (wanted.length > text.length) return false
  const borders = bordersOf(wanted)
  for (let index = 0, held = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    while (held > 0 && wanted.charCodeAt(held) !== code) held = borders[held - 1]!
    if (wanted.charCodeAt(held) === code && ++held === wanted.length) return true
  }
  return false
}

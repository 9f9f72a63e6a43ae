// Checks JSON text before it is parsed (decisions P7): how deep it nests, how many values it holds and how many keys one of its objects, in
// one pass over the characters. The text need not be JSON.

/** Most levels: deeper texts overflow the stacks of code that walks them, such as schemas, `JSON.stringify`, jsonb. */
export const maxJsonDepth = 200
/** Most values of a body, all levels together: what 2 MiB hold at ten bytes each. */
const maxJsonValues = 200_000
/** Most keys of one object: parsing and listing an object of many more costs far more than an array. */
export const maxJsonKeys = 10_000

const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE, COMMA, COLON] = [...'"\\[]{},:'].map(
  (c) => c.charCodeAt(0)
)

/**
 * Reason why the text is not parsed; undefined when it may be.
 * @param levels more for readers that check the depth themselves, once they know whom to answer
 * @param most values of the text, for readers whose parsers take long for each
 */
export const textExcess = (text: string, levels = maxJsonDepth, most = maxJsonValues): string | undefined => {
  if (text.length <= maxJsonDepth) return undefined
  let depth = 0
  let values = 1
  const keys = new Uint32Array(maxJsonDepth + 1)
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (char === QUOTE) {
      index = endOfString(text, index + 1)
    } else if (char === COMMA) {
      if (++values > most) return `holds more than ${most} values`
    } else if (char === COLON) {
      if (depth >= 0 && ++keys[Math.min(depth, maxJsonDepth)]! > maxJsonKeys)
        return `holds an object of more than ${maxJsonKeys} keys`
    } else if (char === OPEN_BRACKET || char === OPEN_BRACE) {
      if (++values > most) return `holds more than ${most} values`
      if (++depth > levels) return `nests deeper than ${levels} levels`
      if (depth >= 0) keys[Math.min(depth, maxJsonDepth)] = 0
    } else if (char === CLOSE_BRACKET || char === CLOSE_BRACE) depth--
  }
  return undefined
}

/** Position of the quote that ends the string beginning at `from`. */
const endOfString = (text: string, from: number): number => {
  for (let index = from; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (char === BACKSLASH) index++
    else if (char === QUOTE) return index
  }
  return text.length
}

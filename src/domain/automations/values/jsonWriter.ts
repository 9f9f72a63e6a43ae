// Writes templates that produce JSON text (developer-api.md 7.6 http_call, 7.9 response_body; decisions.md "JSON in templates"). A
// reference's text stays the one value at its place: the author of that text cannot add members next to it. Pure.

/** True if the text is one JSON value; in a list any number of them. */
const isJsonValue = (text: string, inList: boolean): boolean => {
  try {
    JSON.parse(inList ? `[${text}]` : text)
    return true
  } catch {
    return false
  }
}

const space = /\s/

/**
 * Writes the parts of a template in their order. Only the template's own text opens and closes strings, lists and objects. A reference
 * between quotes is escaped. As a member's or a list's value it is written as it is if that is JSON, else as a string. Anywhere else, for
 * example as the whole text, it is written as it is.
 */
export const jsonWriter = () => {
  let inString = false
  let escaped = false
  /** Open brackets, innermost last. */
  const openBrackets: Array<string> = []
  /** Last character outside of strings that is no space. */
  let lastChar = ""

  const inList = () => openBrackets.at(-1) === "["
  const wantsValue = () => lastChar === ":" || (inList() && (lastChar === "[" || lastChar === ","))

  const pass = (char: string) => {
    if (inString) {
      if (escaped) escaped = false
      else if (char === '"') {
        inString = false
        lastChar = char
      } else escaped = char === "\\"
    } else if (char === '"') inString = true
    else if (!space.test(char)) {
      if (char === "{" || char === "[") openBrackets.push(char)
      else if (char === "}" || char === "]") openBrackets.pop()
      lastChar = char
    }
  }

  return {
    literal: (text: string): string => {
      for (const char of text) pass(char)
      return text
    },
    reference: (text: string): string => {
      if (inString) return JSON.stringify(text).slice(1, -1)
      if (text === "") return text
      const safe = !wantsValue() || isJsonValue(text, inList()) ? text : JSON.stringify(text)
      lastChar = safe.at(-1)!
      return safe
    }
  }
}

// A path into an answer as its text field shows it: keys and indexes from the outside in, with slashes between them.

export type AnswerPath = ReadonlyArray<string | number>

/** A slash or backslash of a key itself has a backslash before it, and so has a number that is a key. */
const shownKey = (key: string | number): string =>
  typeof key === "number" ? String(key) : key.replaceAll(/[\\/]/g, "\\$&").replace(/^(-?\d+)$/, "\\$1")

export const pathText = (path: AnswerPath): string => path.map(shownKey).join("/")

export const pathOf = (text: string): AnswerPath => {
  const keys: Array<string | number> = []
  let key = ""
  let isEscaped = false
  const add = () => {
    if (key !== "") keys.push(!isEscaped && /^-?\d{1,9}$/.test(key) ? Number(key) : key)
    key = ""
    isEscaped = false
  }
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!
    if (char === "\\" && index + 1 < text.length) {
      key += text[++index]!
      isEscaped = true
    } else if (char === "/") add()
    else key += char
  }
  add()
  return keys
}

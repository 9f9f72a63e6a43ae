// Several values in one cell: a semicolon between them, in quotes where a value has one itself. Line ends separate as well, as in
// cells that people type.

/** Values that a cell may name. */
export const PARTS_MOST = 1_000

/** The values that a cell names, each as it is meant; of too many, one more than it may name. */
export const partsOf = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  // A value in quotes up to the next separator, or one without.
  const part = /\s*(?:"((?:[^"]|"")*)"[^\S\n]*(?=[;\n]|$)|([^;\n]*))(?:[;\n]|$)/y
  for (let position = 0; position < text.length && parts.length <= PARTS_MOST; position = part.lastIndex) {
    part.lastIndex = position
    const [, quoted, plain] = part.exec(text)!
    if (quoted !== undefined) parts.push(quoted.replaceAll('""', '"'))
    else if (plain!.trim() !== "") parts.push(plain!.trim())
  }
  return parts
}

const NEEDS_QUOTES = /^\s|\s$|^"|[;\n]|^$/

/** The cell that names these values. */
export const joined = (values: ReadonlyArray<string>): string =>
  values.map((value) => (NEEDS_QUOTES.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join("; ")

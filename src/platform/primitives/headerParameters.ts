// Parses parameters behind the first word of a header (RFC 9110 5.6.6): `text/csv; charset="utf-8"`, `attachment; filename=a.txt`. Reads
// leniently and in one pass, since the sender is not trusted.

/** Most parameters that are read. */
const AT_MOST = 20

/** End of the quoted part that begins at `from`; the end of the text if it never ends. */
const quoteEnd = (text: string, from: number): number => {
  for (let index = from + 1; index < text.length; index++) {
    if (text[index] === "\\") index++
    else if (text[index] === '"') return index
  }
  return text.length
}

/** Position of the comma that ends the list element at `from` (RFC 9110 5.6.1), outside of quotes; the end of the text if there is none. */
export const elementEnd = (text: string, from: number): number => {
  for (let index = from; index < text.length; index++) {
    if (text[index] === '"') index = quoteEnd(text, index)
    else if (text[index] === ",") return index
  }
  return text.length
}

/** Unescapes quotes and backslashes only: some senders write `C:\name`. */
const unquoted = (text: string): string => text.replaceAll(/\\(["\\])/g, "$1")

const valueOf = (text: string, from: number): { readonly value: string; readonly end: number } => {
  let begin = from
  while (text[begin] === " " || text[begin] === "\t") begin++
  if (text[begin] === '"') {
    const end = quoteEnd(text, begin)
    const next = text.indexOf(";", end)
    return { value: unquoted(text.slice(begin + 1, end)), end: next < 0 ? text.length : next }
  }
  const next = text.indexOf(";", begin)
  const end = next < 0 ? text.length : next
  return { value: text.slice(begin, end).trim(), end }
}

/** Parameters by name in lower case; the first of each name counts. */
export const headerParameters = (header: string | undefined): ReadonlyMap<string, string> => {
  const valuesByName = new Map<string, string>()
  if (header === undefined) return valuesByName
  for (
    let partStart = header.indexOf(";");
    partStart >= 0 && partStart < header.length && valuesByName.size < AT_MOST;
  ) {
    const equals = header.indexOf("=", partStart)
    const next = header.indexOf(";", partStart + 1)
    if (equals < 0) break
    if (next >= 0 && next < equals) {
      partStart = next
      continue
    }
    const name = header
      .slice(partStart + 1, equals)
      .trim()
      .toLowerCase()
    const { end, value } = valueOf(header, equals + 1)
    if (name !== "" && !valuesByName.has(name)) valuesByName.set(name, value)
    partStart = end
  }
  return valuesByName
}

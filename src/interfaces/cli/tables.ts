// Tables for a terminal: as wide as it is, long cells over several lines, and rows one below the other where columns are too many.
const GAP = "  "
/** A column is not made narrower than this. */
const NARROWEST = 10

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace("T", " ")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** The text in lines of at most `width`, broken at a space where there is one. @param whole a longer word, such as a link, stays whole */
const wrapped = (text: string, width: number, whole = false): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const part of text.split("\n")) {
    let remainingText = part
    while (remainingText.length > width) {
      const space = remainingText.lastIndexOf(" ", width)
      const later = space > 0 || !whole ? space : remainingText.indexOf(" ", width)
      if (later < 1 && whole) break
      const breakIndex = later > 0 ? later : width
      lines.push(remainingText.slice(0, breakIndex).trimEnd())
      remainingText = remainingText.slice(breakIndex).trimStart()
    }
    lines.push(remainingText)
  }
  return lines
}

/** The widest give way first; null: they do not fit side by side. */
const fitted = (natural: ReadonlyArray<number>, width: number): ReadonlyArray<number> | null => {
  const availableWidth = width - GAP.length * (natural.length - 1)
  const least = natural.reduce((sum, each) => sum + Math.min(each, NARROWEST), 0)
  if (least > availableWidth) return null
  const widths = [...natural]
  while (widths.reduce((sum, each) => sum + each, 0) > availableWidth) widths[widths.indexOf(Math.max(...widths))]! -= 1
  return widths
}

const memberLines = (row: Readonly<Record<string, unknown>>, width: number): ReadonlyArray<string> =>
  Object.entries(row).flatMap(([name, member]) => {
    const [first = "", ...more] = wrapped(cell(member), Math.max(NARROWEST, width - name.length - 2), true)
    return [`${name}: ${first}`.trimEnd(), ...more.map((line) => `${" ".repeat(name.length + 2)}${line}`)]
  })

/** Renders one object: a line for each member. */
export const memberTable = (row: object, width: number): string =>
  memberLines(row as Readonly<Record<string, unknown>>, width).join("\n")

export const table = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>, width: number): string => {
  if (rows.length === 0) return "(none)"
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const natural = names.map((_, i) =>
    Math.max(...cells.map((line) => Math.max(...line[i]!.split("\n").map((part) => part.length))))
  )
  const widths = fitted(natural, width)
  if (widths === null) return rows.map((row) => memberLines(row, width).join("\n")).join("\n\n")
  return cells
    .flatMap((line) => {
      const columns = line.map((text, i) => wrapped(text, Math.max(1, widths[i]!)))
      const height = Math.max(...columns.map((lines) => lines.length))
      return Array.from({ length: height }, (_, at) =>
        columns
          .map((lines, i) => (lines[at] ?? "").padEnd(widths[i]!))
          .join(GAP)
          .trimEnd()
      )
    })
    .join("\n")
}

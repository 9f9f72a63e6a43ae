// Reports the outcome of an import, as a table for people or JSON for scripts; and the verdict.
import type { Refusal } from "./importer.ts"

export interface Line {
  readonly what: string
  readonly count: number
  /** Duration in seconds; absent if nothing was timed. */
  readonly seconds?: number
  readonly note?: string
}

const text = (line: Line) => [
  line.what,
  String(line.count),
  line.seconds === undefined ? "" : line.seconds.toFixed(1),
  line.seconds === undefined ? "" : (line.count / Math.max(0.001, line.seconds)).toFixed(0),
  line.note ?? ""
]

export const table = (lines: ReadonlyArray<Line>): string => {
  const tableRows = [["", "count", "seconds", "per second", ""], ...lines.map(text)]
  const widths = tableRows[0]!.map((_, i) => Math.max(...tableRows.map((cells) => cells[i]!.length)))
  return tableRows
    .map((cells) =>
      cells
        .map((cell, i) => (i === 0 || i === 4 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

const EXAMPLES = 3

/** Refusals by field and reason, with a few examples each. */
export const refusalLines = (refusals: ReadonlyArray<Refusal>): ReadonlyArray<string> => {
  const groups = new Map<string, Array<Refusal>>()
  for (const refusal of refusals) {
    const name = `${refusal.field ?? "whole row"}: ${refusal.why}`
    groups.set(name, [...(groups.get(name) ?? []), refusal])
  }
  return [...groups].map(([name, group]) => {
    const some = group.slice(0, EXAMPLES).map(({ row, value }) => `row ${row}: ${JSON.stringify(value)}`)
    return `  ${group.length} × ${name} (${some.join(", ")}${group.length > EXAMPLES ? ", …" : ""})`
  })
}

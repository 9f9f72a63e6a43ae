// Medians, spreads and ratios of alternating rounds. The ratio is the median of the rounds' own ratios: a machine that changes
// its speed between rounds changes both sides of a round.
import type { Row, Sample } from "./Row.ts"

export interface Round {
  readonly ours: Sample
  readonly peer: Sample
}

export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length === 0) return Number.NaN
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Nearest rank. */
export const percentile = (numbers: ReadonlyArray<number>, percent: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.max(0, Math.ceil((numbers.length * percent) / 100) - 1)] ?? Number.NaN

export interface Figure {
  readonly median: number
  readonly least: number
  readonly most: number
}

const figure = (numbers: ReadonlyArray<number>): Figure => ({
  median: median(numbers),
  least: Math.min(...numbers),
  most: Math.max(...numbers)
})

export interface Summary {
  readonly row: string
  readonly peer: string
  readonly unit: string
  readonly ours: Figure
  readonly theirs: Figure
  readonly ratio: Figure
  readonly aim: string
  readonly met: boolean
  readonly rounds: ReadonlyArray<Round>
}

export const summarize = (row: Row, rounds: ReadonlyArray<Round>): Summary => {
  const figuresOf = (side: "ours" | "peer") => rounds.map((round) => round[side][row.measure] ?? Number.NaN)
  const ratio = figure(rounds.map((_, i) => figuresOf("ours")[i]! / figuresOf("peer")[i]!))
  const judged = row.absolute === true ? median(figuresOf("ours")) : ratio.median
  return {
    row: row.name,
    peer: row.peer,
    unit: row.unit,
    ours: figure(figuresOf("ours")),
    theirs: figure(figuresOf("peer")),
    ratio,
    aim: `${row.more ? "≥" : "≤"} ${row.aim}${row.absolute === true ? ` ${row.unit}` : ""}`,
    met: row.more ? judged >= row.aim : judged <= row.aim,
    rounds
  }
}

const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
const text = ({ median, least, most }: Figure) => `${number(median)} (${number(least)}–${number(most)})`

/** A Markdown table: medians, in brackets the least and the most of all rounds. */
export const markdown = (summaries: ReadonlyArray<Summary>): string =>
  [
    "| row | ours | peer | unit | ratio | aim | met |",
    "|---|---|---|---|---|---|---|",
    ...summaries.map(
      ({ aim, met, ours, peer, ratio, row, theirs, unit }) =>
        `| ${row} | ${text(ours)} | ${text(theirs)} ${peer} | ${unit} | ${text(ratio)} | ${aim} | ${met ? "yes" : "no"} |`
    )
  ].join("\n")

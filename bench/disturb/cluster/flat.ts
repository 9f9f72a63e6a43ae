// Judges if samples stay flat: compares the median of the last fifth with that of the second one, since the first warms up. Adds the slope
// of the line through all that follows the warm-up.
import { median } from "../../support/statistics.ts"
import type { Sample } from "./sample.ts"

export interface Course {
  readonly what: string
  readonly first: number
  readonly last: number
  readonly perHour: number
  readonly unit: string
  readonly flat: boolean
}

/** Growth that counts as flat, as for one process (bench/checks/soak.ts); and the few that come and go. */
const FLAT = 1.15
const A_FEW = 3
/** Allowance for the pages of a table beyond its rows, before and between vacuums. */
const LOOSE = 1.5
const PAGES_MIB = 8

/** Least squares. */
const slope = (points: ReadonlyArray<readonly [x: number, y: number]>) => {
  const mean = (of: ReadonlyArray<number>) => of.reduce((sum, n) => sum + n, 0) / of.length
  const [mx, my] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const sumOfSquares = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
  return sumOfSquares === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / sumOfSquares
}

const fifths = (samples: ReadonlyArray<Sample>) => {
  const part = Math.max(1, Math.floor(samples.length / 5))
  return { early: samples.slice(part, 2 * part), late: samples.slice(-part), after: samples.slice(part) }
}

const courses = (samples: ReadonlyArray<Sample>, kind: "memory" | "files" | "connections", unit: string) => {
  const { after, early, late } = fifths(samples)
  return Object.keys(samples.at(-1)![kind]).map((name): Course => {
    const valuesOf = (some: ReadonlyArray<Sample>) => some.map((one) => one[kind][name] ?? 0)
    const [first, last] = [median(valuesOf(early)), median(valuesOf(late))]
    const perHour = slope(after.map((one) => [one.at / 3_600_000, one[kind][name] ?? 0] as const))
    const flat = last <= Math.max(first * FLAT, kind === "memory" ? 0 : first + A_FEW)
    return { what: `${kind} of ${name}`, first, last, perHour, unit, flat }
  })
}

/** A table may grow as its rows do, which retention takes; not beside them. */
const tableCourses = (samples: ReadonlyArray<Sample>) => {
  const { early, late } = fifths(samples)
  const [from, to] = [early[0]!, late.at(-1)!]
  const hours = (to.at - from.at) / 3_600_000
  return Object.entries(to.tables).map(([name, { bytes, rows }]): Course => {
    const initialTable = from.tables[name] ?? { bytes: 0, rows: 0 }
    const [first, last] = [initialTable.bytes / 2 ** 20, bytes / 2 ** 20]
    const byRows = Math.max(1, rows / Math.max(1, initialTable.rows))
    const what = `table ${name}, ${initialTable.rows} to ${rows} rows`
    const flat = last <= first * byRows * LOOSE + PAGES_MIB
    return { what, first, last, perHour: (last - first) / hours, unit: "MiB", flat }
  })
}

/** Temporal's own processes are shown and not judged: they fill the caches that they are given. */
export const coursesOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<Course> =>
  [
    ...courses(samples, "memory", "MiB"),
    ...courses(samples, "files", "open"),
    ...courses(samples, "connections", "held"),
    ...tableCourses(samples)
  ].map((one) => (/ of t-|Temporal's/.test(one.what) ? { ...one, flat: true } : one))

const number = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1))

/** Tables below this (MiB) that did not grow are left out of what is shown. */
const SHOWN_MIB = 1

export const courseTable = (all: ReadonlyArray<Course>) =>
  [
    "| | after the warm-up | at the end | a later hour adds | flat |",
    "|---|---|---|---|---|",
    ...all
      .filter(({ flat, last, what }) => !flat || last >= SHOWN_MIB || !what.startsWith("table"))
      .map(
        ({ first, flat, last, perHour, unit, what }) =>
          `| ${what} | ${number(first)} | ${number(last)} ${unit} | ${number(perHour)} | ${flat ? "yes" : "NO"} |`
      )
  ].join("\n")

// Divides rows of bindings into round trips to a script process: values equal in all rows are sent once, and the size of a trip is bounded
// (developer-api.md 8.3, decisions P8).
import { jsonLength } from "../bounds/jsonLength.ts"
import { MANY_CHARS, ROWS_MOST } from "./protocol.ts"
import type { ManyRequest } from "./Script.ts"

type Rows = ManyRequest["rows"]

/** Names of values that are equal in all rows, as far as that shows without looking into them, and the other names. */
const namesOf = (rows: Rows) => {
  const [first = {}, ...others] = rows
  const names = Object.keys(first)
  const isShared = (name: string) => others.length > 0 && others.every((row) => Object.is(row[name], first[name]))
  const shared = names.filter(isShared)
  const sharedNames = new Set(shared)
  return { shared, own: names.filter((name) => !sharedNames.has(name)) }
}

/** Rows of the next trip: as many as a trip may carry of their own values. */
export const oneTrip = (rows: Rows, from: number): Rows => {
  const next = rows.slice(from, from + ROWS_MOST)
  const { own } = namesOf(next)
  let chars = 0
  const full = next.findIndex((row, index) => {
    chars += own.reduce((sum, name) => sum + jsonLength(row[name] ?? null).length, 0)
    return index > 0 && chars > MANY_CHARS
  })
  return full < 0 ? next : next.slice(0, full)
}

export const tripOf = (rows: Rows) => {
  const { own, shared } = namesOf(rows)
  const values = (row: Rows[number] | undefined, names: ReadonlyArray<string>) =>
    names.map((name) => row?.[name] ?? null)
  return {
    names: [...shared, ...own],
    shared: JSON.stringify(values(rows[0], shared)),
    rows: JSON.stringify(rows.map((row) => values(row, own)))
  }
}

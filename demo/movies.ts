// The real input: vega-datasets' movies, 3,201 rows with missing values, numbers for titles, ratings nobody declared.
// Here is how its columns become fields; values are sent as they are, but dates, which the API takes as YYYY-MM-DD only.
import { readFileSync } from "node:fs"

export type Row = Readonly<Record<string, string | number | null>>

const file = process.env["MOVIES"] ?? new URL("../data/movies.json", import.meta.resolve("vega-datasets"))

/** The rows of the data set. */
export const rows = JSON.parse(readFileSync(file, "utf8")) as ReadonlyArray<Row>

const COLORS = ["blue", "green", "orange", "purple", "pink", "yellow", "red", "brown", "gray"]
const options = (texts: ReadonlyArray<string>) => ({
  options: texts.map((text, i) => ({ text, color: COLORS[i % COLORS.length] }))
})
const distinct = (column: string) => [
  ...new Set(rows.flatMap((row) => (typeof row[column] === "string" ? [row[column]] : [])))
]

const RATINGS = ["G", "PG", "PG-13", "R", "NC-17", "Not Rated"]
const dollars = { decimals: 0, unit: "$", unit_location: "prefix" }

/** Column, field type, settings; in the order of the fields. */
const columns: ReadonlyArray<readonly [column: string, field_type: string, settings?: object]> = [
  ["Title", "single_text"],
  ["Release Date", "single_date"],
  ["MPAA Rating", "single_category", options(RATINGS)],
  ["Major Genre", "single_category", options(distinct("Major Genre"))],
  ["Creative Type", "single_category", options(distinct("Creative Type"))],
  ["Source", "single_category", options(distinct("Source"))],
  ["Distributor", "single_text"],
  ["Director", "single_text"],
  ["Running Time min", "number", { decimals: 0, unit: "min", unit_location: "suffix" }],
  ["Production Budget", "number", dollars],
  ["US Gross", "number", dollars],
  ["Worldwide Gross", "number", dollars],
  ["US DVD Sales", "number", dollars],
  ["Rotten Tomatoes Rating", "number", { decimals: 0, unit: "%", unit_location: "suffix" }],
  ["IMDB Rating", "number", { decimals: 1 }],
  ["IMDB Votes", "number", { decimals: 0 }]
]

const slugOf = (label: string) => label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")

/** Its text is set by the automation. */
export const STAMP = "stamp"

export const appDefinition = (workspaceId: number) => ({
  workspace_id: workspaceId,
  name: "Movies",
  item_name: "Movie",
  fields: [
    ...columns.map(([label, field_type, settings]) => ({
      field_type,
      config: { label, ...(settings === undefined ? {} : { settings }) }
    })),
    { field_type: "single_text", config: { label: "Stamp" } }
  ]
})

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** `Jun 12 1998` as `1998-06-12`; anything else stays as it is, for the service to judge. */
const isoDate = (text: string) => {
  const [, month, day, year] = /^([A-Z][a-z]{2}) (\d{2}) (\d{4})$/.exec(text) ?? []
  const index = MONTHS.indexOf(month ?? "")
  return index < 0 ? text : `${year}-${String(index + 1).padStart(2, "0")}-${day}`
}

/** The `fields` of a record, missing values left out. */
export const inputOf = (row: Row): Record<string, unknown> =>
  Object.fromEntries(
    columns.flatMap(([column, type]) => {
      const value = row[column]
      if (value === null || value === undefined) return []
      return [[slugOf(column), type === "single_date" && typeof value === "string" ? isoDate(value) : value]]
    })
  )

// The layout of an app's page in its address: which one, by which fields, and where a calendar stands.

export const layouts = ["table", "board", "calendar", "gallery"] as const
export type Layout = (typeof layouts)[number]

export interface LayoutSearch {
  /** Undefined: as the view says, else a table. */
  readonly layout?: Layout | undefined
  /** Ids of the fields that a layout goes by; without them those of the view, else the first that fits. */
  readonly board?: number | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly cover?: number | undefined
  /** A day of the month or week that the calendar shows. */
  readonly day?: string | undefined
  readonly week?: boolean | undefined
}

const fieldNames = ["board", "start", "end", "cover"] as const
const DAY = /^\d{4}-\d{2}-\d{2}$/

const isDay = (text: unknown): text is string =>
  typeof text === "string" && DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** Reads the parameters; ignores values of another kind. */
export const layoutSearch = (raw: { readonly [name: string]: unknown }): LayoutSearch => ({
  ...(layouts.includes(raw["layout"] as Layout) && { layout: raw["layout"] as Layout }),
  ...Object.fromEntries(fieldNames.flatMap((name) => (Number.isSafeInteger(raw[name]) ? [[name, raw[name]]] : []))),
  ...(isDay(raw["day"]) && { day: raw["day"] }),
  ...(raw["week"] === true && { week: true })
})

// What steps do to the page of a run (developer-api.md 7.6, `display_webpage`), put together: one that replaces it and all that add to it behind that
// are one change. Pure.
export interface PageChange {
  readonly join: "add_below" | "add_above" | "replace_previous"
  readonly html: string
  readonly fullscreen: boolean
  readonly removeBranding: boolean
}

export interface PageAddition extends Omit<PageChange, "join" | "html"> {
  readonly replaces: boolean
  /** What comes before the page as it is, and behind it; of one that replaces it, the page. */
  readonly above: string
  readonly below: string
}

/** The changes in their order, as few as do the same. */
export const addedTogether = (changes: ReadonlyArray<PageChange>): ReadonlyArray<PageAddition> => {
  const together: Array<PageAddition> = []
  for (const { html, join, ...looks } of changes) {
    const last = together.at(-1)
    if (join === "replace_previous" || last === undefined) {
      const isAbove = join === "add_above"
      const replaces = join === "replace_previous"
      together.push({ ...looks, replaces, above: isAbove ? html : "", below: isAbove ? "" : html })
    } else {
      const above = join === "add_above" ? html + last.above : last.above
      const below = join === "add_above" ? last.below : last.below + html
      together[together.length - 1] = { ...looks, replaces: last.replaces, above, below }
    }
  }
  return together
}

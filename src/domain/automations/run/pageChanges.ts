// Merges the changes of steps to the page of a run (developer-api.md 7.6, `display_webpage`): a replacement and all additions after it are
// one change. Pure.
export interface PageChange {
  readonly join: "add_below" | "add_above" | "replace_previous"
  readonly html: string
  readonly fullscreen: boolean
  readonly removeBranding: boolean
}

export interface PageAddition extends Omit<PageChange, "join" | "html"> {
  readonly replaces: boolean
  /** HTML before and after the existing page. If `replaces` is set, `above` and `below` together are the new page. */
  readonly above: string
  readonly below: string
}

/** Merges the changes, in their order, into as few as possible. */
export const mergePageChanges = (changes: ReadonlyArray<PageChange>): ReadonlyArray<PageAddition> => {
  const additions: Array<PageAddition> = []
  for (const { html, join, ...looks } of changes) {
    const previousAddition = additions.at(-1)
    if (join === "replace_previous" || previousAddition === undefined) {
      const isAbove = join === "add_above"
      const replaces = join === "replace_previous"
      additions.push({ ...looks, replaces, above: isAbove ? html : "", below: isAbove ? "" : html })
    } else {
      const above = join === "add_above" ? html + previousAddition.above : previousAddition.above
      const below = join === "add_above" ? previousAddition.below : previousAddition.below + html
      additions[additions.length - 1] = { ...looks, replaces: previousAddition.replaces, above, below }
    }
  }
  return additions
}

// Finds members of a JSON value by a part of their name or of their value, in one pass however deep the value is.

/** Matches that are shown; the rest is counted. */
export const MOST_MATCHES = 100

interface JsonMatch {
  /** Names from the root to the member: `items.17.name`. */
  readonly path: string
  readonly value: unknown
}
interface Matches {
  readonly shown: ReadonlyArray<JsonMatch>
  readonly total: number
}

interface Place {
  readonly name: string
  readonly parent: Place | undefined
}
const pathOf = (place: Place): string => {
  const names: Array<string> = []
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) names.push(at.name)
  return names.reverse().join(".")
}

/** Case does not count. Matches stand in the order of the document. */
export const searchJson = (root: unknown, text: string): Matches => {
  const part = text.trim().toLowerCase()
  const shown: Array<JsonMatch> = []
  let total = 0
  const left: Array<{ readonly value: unknown; readonly place: Place | undefined }> = [
    { value: root, place: undefined }
  ]
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const { place, value } = at
    const isBranch = typeof value === "object" && value !== null
    const isMatch =
      place?.name.toLowerCase().includes(part) ||
      (!isBranch &&
        String(value ?? "")
          .toLowerCase()
          .includes(part))
    if (place !== undefined && isMatch && ++total <= MOST_MATCHES) shown.push({ path: pathOf(place), value })
    if (isBranch) {
      const members = Object.entries(value)
      for (let i = members.length - 1; i >= 0; i--)
        left.push({ value: members[i]![1], place: { name: members[i]![0], parent: place } })
    }
  }
  return { shown, total }
}

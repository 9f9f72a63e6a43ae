// Finds members of a JSON value by a part of their name or of their value, in one pass however deep the value is.

/** Matches that are shown; the rest is counted. */
export const MOST_MATCHES = 100

interface JsonMatch {
  /** Names from the root to the member: `items.17.name`. */
  readonly path: string
  readonly value: unknown
}
interface Matches {
  readonly firstMatches: ReadonlyArray<JsonMatch>
  readonly total: number
}

interface Place {
  readonly name: string
  readonly parent: Place | undefined
}
const pathOf = (place: Place): string => {
  const names: Array<string> = []
  for (let ancestor: Place | undefined = place; ancestor !== undefined; ancestor = ancestor.parent)
    names.push(ancestor.name)
  return names.reverse().join(".")
}

/** Case does not count. Matches stand in the order of the document. */
export const searchJson = (root: unknown, text: string): Matches => {
  const part = text.trim().toLowerCase()
  const firstMatches: Array<JsonMatch> = []
  let total = 0
  const pendingNodes: Array<{ readonly value: unknown; readonly place: Place | undefined }> = [
    { value: root, place: undefined }
  ]
  for (let node = pendingNodes.pop(); node !== undefined; node = pendingNodes.pop()) {
    const { place, value } = node
    const isBranch = typeof value === "object" && value !== null
    const isMatch =
      place?.name.toLowerCase().includes(part) ||
      (!isBranch &&
        String(value ?? "")
          .toLowerCase()
          .includes(part))
    if (place !== undefined && isMatch && ++total <= MOST_MATCHES) firstMatches.push({ path: pathOf(place), value })
    if (isBranch) {
      const members = Object.entries(value)
      for (let i = members.length - 1; i >= 0; i--)
        pendingNodes.push({ value: members[i]![1], place: { name: members[i]![0], parent: place } })
    }
  }
  return { firstMatches, total }
}

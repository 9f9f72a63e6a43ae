// Matches the entries of two lists: by id first, then by content, since a definition that was sent without ids has new ones. If siblings
// are in another order, as few as possible count as moved.
import { isPlainObject } from "../schema/walk.ts"

interface Reading<P> {
  /** Empty if there is none. */
  readonly idOf: (place: P) => string
  readonly content: (place: P) => unknown
  /** Key of the list, equal for siblings; an id in it is one of `idOf`. */
  readonly listOf: (place: P) => string
  /** Position by which entries without ids match if nothing else does; empty: no such match. */
  readonly slotOf?: (place: P) => string
}
interface Paired<P> {
  readonly pairs: ReadonlyArray<readonly [before: P, after: P]>
  /** Moved entries of `after`. */
  readonly moved: ReadonlySet<P>
}

export const pairOf = <P>(before: ReadonlyArray<P>, after: ReadonlyArray<P>, reading: Reading<P>): Paired<P> => {
  const formerOf = new Map<P, P>()
  const taken = new Set<P>()
  const match = (keyOf: (place: P) => string) => {
    const free = new Map<string, Array<P>>()
    for (const place of before) {
      const key = taken.has(place) ? "" : keyOf(place)
      if (key === "") continue
      const known = free.get(key)
      if (known === undefined) free.set(key, [place])
      else known.push(place)
    }
    for (const lists of free.values()) lists.reverse()
    for (const place of after) {
      const key = formerOf.has(place) ? "" : keyOf(place)
      const former = key === "" ? undefined : free.get(key)?.pop()
      if (former === undefined) continue
      formerOf.set(place, former)
      taken.add(former)
    }
  }
  match(reading.idOf)
  if (formerOf.size < Math.max(before.length, after.length)) match((place) => withoutIds(reading.content(place)))
  if (reading.slotOf !== undefined) match(reading.slotOf)
  const pairs = after.flatMap((place) => {
    const former = formerOf.get(place)
    return former === undefined ? [] : [[former, place] as const]
  })
  return { pairs, moved: movedOf(before, pairs, reading) }
}

const withoutIds = (value: unknown): string =>
  JSON.stringify(value, (key, item) => (key === "id" ? undefined : isPlainObject(item) ? sorted(item) : item))
const sorted = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Returns the entries that stand in another list, or outside of the longest sequence of siblings that kept their order. */
const movedOf = <P>(
  before: ReadonlyArray<P>,
  pairs: Paired<P>["pairs"],
  { idOf, listOf }: Reading<P>
): ReadonlySet<P> => {
  const rank = new Map(before.map((place, index) => [place, index]))
  // Lists match although the enclosing step has a new id.
  const renamed = new Map(pairs.map(([former, place]) => [idOf(former), idOf(place)]))
  const listNow = (place: P) => {
    const list = listOf(place)
    const end = list.lastIndexOf("/")
    return end < 0 ? list : `${renamed.get(list.slice(0, end)) ?? list.slice(0, end)}${list.slice(end)}`
  }
  const moved = new Set<P>()
  const byList = new Map<string, Array<readonly [P, number]>>()
  for (const [former, place] of pairs) {
    const list = listOf(place)
    if (listNow(former) !== list) {
      moved.add(place)
      continue
    }
    const known = byList.get(list)
    const entry = [place, rank.get(former)!] as const
    if (known === undefined) byList.set(list, [entry])
    else known.push(entry)
  }
  for (const siblings of byList.values()) {
    const kept = increasing(siblings.map(([, index]) => index))
    for (const [n, [place]] of siblings.entries()) if (!kept.has(n)) moved.add(place)
  }
  return moved
}

/** Returns the positions of a longest increasing subsequence. */
const increasing = (values: ReadonlyArray<number>): ReadonlySet<number> => {
  const ends: Array<number> = []
  const previous: Array<number> = []
  for (const [n, value] of values.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (values[ends[middle]!]! < value) low = middle + 1
      else high = middle
    }
    previous[n] = low > 0 ? ends[low - 1]! : -1
    ends[low] = n
  }
  const kept = new Set<number>()
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]!) kept.add(at)
  return kept
}

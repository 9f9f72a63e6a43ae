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

export const matchEntries = <P>(before: ReadonlyArray<P>, after: ReadonlyArray<P>, reading: Reading<P>): Paired<P> => {
  const formerOf = new Map<P, P>()
  const pairedEntries = new Set<P>()
  const match = (keyOf: (place: P) => string) => {
    const candidates = new Map<string, Array<P>>()
    for (const former of before) {
      const key = pairedEntries.has(former) ? "" : keyOf(former)
      if (key === "") continue
      const sameKey = candidates.get(key)
      if (sameKey === undefined) candidates.set(key, [former])
      else sameKey.push(former)
    }
    for (const lists of candidates.values()) lists.reverse()
    for (const entry of after) {
      const key = formerOf.has(entry) ? "" : keyOf(entry)
      const former = key === "" ? undefined : candidates.get(key)?.pop()
      if (former === undefined) continue
      formerOf.set(entry, former)
      pairedEntries.add(former)
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
    const entries = byList.get(list)
    const entry = [place, rank.get(former)!] as const
    if (entries === undefined) byList.set(list, [entry])
    else entries.push(entry)
  }
  for (const siblings of byList.values()) {
    const kept = increasing(siblings.map(([, index]) => index))
    for (const [n, [place]] of siblings.entries()) if (!kept.has(n)) moved.add(place)
  }
  return moved
}

/** Returns the positions of a longest increasing subsequence. */
const increasing = (values: ReadonlyArray<number>): ReadonlySet<number> => {
  const tails: Array<number> = []
  const previous: Array<number> = []
  for (const [n, value] of values.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (values[tails[middle]!]! < value) low = middle + 1
      else high = middle
    }
    previous[n] = low > 0 ? tails[low - 1]! : -1
    tails[low] = n
  }
  const kept = new Set<number>()
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index]!) kept.add(index)
  return kept
}

// Finds all occurrences of many words in a text, in one pass over it (Aho and Corasick 1975). Searching word by word takes words times
// length, and more if both are repetitive (decisions P8).

/** Factor that combines the numbers of a state and a UTF-16 unit. */
const UNITS = 0x1_0000
/** Characters by which a word is recognized: a match is taken to reach as far as the longest word that begins so. */
const KNOWN_BY = 64

export interface Machine {
  readonly next: ReadonlyMap<number, number>
  /** State of the longest proper suffix of the read characters that is itself a prefix of a word. */
  readonly shorter: ReadonlyArray<number>
  /** Number of characters that each state has read. */
  readonly depth: ReadonlyArray<number>
  /** Longest known word that ends at each state: the characters of it that have been read, and its full length; 0: none. */
  readonly read: ReadonlyArray<number>
  readonly reach: ReadonlyArray<number>
}

export const machineOf = (words: Iterable<string>): Machine => {
  const next = new Map<number, number>()
  const [depth, read, reach, shorter] = [[0], [0], [0], [0]]
  const edges: Array<readonly [from: number, unit: number, to: number]> = []
  for (const word of words) {
    let state = 0
    const length = Math.min(word.length, KNOWN_BY)
    for (let index = 0; index < length; index++) {
      const edge = state * UNITS + word.charCodeAt(index)
      let to = next.get(edge)
      if (to === undefined) {
        to = depth.length
        next.set(edge, to)
        edges.push([state, word.charCodeAt(index), to])
        depth.push(index + 1)
        read.push(0)
        reach.push(0)
        shorter.push(0)
      }
      state = to
    }
    read[state] = length
    reach[state] = Math.max(reach[state]!, word.length)
  }
  // Sorts shallow states first: deeper ones build on them.
  edges.sort((one, other) => depth[one[2]]! - depth[other[2]]!)
  for (const [from, unit, to] of edges) {
    if (from === 0) continue
    let state = shorter[from]!
    while (state !== 0 && !next.has(state * UNITS + unit)) state = shorter[state]!
    const end = next.get(state * UNITS + unit) ?? 0
    shorter[to] = end
    if (read[to] === 0) [read[to], reach[to]] = [read[end]!, reach[end]!]
  }
  return { next, shorter, depth, read, reach }
}

/** Replaces words in `text` by `instead`, overlapping ones as one. `cut`: the text's end may be the beginning of a word. */
export const replaceWords = (machine: Machine, text: string, instead: string, cut: boolean): string => {
  const { depth, next, reach, read, shorter } = machine
  const ranges: Array<readonly [begin: number, end: number]> = []
  const add = (begin: number, end: number) => {
    let [first, last] = [begin, Math.min(end, text.length)]
    while (ranges.length > 0 && ranges.at(-1)![1] > first) {
      const [before, until] = ranges.pop()!
      first = Math.min(first, before)
      last = Math.max(last, until)
    }
    ranges.push([first, last])
  }
  let state = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    while (state !== 0 && !next.has(state * UNITS + unit)) state = shorter[state]!
    state = next.get(state * UNITS + unit) ?? 0
    const begin = index + 1 - read[state]!
    if (read[state]! > 0) add(begin, begin + reach[state]!)
  }
  if (cut && depth[state]! > 0) add(text.length - depth[state]!, text.length)
  let out = ""
  let copiedEnd = 0
  for (const [begin, end] of ranges) {
    out += text.slice(copiedEnd, begin) + instead
    copiedEnd = end
  }
  return out + text.slice(copiedEnd)
}

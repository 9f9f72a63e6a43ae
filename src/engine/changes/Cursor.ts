// Position of a listener in the stream of changes: a snapshot of Postgres, `xmin:xmax:open,open,…`. Whatever is not visible in it is still
// to come. So nothing is missed whatever the order in which transactions commit, and nobody waits for the slowest of them.

export type SnapshotText = string

const LONGEST = 4_000
const isNumber = (text: string) => text.length > 0 && text.length < 20 && /^\d+$/.test(text)

export const xminOf = (snapshot: SnapshotText): bigint => BigInt(snapshot.slice(0, snapshot.indexOf(":")))

/** Cursor that Postgres would accept as a snapshot: ordered, within its bounds. Undefined for any other text. */
export const readCursor = (text: string): SnapshotText | undefined => {
  if (text.length > LONGEST) return undefined
  const [low, high, open, ...more] = text.split(":")
  if (low === undefined || high === undefined || open === undefined || more.length > 0) return undefined
  const numbers = open === "" ? [] : open.split(",")
  if (![low, high, ...numbers].every(isNumber)) return undefined
  const ordered = [low, ...numbers].map(BigInt)
  const rising = numbers.every((_, at) => (at === 0 ? ordered[1]! >= ordered[0]! : ordered[at + 1]! > ordered[at]!))
  const lastNumber = ordered.at(-1)!
  const isBelowHigh = numbers.length === 0 ? lastNumber <= BigInt(high) : lastNumber < BigInt(high)
  return BigInt(low) > 0n && rising && isBelowHigh ? text : undefined
}

/** True if the snapshot saw the transaction, which is known to have committed by then or since. */
export const visibleIn = (snapshot: SnapshotText, transaction: bigint): boolean => {
  const [, high, open] = snapshot.split(":")
  if (transaction < xminOf(snapshot)) return true
  return transaction < BigInt(high!) && !open!.split(",").includes(String(transaction))
}

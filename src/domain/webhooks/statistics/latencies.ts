// Latencies as counts in buckets, each an eighth of a doubling wide, so that percentiles come from a sum (within a tenth of the true
// one) however many executions there were. Pure.

const PER_DOUBLING = 8
/** Up to 16 s: an execution has 5. */
const BUCKETS = 14 * PER_DOUBLING + 1

const bound = (bucket: number) => 2 ** (bucket / PER_DOUBLING)

const bucketOf = (millis: number) => Math.min(BUCKETS - 1, Math.ceil(PER_DOUBLING * Math.log2(Math.max(millis, 1))))

/** No longer than its last bucket that counts. */
export const bucketsOf = (latencies: ReadonlyArray<number>): ReadonlyArray<number> => {
  const buckets: Array<number> = []
  for (const millis of latencies) {
    const bucket = bucketOf(millis)
    while (buckets.length <= bucket) buckets.push(0)
    buckets[bucket]! += 1
  }
  return buckets
}

/** Milliseconds that the share of all executions stayed within, interpolated in its bucket; null without executions. */
export const percentileOf = (buckets: ReadonlyArray<number>, share: number): number | null => {
  const total = buckets.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let below = 0
  for (const [bucket, count] of buckets.entries()) {
    if (count > 0 && below + count >= share * total) {
      const lower = bucket === 0 ? 0 : bound(bucket - 1)
      return Math.round(lower + (bound(bucket) - lower) * Math.max(0, (share * total - below) / count))
    }
    below += count
  }
  return Math.round(bound(buckets.length - 1))
}

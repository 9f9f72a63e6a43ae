// Deletes in batches, so that no statement locks many rows; safe in several processes at once.
import { Effect } from "effect"

/**
 * Repeats `batch` until it touches less than a full one; returns the sum.
 * @param batch touches at most `size` rows and returns them, or how many they were
 */
export const deleteInBatches = Effect.fnUntraced(function* <E, R>(
  size: number,
  batch: Effect.Effect<number | ReadonlyArray<unknown>, E, R>
) {
  let sum = 0
  for (;;) {
    const touched = yield* batch
    const count = typeof touched === "number" ? touched : touched.length
    sum += count
    if (count < size) return sum
  }
})

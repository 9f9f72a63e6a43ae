// Two services under the same load at the same time, of which one has much behind it: both notice alike what else the machine does.
import { Effect } from "effect"
import { percentile } from "./statistics.ts"

/** Both run warm before they count. */
const WARM_SECONDS = 15

/** Runs the load for some seconds; answers the duration of each event, in milliseconds. */
type Load<E> = (seconds: number) => Effect.Effect<ReadonlyArray<number>, E>

export const besideLarge = Effect.fnUntraced(function* <E>(
  sides: { readonly none: Load<E>; readonly large: Load<E> },
  seconds: number
) {
  const load = (length: number) =>
    Effect.all({ none: sides.none(length), large: sides.large(length) }, { concurrency: "unbounded" })
  yield* load(WARM_SECONDS)
  const durations = yield* load(seconds)
  return { taken: durations, p99: { none: percentile(durations.none, 99), large: percentile(durations.large, 99) } }
})

// Gauges of the event loop's delay in the last minute (decisions P8), less the monitor's own step. They are worked out when somebody collects.
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Effect } from "effect"
import { gauge } from "../metrics/instruments.ts"
import { observing } from "../metrics/observers.ts"

const STEP_MILLIS = 10

const delays = {
  p50: gauge("nodejs.eventloop.delay.p50"),
  p99: gauge("nodejs.eventloop.delay.p99"),
  max: gauge("nodejs.eventloop.delay.max")
}

/** Watches until the scope closes. @returns a function that begins another minute */
export const watchDelay = Effect.gen(function* () {
  const histogram = monitorEventLoopDelay({ resolution: STEP_MILLIS })
  histogram.enable()
  yield* Effect.addFinalizer(() => Effect.sync(() => void histogram.disable()))
  const seconds = (nanos: number) => Math.max(0, (nanos / 1e6 - STEP_MILLIS) / 1000)
  yield* observing(
    "event loop",
    Effect.sync(() => {
      const hasSamples = histogram.count > 0
      delays.p50.set(hasSamples ? seconds(histogram.percentile(50)) : 0)
      delays.p99.set(hasSamples ? seconds(histogram.percentile(99)) : 0)
      delays.max.set(hasSamples ? seconds(histogram.max) : 0)
    })
  )
  return () => histogram.reset()
})

// Measures the time from an event to its effect: one event after another, with a pause between them.
import { Clock, Effect } from "effect"
import type { AppOf, Bed } from "./bed.ts"
import { BenchFailed, type Measure } from "./Row.ts"
import type { BenchReceiver } from "./receiver.ts"
import { median, percentile } from "./statistics.ts"

/** Seconds of load with little or no pause before latencies are measured, on each side: after it a process runs compiled code. */
const WARM_SECONDS = 10
export const warmed = (ours: Measure, peer: Measure) => Effect.andThen(ours(WARM_SECONDS), peer(WARM_SECONDS))

/** Commits are timed by Postgres itself: what a row says of its time was taken before its commit. */
export const timedCommits = { track_commit_timestamp: "on" }

/** Milliseconds from the commit of an event to the commit of the first step, which ends its run. */
export const latencyOf = (bed: Bed, app: AppOf, automationId: number, pauseMillis: number): Measure =>
  Effect.fnUntraced(function* (seconds: number) {
    const latencies: Array<number> = []
    const until = (yield* Clock.currentTimeMillis) + seconds * 1000
    do {
      yield* Effect.sleep(pauseMillis)
      const [recordId] = yield* bed.records(app, 1, true)
      const run = bed.sql<{ millis: number }>`
        SELECT (extract(epoch FROM pg_xact_commit_timestamp(r.xmin) - pg_xact_commit_timestamp(o.xmin)) * 1000)::float8 AS millis
        FROM runs r JOIN revisions o ON o.record_id = r.record_id AND o.revision = 0
        WHERE r.automation_id = ${automationId} AND r.record_id = ${recordId!} AND r.completed_on IS NOT NULL`
      const completedRuns = Effect.map(run, ({ length }) => length)
      yield* bed.until("the run", completedRuns, 1, 10)
      const [row] = yield* Effect.mapError(run, ({ message }) => new BenchFailed({ message }))
      latencies.push(row!.millis)
    } while ((yield* Clock.currentTimeMillis) < until)
    return { p50: median(latencies), p99: percentile(latencies, 99) }
  })

/** Milliseconds from the commit's acknowledgement to the arrival of the event's POST. */
export const postLatencyOf = (
  receiver: BenchReceiver,
  send: Effect.Effect<unknown, BenchFailed>,
  pauseMillis: number
): Measure =>
  Effect.fnUntraced(function* (seconds) {
    const latencies: Array<number> = []
    const until = (yield* Clock.currentTimeMillis) + seconds * 1000
    do {
      const arrival = Promise.withResolvers<number>()
      receiver.onRequest(() => arrival.resolve(performance.now()))
      yield* send
      const sentAt = performance.now()
      const arrivedAt = yield* Effect.promise(() => arrival.promise).pipe(
        Effect.timeoutOrElse({
          duration: "30 seconds",
          orElse: () => Effect.fail(new BenchFailed({ message: "an event was not posted within 30 s" }))
        })
      )
      latencies.push(Math.max(0, arrivedAt - sentAt))
      receiver.onRequest(undefined)
      yield* Effect.sleep(pauseMillis)
    } while ((yield* Clock.currentTimeMillis) < until)
    return { p50: median(latencies), p99: percentile(latencies, 99), samples: latencies.length }
  })

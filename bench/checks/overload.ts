// Three times the load that can be borne, and what becomes of it afterwards (developer-api.md 7.11 rule 7): runs that wait in a delay,
// call the outside and change their record. First as many at once as keep the machine busy, which gives the best throughput; then
// thrice that, whatever is done with it, beside runs of another app; then nothing, until the backlog is gone. On each kind of Temporal.
import { Effect, Fiber } from "effect"
import { type Bed, created, makeBed, update } from "../support/bed.ts"
import type { Check } from "../support/Check.ts"
import { processorOf, shareOf } from "../support/processor.ts"
import { BenchFailed } from "../support/Row.ts"
import { startBenchReceiver } from "../support/receiver.ts"
import { median, percentile } from "../support/statistics.ts"
import { steadily } from "../support/steady.ts"
import { TEMPORALS, temporalOf } from "../support/temporalOf.ts"

const OVER = 3
/** Runs that are kept open while the best is looked for. */
const OPEN = 60
const LOOK_MILLIS = 500
/** Shares of the time; what is left is for the backlog. */
const BEST = 0.25
const OVERLOAD = 0.3
/** Creates over HTTP a second, beside all of it. */
const CREATES = 4
/** Runs a second of another app of the organization, each with an outside step. */
const OTHERS = 1

interface Progress {
  readonly done: number
  readonly open: number
  /** Seconds since the oldest open run was created; 0 where none is open. */
  readonly oldest: number
}

const progressOf = (bed: Bed, automation: number) =>
  bed.sql<Progress>`
    SELECT count(completed_on)::int AS done, (count(*) - count(completed_on))::int AS open,
      coalesce(extract(epoch FROM now() - min(created_on) FILTER (WHERE completed_on IS NULL)), 0)::float8 AS oldest
    FROM runs WHERE automation_id = ${automation}`.pipe(
    Effect.map(([row]) => row!),
    Effect.mapError(({ message }) => new BenchFailed({ message }))
  )

export const overload: Check = {
  name: "overload",
  work: `runs with a delay, two outside steps and two changes, at ${OVER} times the best throughput, and what is left of it afterwards`,
  seconds: 100,
  kinds: TEMPORALS,
  run: Effect.fnUntraced(function* (seconds, say, { kind }) {
    const receiver = yield* startBenchReceiver
    const bed = yield* makeBed("bench-overload", {
      ...(yield* temporalOf(kind, say)),
      env: {
        OUTBOUND_ALLOW: receiver.hostPort,
        HTTP_CALL_PORTS: `80,443,${receiver.port}`,
        ...(process.env["RUNS_CONCURRENT"] === undefined ? {} : { RUNS_CONCURRENT: process.env["RUNS_CONCURRENT"] })
      }
    })
    const app = yield* bed.app("Work")
    const quietApp = yield* bed.app("Beside")
    const other = yield* bed.app("Other")
    const call = {
      type: "http_call",
      config: { http_call_type: "get", http_call_url: [`http://${receiver.hostPort}/`] }
    }
    const automation = yield* bed.automation(app.appId, {
      trigger: created,
      actions: [{ type: "delay", config: { delay_ms: 1000 } }, call, update(app, "a"), call, update(app, "b")]
    })
    const otherAutomation = yield* bed.automation(other.appId, {
      trigger: created,
      actions: [call, update(other, "c")]
    })
    const progress = progressOf(bed, automation)
    let createdCount = 0
    const give = Effect.fnUntraced(function* (count: number) {
      yield* bed.records(app, count, true)
      createdCount += count
    })

    /** Finished each second, while `feed` is done again and again. */
    const throughput = Effect.fnUntraced(function* (
      length: number,
      feed: (now: Progress) => Effect.Effect<unknown, BenchFailed>
    ) {
      const [from, before, used] = [performance.now(), yield* progress, processorOf(bed.machine)]
      let currentProgress = before
      while (performance.now() - from < length * 1000 && !(currentProgress.done === createdCount && feed === nothing)) {
        yield* feed(currentProgress)
        yield* Effect.sleep(LOOK_MILLIS)
        currentProgress = yield* progress
      }
      const elapsedSeconds = (performance.now() - from) / 1000
      const cpuShares = shareOf(used, processorOf(bed.machine), elapsedSeconds)
      const parts = (["main", "threads", "postgres", "temporal"] as const).map(
        (part) => `${part} ${cpuShares[part].toFixed(0)} %`
      )
      const spent = parts.join(", ")
      return { ...currentProgress, perSecond: (currentProgress.done - before.done) / elapsedSeconds, spent }
    })
    const nothing = () => Effect.void
    const refill = ({ done }: Progress) => (createdCount - done < OPEN ? give(OPEN - createdCount + done) : Effect.void)

    // Everything has been done once, by processes that have just started.
    yield* give(OPEN)
    yield* bed.until(
      "the first runs",
      Effect.map(progress, ({ done }) => done),
      OPEN / 2
    )
    const best = yield* throughput(BEST * seconds, refill)
    say(`best: ${best.perSecond.toFixed(1)} runs a second; of a processor: ${best.spent}`)

    const createMillis: Array<number> = []
    const creates = yield* Effect.forkChild(
      steadily(seconds, CREATES, () =>
        Effect.gen(function* () {
          const from = performance.now()
          yield* bed.client.get("POST", `/v1/record/app/${quietApp.appId}`, { body: { fields: { name: "beside" } } })
          createMillis.push(performance.now() - from)
        })
      )
    )
    const beginning = yield* Effect.forkChild(steadily(seconds, OTHERS, () => bed.records(other, 1, true)))
    const rate = OVER * best.perSecond
    const storm = yield* Effect.forkChild(steadily(seconds, rate, () => give(1)))
    const overload = yield* throughput(OVERLOAD * seconds, nothing)
    yield* Fiber.interrupt(storm)
    yield* Fiber.interrupt(creates)
    yield* Fiber.interrupt(beginning)
    say(
      `at ${rate.toFixed(1)} a second: ${overload.perSecond.toFixed(1)} runs a second, ${createdCount - overload.done} behind, oldest ${overload.oldest.toFixed(0)} s; ${overload.spent}`
    )

    const drained = yield* throughput((1 - BEST - OVERLOAD) * seconds, nothing)
    const remainingRuns = createdCount - drained.done
    say(`afterwards: ${drained.perSecond.toFixed(1)} runs a second, ${remainingRuns} left; ${drained.spent}`)
    const waited = yield* bed.sql<{ seconds: number }>`
      SELECT extract(epoch FROM coalesce(r.completed_on, now()) - c.created_on)::float8 AS seconds
      FROM records c LEFT JOIN runs r ON r.record_id = c.record_id AND r.automation_id = ${otherAutomation}
      WHERE c.app_id = ${other.appId}`.pipe(
      Effect.map((rows) => rows.map(({ seconds }) => seconds)),
      Effect.mapError(({ message }) => new BenchFailed({ message }))
    )
    const ratio = (rate: number) => best.perSecond / Math.max(rate, 0.01)
    return [
      { what: "best throughput", value: best.perSecond, unit: "runs/s" },
      { what: `throughput at ${OVER} times that`, value: overload.perSecond, unit: "runs/s" },
      { what: "throughput afterwards", value: drained.perSecond, unit: "runs/s" },
      { what: "events behind when the load ends", value: createdCount - overload.done, unit: "" },
      { what: "age of the oldest open run then", value: overload.oldest, unit: "s" },
      { what: "runs left when the time is up", value: remainingRuns, unit: "" },
      { what: "p50 of a create over HTTP under the load", value: median(createMillis), unit: "ms" },
      { what: "p99 of it", value: percentile(createMillis, 99), unit: "ms" },
      { what: "p50 of a run of another app, from its event to its end", value: median(waited), unit: "s" },
      { what: "p99 of it", value: percentile(waited, 99), unit: "s" },
      { what: "best / under the load", value: ratio(overload.perSecond), unit: "", atMost: 1.25 },
      { what: "best / afterwards", value: ratio(drained.perSecond), unit: "", atMost: 1.25 }
    ]
  }, Effect.scoped)
}

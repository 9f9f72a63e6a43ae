// Measures the effect of trouble on an automation and a webhook in the same organization (design: what fast means).
import { Effect, Fiber } from "effect"
import { type AppOf, type Bed, created, makeBed, update } from "../support/bed.ts"
import { seedHook } from "../support/hooks.ts"
import { latencyOf, postLatencyOf, timedCommits } from "../support/latency.ts"
import { BenchFailed, type Measure, type Row } from "../support/Row.ts"
import { startBenchReceiver } from "../support/receiver.ts"

type Trouble = (bed: Bed, app: AppOf) => Effect.Effect<Effect.Effect<void, BenchFailed>, BenchFailed>

/** Between two events: the actor stays awake. */
const PAUSE_MILLIS = 50

/** Sides: a latency beside the trouble, and the same without it. */
const undisturbed = Effect.fnUntraced(function* (bed: Bed, measure: Measure, trouble: Trouble) {
  const troubled = yield* bed.app("Troubled")
  const disturbance = yield* trouble(bed, troubled)
  const inbox = Effect.map(
    bed.sql<{ n: number }>`SELECT count(*)::int AS n FROM automation_inbox WHERE app_id = ${troubled.appId}`,
    ([row]) => (row!.n === 0 ? 1 : 0)
  )
  const ours: Measure = (seconds) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(disturbance)
      const sample = yield* measure(seconds)
      yield* Fiber.interrupt(fiber)
      // The other side is measured without what is left of it.
      yield* bed.until("the trouble's end", inbox, 1, 100)
      return sample
    })
  return { ours, peer: measure }
})

const toStep = (trouble: Trouble) =>
  Effect.gen(function* () {
    const bed = yield* makeBed("bench-trouble", { settings: timedCommits })
    const app = yield* bed.app("Beside")
    const id = yield* bed.automation(app.appId, { trigger: created, actions: [update(app, "stamped")] })
    return yield* undisturbed(bed, latencyOf(bed, app, id, PAUSE_MILLIS), trouble)
  })

const toPost = (trouble: Trouble) =>
  Effect.gen(function* () {
    const receiver = yield* startBenchReceiver
    const bed = yield* makeBed("bench-trouble", {
      env: { OUTBOUND_ALLOW: receiver.hostPort, WEBHOOK_PER_MINUTE: "100000000" }
    })
    const app = yield* bed.app("Beside")
    yield* bed.operate(seedHook({ orgId: bed.orgId, appId: app.appId }, receiver.port, "/hook"))
    return yield* undisturbed(bed, postLatencyOf(receiver, bed.records(app, 1, true), PAUSE_MILLIS), trouble)
  })

/** Two hundred events a second whose every run fails. */
const failing = (bed: Bed, app: AppOf) =>
  Effect.as(
    bed.automation(app.appId, {
      trigger: created,
      actions: [{ type: "exit", config: { exit_type: "failure" } }]
    }),
    Effect.forever(Effect.andThen(bed.records(app, 20, true), Effect.sleep("100 millis")))
  )

/** Two hundred runs that wait in a delay for as long as the row is measured. */
const startWaitingRuns = Effect.fnUntraced(function* (bed: Bed, app: AppOf) {
  const id = yield* bed.automation(app.appId, {
    trigger: created,
    actions: [{ type: "delay", config: { delay_ms: 86_400_000 } }]
  })
  const countWaiting = Effect.map(
    bed.sql<{ n: number }>`SELECT count(*)::int AS n FROM runs WHERE automation_id = ${id} AND wait_until IS NOT NULL`,
    ([row]) => row!.n
  )
  return Effect.gen(function* () {
    if ((yield* Effect.mapError(countWaiting, ({ message }) => new BenchFailed({ message }))) > 0) return
    yield* bed.records(app, 200, true)
    yield* bed.until("200 runs wait", countWaiting, 200, 100)
  })
})

const p50 = { peer: "undisturbed", measure: "p50", unit: "ms, p50", more: false, aim: 2 } as const

export const besideRows: ReadonlyArray<Row> = [
  {
    name: "automation-beside-failing",
    work: "event to committed step beside an automation whose every run fails at 200 events/s, and without it",
    ...p50,
    prepare: toStep(failing)
  },
  {
    name: "webhook-beside-failing",
    work: "event to POST beside the same, and without it",
    ...p50,
    prepare: toPost(failing)
  },
  {
    name: "automation-beside-waiting",
    work: "event to committed step beside 200 runs of the organization that wait in delays",
    ...p50,
    prepare: toStep(startWaitingRuns)
  }
]

// An automation whose every step hangs, in an organization of its own: what another one's automation and webhook notice
// (developer-api.md 7.11 rule 7).
import { Clock, Effect, Fiber } from "effect"
import { type AppOf, type Bed, created, makeBed, type Tenancy, update } from "../support/bed.ts"
import type { Check } from "../support/Check.ts"
import { seedHook } from "../support/hooks.ts"
import { BenchFailed } from "../support/Row.ts"
import { type BenchReceiver, HANGING, startBenchReceiver } from "../support/receiver.ts"
import { median } from "../support/statistics.ts"
import { steadily } from "../support/steady.ts"

/** Events of the automation that hangs, each second: many times what its organization's 50 places let through in a call's 30 s. */
const HANGING_RATE = 10
/** Seconds until the hanging automations hold all concurrency slots and a queue has formed. */
const FILL_SECONDS = 40
/** Events a second of the automation that does not hang. */
const RATE = 5

interface Latencies {
  readonly step: number
  readonly post: number
}

/** Medians from an event to its committed step and to its POST, in milliseconds. */
const latencies = Effect.fnUntraced(function* (
  bed: Bed,
  receiver: BenchReceiver,
  of: { readonly tenancy: Tenancy; readonly app: AppOf; readonly automation: number },
  seconds: number
) {
  const posted = new Map<number, number>()
  receiver.onRequest((_path, body) => void posted.set(JSON.parse(body).record_id, Date.now()))
  const ids: Array<number> = []
  yield* steadily(seconds, RATE, () =>
    Effect.map(of.tenancy.records(of.app, 1, true), ([id]) => {
      ids.push(id!)
    })
  )
  const runs = bed.sql<{ record_id: number; created: number; millis: number }>`
    SELECT o.record_id, (extract(epoch FROM o.created_on) * 1000)::float8 AS created,
      (extract(epoch FROM r.completed_on - o.created_on) * 1000)::float8 AS millis
    FROM runs r JOIN records o USING (record_id)
    WHERE r.automation_id = ${of.automation} AND r.record_id >= ${ids[0]!} AND r.completed_on IS NOT NULL`.pipe(
    Effect.mapError(({ message }) => new BenchFailed({ message }))
  )
  yield* bed.until(
    "runs and deliveries",
    Effect.map(runs, ({ length }) => Math.min(length, posted.size)),
    ids.length
  )
  receiver.onRequest(undefined)
  const rows = yield* runs
  return {
    step: median(rows.map(({ millis }) => millis)),
    post: median(rows.map(({ created, record_id }) => posted.get(record_id)! - created))
  } satisfies Latencies
})

export const stuck: Check = {
  name: "automation-hanging",
  work: `an automation and a webhook with ${RATE} events a second, alone and beside another organization's automation whose every step hangs, at ${HANGING_RATE} events a second`,
  seconds: 60,
  run: Effect.fnUntraced(function* (seconds, say) {
    const receiver = yield* startBenchReceiver
    const bed = yield* makeBed("bench-stuck", {
      env: { OUTBOUND_ALLOW: receiver.hostPort, HTTP_CALL_PORTS: `80,443,${receiver.port}` }
    })
    const app = yield* bed.app("Beside")
    const automation = yield* bed.automation(app.appId, {
      trigger: created,
      actions: [update(app, "stamped")]
    })
    yield* bed.operate(seedHook({ orgId: bed.orgId, appId: app.appId }, receiver.port, "/hook"))
    const other = yield* bed.organization("Stuck")
    const troubled = yield* other.app("Stuck")
    const hangs = {
      type: "http_call",
      continue_on_error: true,
      config: { http_call_type: "post", http_call_url: [`http://${receiver.hostPort}${HANGING}`] }
    }
    const hanging = yield* other.automation(troubled.appId, { trigger: created, actions: [hangs, hangs, hangs] })

    const measure = latencies(bed, receiver, { tenancy: bed, app, automation }, seconds)
    const show = (side: string, { post, step }: Latencies) =>
      say(`${side}: step p50 ${step.toFixed(1)} ms, POST p50 ${post.toFixed(1)} ms`)
    yield* latencies(bed, receiver, { tenancy: bed, app, automation }, 3)
    const quietReading = yield* measure
    show("alone", quietReading)
    const storm = yield* Effect.forkChild(steadily(3600, HANGING_RATE, () => other.records(troubled, 1, true)))
    const from = yield* Clock.currentTimeMillis
    yield* bed.until(
      "requests that hang",
      Effect.sync(() => receiver.hanging()),
      1
    )
    yield* Effect.sleep(Math.max(0, FILL_SECONDS * 1000 - ((yield* Clock.currentTimeMillis) - from)))
    const inAir = receiver.hanging()
    say(`${inAir} calls hang`)
    const besideReading = yield* measure
    show("beside", besideReading)
    const [runs] = yield* bed.operate(
      bed.sql<{ open: number; workflows: number }>`
        SELECT count(*)::int AS open, count(workflow_started_on)::int AS workflows FROM runs
        WHERE automation_id = ${hanging} AND completed_on IS NULL`
    )
    yield* Fiber.interrupt(storm)
    return [
      { what: "p50 from event to committed step, alone", value: quietReading.step, unit: "ms" },
      { what: "p50 from event to POST, alone", value: quietReading.post, unit: "ms" },
      { what: "p50 to the step, beside what hangs", value: besideReading.step, unit: "ms" },
      { what: "p50 to the POST, beside what hangs", value: besideReading.post, unit: "ms" },
      { what: "calls that hang, at the start of the measurement", value: inAir, unit: "" },
      { what: "unfinished runs of the automation that hangs, at the end", value: runs!.open, unit: "" },
      { what: "of them with a workflow", value: runs!.workflows, unit: "" },
      { what: "step beside / alone (7.11 rule 7)", value: besideReading.step / quietReading.step, unit: "", atMost: 2 },
      { what: "POST beside / alone", value: besideReading.post / quietReading.post, unit: "", atMost: 2 }
    ]
  }, Effect.scoped)
}

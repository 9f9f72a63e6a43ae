// Hostile inputs beside a read (decisions P6 to P8; design: what fast means): some thirty of them at once, again and again, while
// others ask for /health/live and for themselves.
import { Effect } from "effect"
import { type Bed, makeBed } from "../support/bed.ts"
import type { Check, Reading } from "../support/Check.ts"
import { hostile, kinds, type Target } from "../support/hostile.ts"
import { seedPeople } from "../support/people.ts"
import { paced } from "../support/processes.ts"
import { processorOf, shareOf } from "../support/processor.ts"
import { BenchFailed } from "../support/Row.ts"
import { strangers } from "../support/strangers.ts"

/** A read of each kind: the pace of a person's page, not of a load test. */
const EVERY_MILLIS = 20
/** The disturbed p99 may be this much above the undisturbed one. */
const MORE_MILLIS = 50

const triggerValue = (key: string) => ({
  kind: "variable",
  source: "trigger",
  trigger_type: "webhook_payload_property",
  key_path: [key],
  data_type: "text"
})

/**
 * Automation that exposes what an anonymous sender can reach: mail addresses, markup, redaction of logs, and receivers that answer without
 * end.
 */
const automationOf = (receiver: string) => ({
  trigger: { type: "webhook_received", config: {} },
  actions: [
    {
      type: "send_email",
      continue_on_error: true,
      config: {
        to_address: [triggerValue("to")],
        subject: ["Hello"],
        message_body: ["<p>", triggerValue("text"), "</p>"]
      }
    },
    ...["/interim", "/extensions", "/bytes"].map((path) => ({
      type: "http_call",
      continue_on_error: true,
      config: { http_call_type: "get", http_call_url: [`http://${receiver}${path}`] }
    }))
  ]
})

const targetOf = Effect.fnUntraced(function* (bed: Bed, receiver: string) {
  const app = yield* bed.app("Targets")
  const id = yield* bed.automation(app.appId, automationOf(receiver))
  const [recordId] = yield* bed.records(app, 1, false)
  const [token] = yield* bed.operate(seedPeople(bed.orgId, 1))
  const { automation } = yield* Effect.mapError(
    bed.client.get("GET", `/v1/automation/${id}`),
    (error) => new BenchFailed({ message: String(error) })
  )
  return {
    url: bed.machine.baseUrl,
    token: token!,
    appId: app.appId,
    recordId: recordId!,
    slug: "note",
    catchUrl: automation.trigger.config.webhook_url as string
  } satisfies Target as Target
})

export const freeze: Check = {
  name: "freeze",
  kinds: Object.keys(kinds),
  work: `${Object.values(hostile).flat().length} hostile inputs at once, again and again, beside /health/live and an authenticated read every ${EVERY_MILLIS} ms`,
  seconds: 20,
  run: Effect.fnUntraced(function* (seconds, say, { kind: only }) {
    const { beside: besideVolleys, receiver } = yield* strangers
    const bed = yield* makeBed("bench-freeze", {
      env: { OUTBOUND_ALLOW: receiver, HTTP_CALL_PORTS: `80,443,${receiver.split(":")[1]}`, RATE_BUDGET: "100000000" }
    })
    const target = yield* targetOf(bed, receiver)
    const read = paced(bed.machine, bed.machine.baseUrl, EVERY_MILLIS, [
      { name: "/health/live", path: "/health/live", headers: {} },
      { name: "/v1/user", path: "/v1/user", headers: { authorization: `Bearer ${target.token}` } }
    ])
    yield* read(3)
    const quietReading = yield* read(seconds)
    say(`undisturbed: ${JSON.stringify(quietReading)}`)
    const readings: Array<Reading> = ["/health/live", "/v1/user"].map((name) => ({
      what: `${name}: p99 undisturbed`,
      value: quietReading[`${name} p99`]!,
      unit: "ms"
    }))
    for (const [kind, inputs] of Object.entries(kinds)) {
      if (only !== undefined && only !== kind) continue
      const from = processorOf(bed.machine)
      const startMillis = performance.now()
      const [beside, count] = yield* besideVolleys(kind, target, read(seconds))
      const used = shareOf(from, processorOf(bed.machine), (performance.now() - startMillis) / 1000)
      say(`${kind}, ${count} volleys of ${inputs.length}: ${JSON.stringify(beside)}`)
      say(
        `  processors, in percent of one: ${JSON.stringify(used, (_, value) => (typeof value === "number" ? Math.round(value) : value))}`
      )
      readings.push({ what: `reads that failed beside ${kind}`, value: beside.failed, unit: "", atMost: 0 })
      for (const name of ["/health/live", "/v1/user"]) {
        const atMost = quietReading[`${name} p99`]! + MORE_MILLIS
        readings.push({ what: `${name}: p99 beside ${kind}`, value: beside[`${name} p99`]!, unit: "ms", atMost })
        readings.push({ what: `${name}: longest beside ${kind}`, value: beside[`${name} longest`]!, unit: "ms" })
      }
    }
    return readings
  }, Effect.scoped)
}

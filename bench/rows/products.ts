// Rows beside products that a user would pick instead (bench/products). Each has the store that it brings.

import { join } from "node:path"
import { Clock, Effect } from "effect"
import { freePort } from "../../bin/parts/os.js"
import { makeBed } from "../support/bed.ts"
import { warmed } from "../support/latency.ts"
import { askUntilGood, installProduct, startProgram } from "../support/products.ts"
import { BenchFailed, type Measure, type Row } from "../support/Row.ts"
import { median, percentile } from "../support/statistics.ts"

const PAYLOAD = JSON.stringify({ count: 130, price: 7 })

/** Milliseconds from a request to its answer, one after another. */
const answersOf = (url: string, expected: string): Measure =>
  Effect.fnUntraced(function* (seconds) {
    const latencies: Array<number> = []
    const until = (yield* Clock.currentTimeMillis) + seconds * 1000
    do {
      const start = performance.now()
      const answer = yield* Effect.tryPromise({
        try: async () => {
          const headers = { "content-type": "application/json" }
          return (await fetch(url, { method: "POST", headers, body: PAYLOAD })).text()
        },
        catch: (error) => new BenchFailed({ message: `${url}: ${(error as Error).message}` })
      })
      latencies.push(performance.now() - start)
      if (!answer.includes(expected))
        return yield* new BenchFailed({ message: `${url} answers ${answer.slice(0, 300)}` })
    } while ((yield* Clock.currentTimeMillis) < until)
    return { p50: median(latencies), p99: percentile(latencies, 99), samples: latencies.length }
  })

const property = (name: string) => ({
  kind: "variable",
  source: "trigger",
  trigger_type: "webhook_payload_property",
  key_path: [name],
  data_type: "number"
})

const variable = (label: string) => ({ kind: "variable", source: "custom", custom_type: "any", label })

/** A step that keeps what an expression gives. */
const kept = (label: string, assignment_code: ReadonlyArray<unknown>) => ({
  type: "custom_variable",
  config: { assignment_code, custom_variable_defs: [{ custom_type: "any", label }] }
})

const threeSteps = {
  trigger: {
    type: "webhook_received",
    config: { response_mode: "sync", response_body: ['{ "label": "', variable("Label"), '" }'] }
  },
  actions: [
    kept("Total", [property("count"), " * ", property("price")]),
    kept("Parcels", ["Math.ceil(", property("count"), " / 25)"]),
    kept("Label", [variable("Parcels"), " + ' for ' + ", variable("Total")])
  ]
}

const startRestate = Effect.fnUntraced(function* (dir: string, data: string) {
  const [ingress, admin, node, service] = yield* Effect.promise(() =>
    Promise.all(Array.from({ length: 4 }, () => freePort()))
  )
  const program = join(
    dir,
    "node_modules",
    "@restatedev",
    `restate-server-${process.platform}-${process.arch}`,
    "bin",
    "restate-server"
  )
  const env = {
    RESTATE_BASE_DIR: join(data, "restate"),
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_DISABLE_TELEMETRY: "true"
  }
  yield* startProgram(program, [], env, join(data, "logs", "restate.log"))
  const log = join(data, "logs", "restate-service.log")
  yield* startProgram(
    process.execPath,
    [join(dir, "service.js")],
    { PORT: String(service), NODE_ENV: "production" },
    log
  )
  yield* askUntilGood("Restate", `http://127.0.0.1:${admin}/health`)
  yield* askUntilGood("Restate's service", `http://127.0.0.1:${admin}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${service}` })
  })
  return `http://127.0.0.1:${ingress}/orders/accept`
})

export const productRows: ReadonlyArray<Row> = [
  {
    name: "sync-webhook",
    work: "an inbound webhook whose run of three light steps is its answer",
    peer: "Restate",
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 1.67,
    prepare: Effect.gen(function* () {
      const dir = yield* installProduct("restate")
      const bed = yield* makeBed("bench-sync", { env: { INBOUND_PER_MINUTE: "1000000" } })
      const { appId } = yield* bed.app("Orders")
      const id = yield* bed.automation(appId, threeSteps)
      const { automation } = yield* Effect.mapError(
        bed.client.get("GET", `/v1/automation/${id}`),
        (error) => new BenchFailed({ message: String(error) })
      )
      const ours = answersOf(automation.trigger.config.webhook_url, "6 for 910")
      const peer = answersOf(yield* startRestate(dir, bed.machine.dir), "6 for 910")
      return { warm: warmed(ours, peer), ours, peer }
    })
  }
]

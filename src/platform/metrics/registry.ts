// Every metric of the service, by its OpenTelemetry name: type, unit (UCUM) and labels. A test holds docs/metrics.md against this list, and
// an instrument of another name does not compile. No label identifies an owner: every value is one of a closed list. A metric that the
// semantic conventions name has that name; the rest is below `millrace.`.

export interface MetricSpec {
  readonly type: "counter" | "gauge" | "histogram"
  readonly unit: string
  readonly labels: ReadonlyArray<string>
  readonly help: string
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: ReadonlyArray<number>
}

/** Buckets that the conventions advise for durations of requests. */
const requests = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Buckets for work that may take minutes. */
const workBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900]
/** Buckets for waits of up to days. */
const waitBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400, 604_800]
const collectionBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

const POOL = "db.client.connection.pool.name"

export const metrics = {
  "http.server.request.duration": {
    type: "histogram",
    unit: "s",
    labels: ["http.request.method", "url.scheme", "http.route", "http.response.status_code", "error.type"],
    help: "Time to answer a request, by route template",
    buckets: requests
  },
  "http.server.active_requests": {
    type: "gauge",
    unit: "{request}",
    labels: [],
    help: "Requests that are being answered"
  },
  "http.client.request.duration": {
    type: "histogram",
    unit: "s",
    labels: ["http.request.method", "http.response.status_code", "error.type"],
    help: "Calls to addresses that users choose: webhooks, HTTP calls, scripts, images, metadata documents",
    buckets: requests
  },
  "millrace.oauth.requests": {
    type: "counter",
    unit: "{request}",
    labels: ["endpoint", "reason"],
    help: "Requests of the OAuth endpoints; the reason is ok or why it was refused"
  },
  "millrace.webhook.attempt.duration": {
    type: "histogram",
    unit: "s",
    labels: ["outcome"],
    help: "POSTs of deliveries; the outcome is ok or the class of the error",
    buckets: requests
  },
  "millrace.webhook.deliveries": {
    type: "counter",
    unit: "{delivery}",
    labels: ["status"],
    help: "What attempts left deliveries as: delivered, retrying (a retry will come), failed, withheld"
  },
  "millrace.webhook.delivery.latency": {
    type: "histogram",
    unit: "s",
    labels: [],
    help: "From the event to its delivery, retries and waiting included",
    buckets: waitBuckets
  },
  "millrace.run.duration": {
    type: "histogram",
    unit: "s",
    labels: ["status", "type"],
    help: "Runs that ended, from their creation, waiting included",
    buckets: waitBuckets
  },
  "millrace.run.open": {
    type: "gauge",
    unit: "{run}",
    labels: ["state"],
    help: "Runs that are not over, by what they do or wait for"
  },
  "millrace.run.credits": {
    type: "counter",
    unit: "{credit}",
    labels: [],
    help: "Actions that runs of this process have used"
  },
  "millrace.step.executions": {
    type: "counter",
    unit: "{step}",
    labels: ["type", "status"],
    help: "Steps that ended, by the type of their action"
  },
  "millrace.step.retries": {
    type: "counter",
    unit: "{retry}",
    labels: ["type"],
    help: "Attempts of outside steps that failed and will be repeated"
  },
  "millrace.backlog.size": {
    type: "gauge",
    unit: "{item}",
    labels: ["stage"],
    help: "What waits now, in all processes: outbox (events), webhooks (deliveries due), automations (events due), places and credits (runs)"
  },
  "millrace.backlog.age": {
    type: "gauge",
    unit: "s",
    labels: ["stage"],
    help: "How long the oldest of them has waited since it was due"
  },
  "millrace.outbox.set_aside": {
    type: "gauge",
    unit: "{event}",
    labels: [],
    help: "Events that could not be fanned out"
  },
  "millrace.inbound.refusals": {
    type: "counter",
    unit: "{request}",
    labels: ["type", "reason"],
    help: "Requests to inbound addresses whose sender has not proven itself; the reason is missing, stale or wrong"
  },
  "millrace.mailbox.set_aside": {
    type: "counter",
    unit: "{row}",
    labels: [],
    help: "Rows given up after ten claims without a result"
  },
  "millrace.relay.events": { type: "counter", unit: "{event}", labels: [], help: "Events fanned out by this process" },
  "millrace.actors": { type: "gauge", unit: "{actor}", labels: ["state"], help: "Actors of all processes by state" },
  "millrace.places.limit": {
    type: "gauge",
    unit: "{place}",
    labels: ["kind"],
    help: "Places of this process as they are now, without the reserve"
  },
  "millrace.places.taken": { type: "gauge", unit: "{place}", labels: ["kind"], help: "Places in use in this process" },
  "millrace.places.waiting": {
    type: "gauge",
    unit: "{place}",
    labels: ["kind"],
    help: "Who waits for a place in this process"
  },
  "millrace.part.up": {
    type: "gauge",
    unit: "{part}",
    labels: ["part"],
    help: "1 where a part is well, as in /health/ready"
  },
  "millrace.part.restarts": {
    type: "gauge",
    unit: "{restart}",
    labels: ["part"],
    help: "How often npm start has restarted an embedded part within the last ten minutes"
  },
  "millrace.script.duration": {
    type: "histogram",
    unit: "s",
    labels: ["mode", "outcome"],
    help: "Scripts of automations, waiting for a place included",
    buckets: workBuckets
  },
  "millrace.pdf.duration": {
    type: "histogram",
    unit: "s",
    labels: ["outcome"],
    help: "Documents printed, waiting for a place included",
    buckets: workBuckets
  },
  "millrace.mail.duration": {
    type: "histogram",
    unit: "s",
    labels: ["outcome"],
    help: "Mails handed to a server: sent, kept (no server is configured) or why not",
    buckets: workBuckets
  },
  "db.client.connection.max": {
    type: "gauge",
    unit: "{connection}",
    labels: [POOL],
    help: "Connections that a pool may open"
  },
  "db.client.connection.count": {
    type: "gauge",
    unit: "{connection}",
    labels: [POOL, "db.client.connection.state"],
    help: "Connections of a pool that transactions hold (used)"
  },
  "db.client.connection.pending_requests": {
    type: "gauge",
    unit: "{request}",
    labels: [POOL],
    help: "Transactions that wait for a connection of a pool"
  },
  "db.client.connection.wait_time": {
    type: "histogram",
    unit: "s",
    labels: [POOL],
    help: "Time to get a connection of a pool for one's own, tried at each collection",
    buckets: requests
  },
  "millrace.postgres.connections": {
    type: "gauge",
    unit: "{connection}",
    labels: ["application", "state"],
    help: "Our connections as the database sees them, of all processes"
  },
  "millrace.postgres.transaction.age": { type: "gauge", unit: "s", labels: [], help: "Our oldest open transaction" },
  "millrace.postgres.size": { type: "gauge", unit: "By", labels: [], help: "Size of the database" },
  "nodejs.eventloop.delay.p50": {
    type: "gauge",
    unit: "s",
    labels: [],
    help: "Delay of the event loop in the last minute, median"
  },
  "nodejs.eventloop.delay.p99": { type: "gauge", unit: "s", labels: [], help: "The same, 99th percentile" },
  "nodejs.eventloop.delay.max": { type: "gauge", unit: "s", labels: [], help: "The same, longest" },
  "nodejs.eventloop.utilization": {
    type: "gauge",
    unit: "1",
    labels: [],
    help: "Share of time that the event loop was busy since the last collection"
  },
  "millrace.eventloop.stalls": {
    type: "counter",
    unit: "{stall}",
    labels: [],
    help: "Times that something held the event loop for more than 200 ms"
  },
  "process.cpu.time": { type: "counter", unit: "s", labels: ["cpu.mode"], help: "Time of processors used" },
  "process.memory.usage": { type: "gauge", unit: "By", labels: [], help: "Memory in use (resident set)" },
  "process.uptime": { type: "gauge", unit: "s", labels: [], help: "Time since the process started" },
  "process.open_fds": {
    type: "gauge",
    unit: "{file_descriptor}",
    labels: [],
    help: "Open files and sockets (Linux)"
  },
  "v8js.memory.heap.limit": { type: "gauge", unit: "By", labels: [], help: "How large the heap may become" },
  "v8js.memory.heap.used": { type: "gauge", unit: "By", labels: ["v8js.heap.space.name"], help: "Heap in use" },
  "v8js.gc.duration": {
    type: "histogram",
    unit: "s",
    labels: ["v8js.gc.type"],
    help: "Pauses of the garbage collection",
    buckets: collectionBuckets
  }
} as const satisfies Readonly<Record<string, MetricSpec>>

export type MetricName = keyof typeof metrics
type OfType<T extends MetricSpec["type"]> = {
  [N in MetricName]: (typeof metrics)[N]["type"] extends T ? N : never
}[MetricName]
export type CounterName = OfType<"counter">
export type GaugeName = OfType<"gauge">
export type HistogramName = OfType<"histogram">

/** Value for each label of a metric, in their order; an empty one leaves its label out. */
export type LabelValues<N extends MetricName> = ValuesOf<(typeof metrics)[N]["labels"]>
type ValuesOf<L extends ReadonlyArray<string>> = { readonly [K in keyof L]: string }

const suffixes: Readonly<Record<string, string>> = { s: "_seconds", By: "_bytes", "1": "_ratio" }

/** Name in Prometheus, by OpenTelemetry's rules, without the `_total` of counters. */
export const prometheusName = (name: MetricName): string => {
  const base = name.replaceAll(".", "_")
  const suffix = suffixes[metrics[name].unit] ?? ""
  return base.endsWith(suffix) ? base : `${base}${suffix}`
}

export const prometheusLabel = (label: string): string => label.replaceAll(".", "_")

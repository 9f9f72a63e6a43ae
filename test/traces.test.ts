// Traces over processes: what one change sets off is one trace, from the request in the API's process through relay, delivery, run, steps
// and calls to others in the worker's. Where it fans out there are links.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerPool } from "../src/platform/sql/Pool.ts"
import { automate, createRecord, setText } from "./domain/automations/runSupport.ts"
import { seedApp } from "./domain/automations/support.ts"
import { App } from "./support/app.ts"
import { remote, verifiedHook } from "./support/busyService.ts"
import { freshDatabaseUrl } from "./support/database.ts"
import { eventually } from "./support/eventually.ts"
import { startService } from "./support/processes.ts"
import { type Receiver, receiver } from "./support/receiver.ts"
import { freshNamespace, TestConnection, temporalAddress } from "./support/temporal.ts"

interface Span {
  readonly name: string
  readonly role: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
  readonly attributes: Readonly<Record<string, unknown>>
}

const attributesOf = (list: ReadonlyArray<any>) =>
  Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? value : Number(value.intValue))
    ])
  )

const spansIn = ({ body }: { readonly body: string }): ReadonlyArray<Span> =>
  JSON.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        ...span,
        role: attributesOf(resource.attributes)["millrace.role"],
        attributes: attributesOf(span.attributes)
      }))
    )
  )

class World extends Context.Service<
  World,
  { readonly outside: Receiver; readonly collector: Receiver; readonly origin: string; readonly printed: () => string }
>()("test/traces/World") {}

const two = Layer.effectContext(
  Effect.gen(function* () {
    const url = yield* freshDatabaseUrl
    const namespace = yield* freshNamespace
    const [outside, collector] = [yield* receiver(), yield* receiver()]
    const shared = {
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: namespace,
      OUTBOUND_ALLOW: outside.hostPort,
      HTTP_CALL_PORTS: new URL(outside.origin).port,
      ACTOR_TUNING: JSON.stringify({ lingerMillis: 500, sweepEveryMillis: 500, relayPollMillis: 200 }),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: "200",
      LOG_LEVEL: "debug",
      LOG_FORMAT: "json"
    }
    const api = yield* startService(url, { ...shared, ROLE: "api" })
    const worker = yield* startService(url, { ...shared, ROLE: "worker" })
    const pool = yield* Layer.build(layerPool({ url: Redacted.make(url), maxConnections: 2, applicationName: "tests" }))
    return Context.mergeAll(
      pool,
      Context.make(App, remote(api.origin)),
      Context.make(World, { outside, collector, origin: api.origin, printed: () => api.output() + worker.output() })
    )
  })
).pipe(Layer.provide(TestConnection.layer))

const sentSpans = Effect.map(World, ({ collector }) => collector.of("/v1/traces").flatMap(spansIn))

const spansWhen = (what: string, wanted: (spans: ReadonlyArray<Span>) => boolean) => eventually(what, sentSpans, wanted)

/** Names from the root down to the span. */
const chainOf = (spans: ReadonlyArray<Span>, span: Span): ReadonlyArray<string> => {
  const parent = spans.find(({ spanId, traceId }) => traceId === span.traceId && spanId === span.parentSpanId)
  const spanName = `${span.role}: ${span.name}`
  return parent === undefined ? [spanName] : [...chainOf(spans, parent), spanName]
}

/** Without what the database is asked, and our own services' methods. */
const withoutInternals = (chain: ReadonlyArray<string>) => chain.filter((name) => !/: (?:sql\.|[A-Z]\w+\.)/.test(name))

const trigger = { type: "record_created", config: {} }

const requested = "api: POST /v1/record/app/:app_id"
const CREATE = "POST /v1/record/app/:app_id"

layer(two, { excludeTestServices: true, timeout: "2 minutes" })("one change is one trace", (it) => {
  it.effect("from the request to its delivery, its run, the run's steps and what they call, over two processes", () =>
    Effect.gen(function* () {
      const { outside } = yield* World
      const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Title" } }])
      yield* verifiedHook(outside, { appId, token }, "/received")
      const called = yield* automate(token, appId, {
        trigger: { type: "automation_called", config: { custom_variable_defs: [] } },
        actions: [{ type: "exit", config: { exit_type: "success" } }]
      })
      yield* automate(token, appId, {
        trigger,
        actions: [
          {
            type: "http_call",
            config: { http_call_type: "get", http_call_url: [`${outside.origin}/called?key=a-token`] }
          },
          setText(fields["title"]!, "seen"),
          { type: "current_record_call_automation", config: { automation_id: called } }
        ]
      })
      yield* createRecord(token, appId, { title: "x" })
      const relayed = `${requested} > worker: relay record.create`
      const run = `${relayed} > worker: run automation`
      const expectedChains = [
        `${relayed} > worker: deliver record.create > worker: POST`,
        `${run} > worker: start automationRun`,
        `${run} > worker: run segment > worker: step http_call > worker: GET`,
        `${run} > worker: run segment > worker: step current_record_update`,
        `${run} > worker: run segment > worker: step current_record_call_automation > worker: relay command.automation.fire`
      ]
      const isCalled = ({ attributes, name }: Span) =>
        name === "run automation" && attributes["millrace.automation.id"] === called
      const chainsOf = (all: ReadonlyArray<Span>) => {
        const traceId = all.find(({ name }) => name === CREATE)?.traceId
        return all
          .filter((span) => span.traceId === traceId)
          .map((span) => withoutInternals(chainOf(all, span)).join(" > "))
      }
      // Each process sends its spans when it is ready to.
      const spans = yield* spansWhen(
        "all chains, and the called run",
        (all) => all.some(isCalled) && expectedChains.every((chain) => chainsOf(all).includes(chain))
      )
      const root = spans.find(({ name }) => name === CREATE)!
      // A called automation's run is a trace of its own, with a link.
      const hand = spans.find(
        ({ name, traceId }) => traceId === root.traceId && name === "relay command.automation.fire"
      )!
      const other = spans.find(isCalled)!
      assert.notStrictEqual(other.traceId, root.traceId)
      assert.deepInclude(other.links[0], { traceId: hand.traceId, spanId: hand.spanId })
      // Nothing that is found out by it.
      assert.notInclude(JSON.stringify(spans), "a-token")
    })
  )

  it.effect("a change of many records fans out: what comes of each is a trace of its own, linked to the change", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { outside } = yield* World
      const { appId, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Title" } }])
      yield* verifiedHook(outside, { appId, token }, "/batched")
      const inputs = ["a", "b", "c"].map((title) => ({ fields: { title } }))
      const createReply = yield* app.call("POST", `/v1/record/app/batch/${appId}`, { token, body: { inputs } })
      assert.strictEqual(createReply.status, 200, createReply.text)
      const ofApp = (spans: ReadonlyArray<Span>) =>
        spans.filter(
          ({ attributes, name }) => name === "relay record.create" && attributes["millrace.app.id"] === appId
        )
      const delivered = (spans: ReadonlyArray<Span>) =>
        ofApp(spans).filter((relayed) =>
          spans.some(({ name, parentSpanId }) => name === "deliver record.create" && parentSpanId === relayed.spanId)
        )
      const isRequest = ({ name }: Span) => name === "POST /v1/record/app/batch/:app_id"
      const spans = yield* spansWhen(
        "the request and three deliveries",
        (all) => all.some(isRequest) && delivered(all).length === 3
      )
      const request = spans.find(isRequest)!
      const relayed = ofApp(spans)
      assert.strictEqual(new Set([...relayed.map(({ traceId }) => traceId), request.traceId]).size, 4)
      for (const { links } of relayed) assert.deepStrictEqual([links.length, links[0]!.traceId], [1, request.traceId])
    })
  )

  it.effect("what comes in at an automation's address begins a trace that does not know the address", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { collector, origin } = yield* World
      const { appId, token } = yield* seedApp()
      const createReply = yield* app.call("POST", `/v1/automation/app/${appId}`, {
        token,
        body: {
          name: "Inbound",
          trigger: { type: "webhook_received", config: {} },
          actions: [{ type: "exit", config: { exit_type: "success" } }]
        }
      })
      yield* app.call("POST", `/v1/automation/${createReply.json.automation.id}/activate`, { token })
      const { pathname } = new URL(createReply.json.automation.trigger.config.webhook_url)
      const caught = yield* Effect.promise(() => fetch(`${origin}${pathname}`, { method: "POST", body: "{}" }))
      assert.strictEqual(caught.status, 202)
      const isRun = ({ attributes, name }: Span) =>
        name === "run automation" && attributes["millrace.trigger"] === "webhook_received"
      const ofRun = (all: ReadonlyArray<Span>) => all.filter(isRun).map((span) => withoutInternals(chainOf(all, span)))
      const chains = yield* eventually("its run, from the request on", Effect.map(sentSpans, ofRun), ([chain]) =>
        (chain ?? []).some((name) => name.startsWith("api: "))
      )
      assert.deepStrictEqual(chains, [
        ["api: POST /api/catch/:token", "worker: relay command.automation.fire", "worker: run automation"]
      ])
      assert.isEmpty(collector.received.filter(({ body }) => body.includes(pathname.split("/").at(-1)!)))
    })
  )

  it.effect("a change that is not sampled leaves nothing with its rows, and nothing that it sets off is told of", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { outside } = yield* World
      const sql = yield* SqlClient.SqlClient
      const { appId, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Title" } }])
      yield* verifiedHook(outside, { appId, token }, "/unsampled")
      const traceId = "ab".repeat(16)
      const headers = (flag: string) => ({ traceparent: `00-${traceId}-${"cd".repeat(8)}-${flag}` })
      const create = (flag: string) =>
        app.call("POST", `/v1/record/app/${appId}`, {
          token,
          headers: headers(flag),
          body: { fields: { title: flag } }
        })
      yield* create("00")
      yield* create("01")
      const ours = (spans: ReadonlyArray<Span>) => spans.filter((span) => span.traceId === traceId)
      const deliveries = ({ name }: Span) => name === "deliver record.create"
      const spans = yield* spansWhen("the later one's delivery", (all) => ours(all).some(deliveries))
      assert.strictEqual(ours(spans).filter(deliveries).length, 1)
      const kept = yield* sql<{ traceparent: string | null }>`
        SELECT d.traceparent FROM webhook_deliveries d JOIN hooks USING (hook_id) WHERE app_id = ${appId} ORDER BY event_id`
      assert.isNull(kept[0]!.traceparent)
      assert.match(kept[1]!.traceparent!, new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
    })
  )

  it.effect("looking for work begins no trace", () =>
    Effect.gen(function* () {
      const roots = new Set(
        (yield* sentSpans).filter(({ parentSpanId }) => !parentSpanId).map(({ name, role }) => `${role}: ${name}`)
      )
      const rootPattern =
        /^(?:api|worker): (?:(?:GET|POST)(?: |$)|verify hook$|housekeeping |relay |run automation$|Reconcile\.run$)/
      assert.deepStrictEqual(
        [...roots].filter((root) => !rootPattern.test(root)),
        []
      )
    })
  )

  it.effect("and every line of the log is an object that names its role, its trace, and the request or the run", () =>
    Effect.gen(function* () {
      const { printed } = yield* World
      const lines = printed()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
      assert.deepStrictEqual([...new Set(lines.map(({ role }) => role))].toSorted(), ["api", "worker"])
      const request = lines.find(
        ({ message, trace_id: trace }) => /^POST \/v1\/record\/app\/\d+ 200 /.test(message) && trace
      )
      assert.match(request.request, /^[0-9a-f-]{36}$/)
      const run = lines.find(({ message }) => message === "a segment of the run ends: completed")
      assert.match(run.run, /^\d+$/)
      yield* spansWhen("the traces that they name", (all) =>
        [request, run].every((line) => all.some(({ traceId }) => traceId === line.trace_id))
      )
    })
  )
})

// Both forms of the page: exemplars and units in OpenMetrics, an adopted page in the form that is asked for.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { page } from "../../../src/platform/metrics/exposition.ts"
import { counter, gauge, histogram } from "../../../src/platform/metrics/instruments.ts"
import { adoptPage, observe, observing } from "../../../src/platform/metrics/observers.ts"

const span = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }

const temporal = `# HELP temporal_request_total Requests
# TYPE temporal_request_total counter
temporal_request_total{operation="StartWorkflowExecution"} 3
# TYPE temporal_request_latency_seconds histogram
temporal_request_latency_seconds_count 3
`

describe("the page of metrics", () => {
  it("a traced observation is the exemplar of its bucket, in OpenMetrics alone", () => {
    const calls = histogram("http.client.request.duration")
    calls.observe(0.003, "QUERY", "200", "")
    calls.observeTraced(span, 0.06, "QUERY", "200", "")
    calls.observeTraced({ ...span, spanId: "ffff000000000000" }, 0.3, "QUERY", "200", "")
    calls.observeTraced(span, 99, "QUERY", "200", "")
    const series =
      'http_client_request_duration_seconds_bucket{http_request_method="QUERY",http_response_status_code="200"'
    const lines = page("openmetrics").split("\n")
    const bucket = (bound: string) => lines.find((line) => line.startsWith(`${series},le="${bound}"}`)) ?? ""
    assert.match(
      bucket("0.075"),
      /\} 2 # \{trace_id="0af7651916cd43dd8448eb211c80319c",span_id="b7ad6b7169203331"\} 0\.06 \d+\.\d{3}$/
    )
    assert.match(bucket("0.5"), /\} 3 # \{.*span_id="ffff000000000000"\} 0\.3 /)
    assert.match(bucket("+Inf"), /\} 4 # \{.*\} 99 /)
    assert.match(bucket("0.005"), /\} 1$/)
    assert.notInclude(page("text"), "trace_id")
  })

  it("values of labels are escaped", () => {
    counter("millrace.oauth.requests").add(1, 'a"b\\c\nd', "ok")
    assert.include(page("text"), 'millrace_oauth_requests_total{endpoint="a\\"b\\\\c\\nd",reason="ok"} 1\n')
  })

  it("a gauge that was set once and is not set again is 0", () => {
    const connections = gauge("millrace.postgres.connections")
    connections.set(4, "millrace-test", "idle_in_transaction")
    connections.clear()
    connections.set(2, "millrace-test", "idle")
    const text = page("text")
    assert.include(text, 'millrace_postgres_connections{application="millrace-test",state="idle_in_transaction"} 0\n')
    assert.include(text, 'millrace_postgres_connections{application="millrace-test",state="idle"} 2\n')
  })

  it.effect("an adopted page follows ours; in OpenMetrics its counters' families lose their suffix", () =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* adoptPage("test", Effect.succeed(temporal))
        const prometheusPage = yield* observe
        assert.include(prometheusPage, temporal)
        assert.include(page("text", [temporal]), temporal)
        const openMetricsPage = page("openmetrics", [temporal])
        assert.include(openMetricsPage, "# TYPE temporal_request counter\ntemporal_request_total{")
        assert.include(openMetricsPage, "# HELP temporal_request Requests\n")
        assert.isTrue(openMetricsPage.endsWith("temporal_request_latency_seconds_count 3\n# EOF\n"))
      })
    )
  )

  it.effect("an observer that fails costs its own metrics alone", () =>
    Effect.scoped(
      Effect.gen(function* () {
        let observeCount = 0
        yield* observing("broken", Effect.die(new Error("no")))
        yield* observing(
          "sound",
          Effect.sync(() => void observeCount++)
        )
        yield* observe
        assert.strictEqual(observeCount, 1)
      })
    )
  )
})

// What /metrics tells: OpenTelemetry's conventions over Prometheus's text and OpenMetrics.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import { eventually } from "../../support/eventually.ts"

const METRICS_TOKEN = "a-token-of-the-operator"

const collect = (accept = "*/*") =>
  Effect.flatMap(App, (app) => app.call("GET", "/metrics", { token: METRICS_TOKEN, headers: { accept } }))

/** As Prometheus asks. */
const PROMETHEUS =
  "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"

layer(appLayer({ METRICS_TOKEN }), { excludeTestServices: true })("/metrics", (it) => {
  it.effect("counts requests by method, route template and status, and never by the path itself", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const seriesOf = (labels: string) => `http_server_request_duration_seconds_count{${labels}}`
      const common = 'url_scheme="http",'
      const reads = seriesOf(
        `http_request_method="GET",${common}http_route="/v1/record/:record_id",http_response_status_code="404"`
      )
      const readCount = (text: string) => {
        const [, after = ""] = text.split(`${reads} `)
        return Number.parseInt(after, 10) || 0
      }
      // The process may have answered such requests before.
      const countBefore = readCount((yield* collect()).text)
      yield* app.call("GET", "/v1/record/471100", { token: owner.key })
      yield* app.call("GET", "/v1/record/471200", { token: owner.key })
      yield* app.call("GET", "/nothing/471300")
      yield* app.call("REPORT", "/v1/user")
      // A request is counted when its answer is through, a moment after the client has it.
      const { headers, text } = yield* eventually(
        "both reads",
        collect(),
        ({ text }) => readCount(text) === countBefore + 2
      )
      assert.match(headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
      assert.include(text, seriesOf(`http_request_method="GET",${common}http_response_status_code="404"`))
      assert.include(
        text,
        seriesOf(`http_request_method="_OTHER",${common}http_response_status_code="501",error_type="501"`)
      )
      // In labels: a sum of seconds may hold any digits.
      const labels = text.split("\n").flatMap((line) => line.match(/\{.*\}/)?.[0] ?? [])
      assert.isAbove(labels.length, 20)
      assert.notMatch(labels.join("\n"), /4711|4712|4713|REPORT/)
      const bounds = [...text.matchAll(/^http_server_request_duration_seconds_bucket\{.*le="([^"]+)"\}/gm)].map(
        ([, bound]) => bound
      )
      const convention = "0.005 0.01 0.025 0.05 0.075 0.1 0.25 0.5 0.75 1 2.5 5 7.5 10 +Inf".split(" ")
      assert.deepStrictEqual(bounds.slice(0, convention.length), convention)
    })
  )

  it.effect("tells what waits for each stage, and how long", () =>
    Effect.gen(function* () {
      const { text } = yield* collect()
      for (const stage of ["outbox", "webhooks", "automations", "places", "credits"]) {
        assert.match(text, new RegExp(`^millrace_backlog_size\\{stage="${stage}"\\} \\d+$`, "m"))
        assert.match(text, new RegExp(`^millrace_backlog_age_seconds\\{stage="${stage}"\\} [\\d.]+$`, "m"))
      }
      assert.match(text, /^millrace_actors\{state="asleep"\} 0$/m)
      assert.match(text, /^millrace_part_up\{part="postgres"\} 1$/m)
      assert.match(text, /^db_client_connection_max\{db_client_connection_pool_name="\S+"\} \d+$/m)
      assert.match(text, /^millrace_postgres_size_bytes \d+$/m)
    })
  )

  it.effect("answers OpenMetrics to who likes it better, as Prometheus does", () =>
    Effect.gen(function* () {
      const { headers, text } = yield* collect(PROMETHEUS)
      assert.match(headers.get("content-type") ?? "", /^application\/openmetrics-text; version=1\.0\.0/)
      assert.isTrue(text.endsWith("# EOF\n"))
      assert.match(text, /^# TYPE millrace_relay_events counter$|^# TYPE millrace_run_credits counter$/m)
      assert.match(text, /^# UNIT http_server_request_duration_seconds seconds$/m)
      assert.match(text, /_bucket\{[^}]*le="10\.0"\} /)
      const plainPage = yield* collect("text/plain;version=0.0.4")
      assert.match(plainPage.headers.get("content-type") ?? "", /^text\/plain/)
    })
  )
})

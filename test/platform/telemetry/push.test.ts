// OTEL_METRICS_EXPORTER=otlp: what the page tells goes out over OTLP as well, under OpenTelemetry's own names.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshDatabaseUrl } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"
import { startService } from "../../support/processes.ts"
import { receiver } from "../../support/receiver.ts"

const attributesOf = (list: ReadonlyArray<any>) =>
  Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

it.live("metrics are pushed with names, units and attributes of the conventions, as the service that is named", () =>
  Effect.gen(function* () {
    const collector = yield* receiver()
    const service = yield* startService(yield* freshDatabaseUrl, {
      OTEL_METRICS_EXPORTER: "otlp,prometheus",
      OTEL_TRACES_EXPORTER: "none",
      OTEL_METRIC_EXPORT_INTERVAL: "500",
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.origin}/base/`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=of%20ours",
      OTEL_SERVICE_NAME: "harbor",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test"
    })
    yield* Effect.promise(() => fetch(`${service.origin}/v1/record/4711`))
    const named = (body: string, name: string) =>
      JSON.parse(body).resourceMetrics[0].scopeMetrics[0].metrics.find((metric: any) => metric.name === name)
    const [last] = yield* eventually(
      "the request's metric",
      Effect.sync(() => collector.of("/base/v1/metrics").toReversed()),
      ([latest]) =>
        latest !== undefined &&
        named(latest.body, "http.server.request.duration")?.histogram.dataPoints.some(
          ({ attributes }: any) => attributesOf(attributes)["http.route"] === "/v1/record/:record_id"
        )
    )
    assert.strictEqual(last!.headers["x-key"], "of ours")
    const resource = attributesOf(JSON.parse(last!.body).resourceMetrics[0].resource.attributes)
    assert.deepInclude(resource, {
      "service.name": "harbor",
      "deployment.environment.name": "test",
      "millrace.role": "api"
    })
    assert.match(resource["service.instance.id"], /^[0-9a-f-]{36}$/)
    assert.strictEqual(named(last!.body, "http.server.request.duration").unit, "s")
    assert.strictEqual(named(last!.body, "process.memory.usage").unit, "By")
    assert.isAbove(named(last!.body, "process.memory.usage").gauge.dataPoints[0].asDouble, 1e7)
    assert.isEmpty(collector.of("/base/v1/traces"))
    const page = yield* Effect.promise(async () => (await fetch(`${service.origin}/metrics`)).text())
    assert.include(page, "http_server_request_duration_seconds_count")
  }).pipe(Effect.scoped)
)

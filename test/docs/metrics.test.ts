// docs/metrics.md lists every metric as the registry has it; names keep to what Prometheus and OpenTelemetry ask of them.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import {
  type MetricName,
  type MetricSpec,
  metrics,
  prometheusLabel,
  prometheusName
} from "../../src/platform/metrics/registry.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/metrics.md", import.meta.url)), "utf8")
const metricEntries = Object.entries(metrics) as ReadonlyArray<[MetricName, MetricSpec]>

const metricRowOf = ([name, { help, labels, type, unit }]: readonly [MetricName, MetricSpec]) => {
  const prometheus = `${prometheusName(name)}${type === "counter" ? "_total" : ""}`
  const labelCell = labels.map((label) => `\`${prometheusLabel(label)}\``).join(", ")
  return `| \`${prometheus}\` | ${type} | ${unit.replace(/[{}]/g, "")} | ${labelCell} | ${help} |`
}

describe("docs/metrics.md", () => {
  it("lists every metric with type, unit, labels and meaning, and no other", () => {
    const rows = page.split("\n").filter((line) => /^\| `\w+` \| (?:counter|gauge|histogram) \|/.test(line))
    assert.deepStrictEqual(rows, metricEntries.map(metricRowOf))
  })

  it("no name ends in what its type adds, durations are in seconds, sizes in bytes", () => {
    for (const [name, { buckets, type, unit }] of metricEntries) {
      assert.match(name, /^(?:http|db|nodejs|v8js|process|millrace)(?:\.[a-z][a-z0-9_]*)+$/)
      assert.notMatch(name, /(?:_|\.)(?:total|seconds|bytes|count_total)$/, name)
      assert.match(unit, /^(?:s|By|1|\{[a-z_]+\})$/, name)
      assert.strictEqual(type === "histogram", buckets !== undefined, name)
      assert.deepStrictEqual(
        buckets ?? [],
        (buckets ?? []).toSorted((a, b) => a - b),
        name
      )
    }
  })

  it("no label says whose something is", () => {
    const labels = new Set(metricEntries.flatMap(([, { labels }]) => labels))
    for (const label of labels)
      assert.notMatch(label, /org|tenant|app_|user|person|client_id|hook|record|address|host|url$/)
  })
})

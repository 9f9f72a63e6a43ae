// Renders the metrics of a process in the two forms that Prometheus reads: its text format 0.0.4, and OpenMetrics 1.0, which has exemplars
// and units.
import type { Metric } from "effect"
import { type Exemplar, type Series, seriesOf } from "./instruments.ts"
import { type MetricName, type MetricSpec, metrics, prometheusLabel, prometheusName } from "./registry.ts"

export type Form = "text" | "openmetrics"

export const contentTypes: Readonly<Record<Form, string>> = {
  text: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
}

const escaped = (value: string) => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

const labelled = (labels: Readonly<Record<string, string>>, bound?: string): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${prometheusLabel(name)}="${escaped(value)}"`)
  if (bound !== undefined) pairs.push(`le="${bound}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

/** OpenMetrics writes bounds as floats. */
const boundOf = (bound: number, form: Form) =>
  form === "openmetrics" && Number.isInteger(bound) ? `${bound}.0` : String(bound)

const exemplarOf = (exemplar: Exemplar | undefined, form: Form) =>
  form === "text" || exemplar === undefined
    ? ""
    : ` # {trace_id="${exemplar.traceId}",span_id="${exemplar.spanId}"} ${exemplar.value} ${(exemplar.at / 1000).toFixed(3)}`

const histogramLines = (name: string, { exemplars, labels, state }: Series, form: Form): ReadonlyArray<string> => {
  const { buckets, count, sum } = state() as Metric.HistogramState
  return [
    ...buckets.map(
      ([bound, below], index) =>
        `${name}_bucket${labelled(labels, boundOf(bound, form))} ${below}${exemplarOf(exemplars[index], form)}`
    ),
    `${name}_bucket${labelled(labels, "+Inf")} ${count}${exemplarOf(exemplars[buckets.length], form)}`,
    `${name}_sum${labelled(labels)} ${sum}`,
    `${name}_count${labelled(labels)} ${count}`
  ]
}

const linesOf = (name: string, type: MetricSpec["type"], series: Series, form: Form): ReadonlyArray<string> => {
  switch (type) {
    case "histogram":
      return histogramLines(name, series, form)
    case "counter":
      return [`${name}_total${labelled(series.labels)} ${(series.state() as Metric.CounterState<number>).count}`]
    case "gauge":
      return [`${name}${labelled(series.labels)} ${(series.state() as Metric.GaugeState<number>).value}`]
  }
}

const familyLines = (metric: MetricName, form: Form): ReadonlyArray<string> => {
  const allSeries = [...seriesOf(metric)]
  if (allSeries.length === 0) return []
  const { help, type, unit }: MetricSpec = metrics[metric]
  const name = prometheusName(metric)
  // Names the family in OpenMetrics, which has no `_total`.
  const familyName = form === "text" && type === "counter" ? `${name}_total` : name
  const units: Readonly<Record<string, string>> = { s: "seconds", By: "bytes", "1": "ratio" }
  return [
    `# HELP ${familyName} ${escaped(help)}`,
    `# TYPE ${familyName} ${type}`,
    ...(form === "openmetrics" && units[unit] !== undefined ? [`# UNIT ${familyName} ${units[unit]}`] : []),
    ...allSeries.flatMap((series) => linesOf(name, type, series, form))
  ]
}

/** Text page of another exporter in the process, converted to the requested form. */
const adopted = (text: string, form: Form): string =>
  form === "text" ? text : text.replace(/^(# (?:HELP|TYPE) \w+?)_total( counter| )/gm, "$1$2")

/** Page of all metrics. @param others pages of libraries in the text format */
export const page = (form: Form, others: ReadonlyArray<string> = []): string => {
  const ownLines = (Object.keys(metrics) as ReadonlyArray<MetricName>).flatMap((name) => familyLines(name, form))
  return [
    ...ownLines.map((line) => `${line}\n`),
    ...others.map((text) => adopted(text, form)),
    ...(form === "openmetrics" ? ["# EOF\n"] : [])
  ].join("")
}

// Instruments over Effect's metrics: a series per set of label values, made once, so that counting costs a look-up. A histogram keeps the
// last traced observation of each bucket (an exemplar), for OpenMetrics.
import { Context, Metric } from "effect"
import {
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelValues,
  type MetricName,
  type MetricSpec,
  metrics
} from "./registry.ts"

export interface Exemplar {
  readonly traceId: string
  readonly spanId: string
  readonly value: number
  /** Milliseconds. */
  readonly at: number
}

/** Sampled span of an observation. */
export interface Traced {
  readonly traceId: string
  readonly spanId: string
}

export interface Series<State = unknown> {
  readonly labels: Readonly<Record<string, string>>
  readonly state: () => State
  readonly exemplars: ReadonlyArray<Exemplar | undefined>
}

const root = Context.empty()
const seriesByMetric = new Map<MetricName, Map<string, Series>>()

/** All series of a metric. */
export const seriesOf = (name: MetricName): Iterable<Series> => seriesByMetric.get(name)?.values() ?? []

/** Attributes that exporters need besides the name; over Prometheus the unit is part of the name. */
const attributesOf = (spec: MetricSpec, labels: Readonly<Record<string, string>>) => ({ ...labels, unit: spec.unit })

/** Finds the series of label values, and makes it on first use. */
const family = <N extends MetricName, S extends Series>(
  name: N,
  make: (labels: Readonly<Record<string, string>>) => S
) => {
  const seriesByKey = (seriesByMetric.get(name) ?? new Map()) as Map<string, S>
  seriesByMetric.set(name, seriesByKey)
  const names: ReadonlyArray<string> = metrics[name].labels
  return {
    all: seriesByKey,
    at: (values: LabelValues<N>): S => {
      const list = values as unknown as ReadonlyArray<string>
      let key = ""
      for (let index = 0; index < list.length; index++) key += `${list[index]}\n`
      const existingSeries = seriesByKey.get(key)
      if (existingSeries !== undefined) return existingSeries
      const newSeries = make(
        Object.fromEntries(names.flatMap((label, i) => (list[i] === "" ? [] : [[label, list[i]!]])))
      )
      seriesByKey.set(key, newSeries)
      return newSeries
    }
  }
}

const none: ReadonlyArray<undefined> = []

export const counter = <N extends CounterName>(name: N) => {
  const spec: MetricSpec = metrics[name]
  const { at } = family(name, (labels) => {
    const attributes = attributesOf(spec, labels)
    const metric = Metric.counter(name, { description: spec.help, incremental: true, attributes })
    const add = (by: number) => metric.updateUnsafe(by, root)
    add(0)
    return { labels, exemplars: none, state: () => metric.valueUnsafe(root), add }
  })
  // Creates the series of a counter without labels at once, so that a rate begins with 0.
  if (spec.labels.length === 0) at([] as never)
  return { add: (by: number, ...values: LabelValues<N>): void => at(values).add(by) }
}

export const gauge = <N extends GaugeName>(name: N) => {
  const spec: MetricSpec = metrics[name]
  const { all, at } = family(name, (labels) => {
    const metric = Metric.gauge(name, { description: spec.help, attributes: attributesOf(spec, labels) })
    return {
      labels,
      exemplars: none,
      state: () => metric.valueUnsafe(root),
      set: (value: number) => metric.updateUnsafe(value, root),
      add: (by: number) => metric.modifyUnsafe(by, root)
    }
  })
  return {
    set: (value: number, ...values: LabelValues<N>): void => at(values).set(value),
    add: (by: number, ...values: LabelValues<N>): void => at(values).add(by),
    /** Sets all series to 0, so that a series that is not set again does not keep its old value. */
    clear: (): void => {
      for (const series of all.values()) series.set(0)
    }
  }
}

export const histogram = <N extends HistogramName>(name: N) => {
  const { buckets, help, ...spec }: MetricSpec & { readonly buckets: ReadonlyArray<number> } = metrics[name]
  const { at } = family(name, (labels) => {
    const attributes = attributesOf({ ...spec, help }, labels)
    const metric = Metric.histogram(name, { description: help, boundaries: buckets, attributes })
    const exemplars: Array<Exemplar | undefined> = []
    const observe = (value: number, span: Traced | undefined) => {
      metric.updateUnsafe(value, root)
      if (span === undefined) return
      const bucket = buckets.findIndex((bound) => value <= bound)
      const { spanId, traceId } = span
      exemplars[bucket < 0 ? buckets.length : bucket] = { traceId, spanId, value, at: Date.now() }
    }
    return { labels, exemplars, state: () => metric.valueUnsafe(root), observe }
  })
  return {
    observe: (value: number, ...values: LabelValues<N>): void => at(values).observe(value, undefined),
    observeTraced: (span: Traced | undefined, value: number, ...values: LabelValues<N>): void =>
      at(values).observe(value, span)
  }
}

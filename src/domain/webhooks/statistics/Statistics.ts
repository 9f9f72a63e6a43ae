// Statistics of executions as the API shows them.
import { Schema } from "effect"
import type { DeliveryStatus } from "../Delivery.ts"

export const StatisticsStep = Schema.Literals(["minute", "hour", "day"]).annotate({ identifier: "StatisticsStep" })
export type StatisticsStep = typeof StatisticsStep.Type

/** Hours for which counts are kept by the minute; afterwards by the hour. */
export const FINE_HOURS = 48

const Percentile = Schema.NullOr(Schema.Int)

/** Executions by the status that they left their delivery in. */
export const outcomeFields = {
  delivered: Schema.Int,
  retrying: Schema.Int,
  failed: Schema.Int,
  withheld: Schema.Int
} satisfies Partial<Record<DeliveryStatus, unknown>>
export const outcomes = Object.keys(outcomeFields) as ReadonlyArray<keyof typeof outcomeFields>

const tally = {
  executions: Schema.Int,
  ...outcomeFields,
  latency_ms: Schema.Struct({ p50: Percentile, p95: Percentile, p99: Percentile }).annotate({ identifier: "Latencies" })
}
const TallyShown = Schema.Struct(tally)
export type OutcomeCounts = typeof TallyShown.Type

export const Statistics = Schema.Struct({
  since: Schema.String,
  /** Not included. */
  until: Schema.String,
  step: StatisticsStep,
  total: TallyShown,
  /** Points with executions, the earliest first. */
  points: Schema.Array(Schema.Struct({ from: Schema.String, ...tally })),
  /** Now, whatever the range. */
  backlog: Schema.Struct({ waiting: Schema.Int, oldest_waiting_on: Schema.NullOr(Schema.String) })
}).annotate({ identifier: "HookStatistics" })
export type Statistics = typeof Statistics.Type

export interface StatisticsOf {
  readonly kind: "hook" | "app" | "organization"
  readonly id: number
}

export interface Range {
  readonly since: Date
  /** Not included. */
  readonly before: Date
  readonly step: StatisticsStep
}

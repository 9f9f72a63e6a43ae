// The first look at an organization as the API shows it, and the rows that it is made of.
import { Schema } from "effect"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import { waitReasons } from "../automations/run/waitReasons.ts"

export const HOURS = 24
const HOUR = 3_600_000

const FailingAutomation = Schema.Struct({
  automation_id: Schema.Int,
  name: Schema.String,
  app_id: Schema.Int,
  app_name: Schema.String,
  broken: Schema.Boolean,
  failed_runs: Schema.Int,
  last_run_id: Schema.NullOr(Schema.String),
  last_error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "FailingAutomation" })
export type FailingAutomation = typeof FailingAutomation.Type

const FailingHook = Schema.Struct({
  hook_id: Schema.Int,
  app_id: Schema.Int,
  app_name: Schema.String,
  type: Schema.String,
  host: Schema.String,
  status: Schema.Literals(["active", "inactive"]),
  failures: Schema.Int
}).annotate({ identifier: "FailingHook" })
export type FailingHook = typeof FailingHook.Type

const why = Schema.Literals([...waitReasons, "running"])
const WaitingRow = Schema.Struct({ why, runs: Schema.Int, oldest: Schema.Date })
export type WaitingRuns = typeof WaitingRow.Type

const due = {
  automation_id: Schema.Int,
  name: Schema.String,
  app_id: Schema.Int,
  record_id: Schema.Int,
  title: Schema.String
}
const DueRow = Schema.Struct({ due_at: Schema.Date, ...due })
export type DueRow = typeof DueRow.Type

const RunsOfHour = Schema.Struct({
  from: Schema.Date,
  status: Schema.Literals(["pending", "running", "completed", "failed", "cancelled"]),
  n: Schema.Int
})
const counts = { delivered: Schema.Int, retrying: Schema.Int, failed: Schema.Int }
const DeliveriesOfHour = Schema.Struct({ from: Schema.Date, ...counts })

export const HomeRows = {
  automations: FailingAutomation,
  hooks: FailingHook,
  waiting: WaitingRow,
  due: DueRow,
  runs: RunsOfHour,
  deliveries: DeliveriesOfHour
}

const Hour = Schema.Struct({
  from: Schema.String,
  runs: Schema.Struct({ completed: Schema.Int, failed: Schema.Int, cancelled: Schema.Int, open: Schema.Int }),
  deliveries: Schema.Struct(counts)
}).annotate({ identifier: "HomeHour" })
type Hour = typeof Hour.Type

export const HomeSummary = Schema.Struct({
  since: Schema.String.annotate({ description: "The beginning of `hours`, and of what `failed_runs` counts" }),
  whole: Schema.Boolean.annotate({
    description: "False where the organization had more runs than are looked at: the newest 20,000"
  }),
  automations: Schema.Array(FailingAutomation).annotate({
    description: "Broken, or with runs that failed; at most 20"
  }),
  hooks: Schema.Array(FailingHook).annotate({ description: "Failing, or without their verification; at most 20" }),
  waiting: Schema.Array(
    Schema.Struct({ why, runs: Schema.Int, oldest: Schema.String }).annotate({ identifier: "HomeWaiting" })
  ).annotate({ description: "Open runs by why they wait; `running`: they do not" }),
  due: Schema.Array(Schema.Struct({ due_at: Schema.String, ...due }).annotate({ identifier: "HomeDue" })).annotate({
    description: "Dates of records that fire automations within a day; at most 20"
  }),
  hours: Schema.Array(Hour)
}).annotate({ identifier: "HomeSummary" })
export type HomeSummary = typeof HomeSummary.Type

/** Entries for every hour, including those without runs or deliveries. */
export const hoursOf = (
  since: Date,
  runs: ReadonlyArray<typeof RunsOfHour.Type>,
  deliveries: ReadonlyArray<typeof DeliveriesOfHour.Type>
): ReadonlyArray<Hour> =>
  Array.from({ length: HOURS }, (_, n) => {
    const from = since.getTime() + n * HOUR
    const runCount = (...statuses: ReadonlyArray<string>) =>
      runs.reduce((sum, row) => sum + (row.from.getTime() === from && statuses.includes(row.status) ? row.n : 0), 0)
    const { delivered = 0, failed = 0, retrying = 0 } = deliveries.find((row) => row.from.getTime() === from) ?? {}
    return {
      from: formatDateTime(new Date(from)),
      runs: {
        completed: runCount("completed"),
        failed: runCount("failed"),
        cancelled: runCount("cancelled"),
        open: runCount("pending", "running")
      },
      deliveries: { delivered, retrying, failed }
    }
  })

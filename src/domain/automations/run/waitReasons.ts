// Reasons for which a run waits (developer-api.md 7.13). The columns `wait_why`, `wait_since` and `wait_until` hold them. A commit writes
// all three, so the statement that continues a run also clears its wait. Concurrency slot, automation limit and debounce have columns of
// their own.
import { Schema } from "effect"
import type { Sql } from "../../../platform/sql/Sql.ts"

/** Waits that a commit can set: `waits` of a step's change. */
export interface Wait {
  readonly why: "delay" | "retry" | "called_run"
  readonly until: Date | null
}

/** All reasons of a wait; the names are the API's. */
export const waitReasons = ["delay", "place", "credits", "retry", "called_run", "concurrency", "debounce"] as const
export type WaitReason = (typeof waitReasons)[number]

/** Columns of an open run of `runs r`. */
export const waitColumns =
  "r.wait_why, r.wait_since, r.wait_until, r.place_wanted_on, r.turn_wanted_on, r.debounced_until"
export const WaitColumns = Schema.Struct({
  wait_why: Schema.NullOr(Schema.Literals(["delay", "credits", "retry", "called_run"])),
  wait_since: Schema.NullOr(Schema.Date),
  wait_until: Schema.NullOr(Schema.Date),
  /** Time at which the run entered the organization's queue for a concurrency slot. */
  place_wanted_on: Schema.NullOr(Schema.Date),
  /** Time at which the run entered the queue of its automation (ConcurrencyLimits.ts). */
  turn_wanted_on: Schema.NullOr(Schema.Date),
  /** Time until which the run is debounced; it has not fired yet, and a later change of the record defers it. */
  debounced_until: Schema.NullOr(Schema.Date)
})
export type WaitColumns = typeof WaitColumns.Type

export interface RunWait {
  readonly why: WaitReason
  readonly since: Date
  readonly until: Date | null
}

/** Returns the reason, or null if the run does not wait. The slot queue counts last: a slot is of no use to a run without credits. */
export const waitOf = (
  run: WaitColumns & { readonly created_on: Date; readonly completed_on: Date | null }
): RunWait | null => {
  if (run.completed_on !== null) return null
  if (run.debounced_until !== null) return { why: "debounce", since: run.created_on, until: run.debounced_until }
  if (run.turn_wanted_on !== null) return { why: "concurrency", since: run.turn_wanted_on, until: null }
  // An earlier release writes only `wait_until` for a delay.
  const why = run.wait_why ?? (run.wait_until === null ? null : "delay")
  if (why !== null) return { why, since: run.wait_since ?? run.created_on, until: run.wait_until }
  return run.place_wanted_on === null ? null : { why: "place", since: run.place_wanted_on, until: null }
}

/** SQL for the reason of an open run of `runs r`; null if it does not wait. */
export const waitingBy = (sql: Sql) =>
  sql.literal(`CASE WHEN r.debounced_until IS NOT NULL THEN 'debounce' WHEN r.turn_wanted_on IS NOT NULL THEN 'concurrency'
    WHEN r.wait_why IS NOT NULL THEN r.wait_why WHEN r.wait_until IS NOT NULL THEN 'delay'
    WHEN r.place_wanted_on IS NOT NULL THEN 'place' END`)

/** SQL condition on `runs r`: the run waits for this reason. */
export const waitingFor = (sql: Sql, why: WaitReason) => sql`r.completed_on IS NULL AND ${why} = ${waitingBy(sql)}`

/** Assignments for a run that continues. */
export const goesOn = "wait_why = NULL, wait_since = NULL, wait_until = NULL"

/** Assignments for a run that waits until the next hour's actions of its organization are available (7.11 rule 5). */
export const waitsForCredits = (sql: Sql, { now, until }: { readonly now: Date; readonly until: Date }) =>
  sql`wait_why = 'credits', wait_until = ${until}::timestamptz,
    wait_since = CASE WHEN wait_why = 'credits' THEN wait_since ELSE ${now}::timestamptz END`

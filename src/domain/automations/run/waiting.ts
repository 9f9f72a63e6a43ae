// Why a run waits (developer-api.md 7.13). Three columns say it, `wait_why`, `wait_since` and `wait_until`: a commit writes all of
// them, so that what goes on waits no longer by the same statement. A place, a turn and the end of changes are columns of their own.
import { Schema } from "effect"
import type { Sql } from "../../../ground/sql/Sql.ts"

/** What a commit may leave a run waiting for: `waits` of a step's change. */
export interface Wait {
  readonly why: "delay" | "retry" | "called_run"
  readonly until: Date | null
}

/** As a run's row has it; the names are the API's. */
export const waitReasons = ["delay", "place", "credits", "retry", "called_run", "concurrency", "debounce"] as const
export type WaitReason = (typeof waitReasons)[number]

/** Of an open run of `runs r`. */
export const waitColumns =
  "r.wait_why, r.wait_since, r.wait_until, r.place_wanted_on, r.turn_wanted_on, r.debounced_until"
export const WaitColumns = Schema.Struct({
  wait_why: Schema.NullOr(Schema.Literals(["delay", "credits", "retry", "called_run"])),
  wait_since: Schema.NullOr(Schema.Date),
  wait_until: Schema.NullOr(Schema.Date),
  /** In the organization's line for a place. */
  place_wanted_on: Schema.NullOr(Schema.Date),
  /** In the line of its automation (RunTurns.ts). */
  turn_wanted_on: Schema.NullOr(Schema.Date),
  /** Has not fired yet: a later change of the record moves it on. */
  debounced_until: Schema.NullOr(Schema.Date)
})
export type WaitColumns = typeof WaitColumns.Type

export interface RunWait {
  readonly why: WaitReason
  readonly since: Date
  readonly until: Date | null
}

/** Null: it does not wait. Without credits a place is of no use, so the line counts last. */
export const waitOf = (
  run: WaitColumns & { readonly created_on: Date; readonly completed_on: Date | null }
): RunWait | null => {
  if (run.completed_on !== null) return null
  if (run.debounced_until !== null) return { why: "debounce", since: run.created_on, until: run.debounced_until }
  if (run.turn_wanted_on !== null) return { why: "concurrency", since: run.turn_wanted_on, until: null }
  // A process of the release before says of a delay until when, and nothing else.
  const why = run.wait_why ?? (run.wait_until === null ? null : "delay")
  if (why !== null) return { why, since: run.wait_since ?? run.created_on, until: run.wait_until }
  return run.place_wanted_on === null ? null : { why: "place", since: run.place_wanted_on, until: null }
}

/** The same reason of an open run of `runs r`; null where it does not wait. */
export const waitingBy = (sql: Sql) =>
  sql.literal(`CASE WHEN r.debounced_until IS NOT NULL THEN 'debounce' WHEN r.turn_wanted_on IS NOT NULL THEN 'concurrency'
    WHEN r.wait_why IS NOT NULL THEN r.wait_why WHEN r.wait_until IS NOT NULL THEN 'delay'
    WHEN r.place_wanted_on IS NOT NULL THEN 'place' END`)

/** Asked of `runs r`. */
export const waitingFor = (sql: Sql, why: WaitReason) => sql`r.completed_on IS NULL AND ${why} = ${waitingBy(sql)}`

/** What a statement sets of a run that goes on. */
export const goesOn = "wait_why = NULL, wait_since = NULL, wait_until = NULL"

/** What a statement sets of a run that has to wait for the organization's actions of the hour to come (7.11 rule 5). */
export const waitsForCredits = (sql: Sql, { now, until }: { readonly now: Date; readonly until: Date }) =>
  sql`wait_why = 'credits', wait_until = ${until}::timestamptz,
    wait_since = CASE WHEN wait_why = 'credits' THEN wait_since ELSE ${now}::timestamptz END`

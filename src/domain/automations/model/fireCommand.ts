// Command that starts a run of one automation: for calls, clicks, ticks, due dates, inbound webhooks, manual runs, simulations, retries
// (developer-api.md 7.3, 7.5, 7.8 to 7.10). Changes of records and comments fire by their own events.
import type { Statement } from "effect/sql"
import type { NewEvent } from "../../../engine/outbox/Event.ts"
import { type Cause, command, defaultSwitches } from "../../../engine/outbox/Event.ts"
import { jsonText } from "../../../platform/sql/json.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { TriggerType } from "../triggers/registry.ts"
import type { RunType, TriggerData } from "./RunScope.ts"

export const AUTOMATION_FIRE = "command.automation.fire"

/** Parts of `TriggerData` that only the sender of the command knows. */
export type FireData = Pick<
  TriggerData,
  | "webhook_payload"
  | "webhook_payload_id"
  | "webhook_payload_chars"
  | "webhook_raw_body"
  | "webhook_request"
  | "numbers_kept"
  | "webhook_files"
  | "scheduled_at"
  | "next_scheduled_at"
  | "weblink"
  | "arguments"
  | "triggering_record_id"
  | "failed_run_id"
  | "pinned"
  | "test"
  | "asked_by"
>

/** Call of a step, with the record that it called for. */
export interface AwaitedBy {
  readonly run_id: string
  readonly org_id: number
  readonly app_id: number
  readonly automation_id: number
  readonly path: string
  readonly iteration: string
  readonly record_id: number
}

export interface Fire {
  readonly automation_id: number
  readonly run_type: RunType
  /** Trigger that the automation must have, else there is no run; null: any (manual runs, simulations). */
  readonly expects: TriggerType | null
  readonly data: FireData
  /** Automation whose run or weblink fires this one. */
  readonly triggered_by_automation_id?: number | null
  /** True if a step called it: its run is a workflow in any case, so that an operator finds each link of the chain. */
  readonly linked?: boolean
  /** Call whose step waits for the run: the caller's workflow starts that of the called run (7.13). */
  readonly awaited?: AwaitedBy
  /** Id of the run, if a caller received it before the run existed (7.3). */
  readonly run_id?: string
  /** Key in `run_waits` under which a waiting request finds the outcome. */
  readonly wait_key?: string
  /** Revision to run: a simulation's snapshot of the definition, or the revision of a retried run. */
  readonly revision_id?: string
  readonly retry?: { readonly run_id: string; readonly from: "start" | "failed_step" }
  /** Run whose trigger data, variables and outputs the test of a single step uses. */
  readonly values_of?: string
  /** True: a manual run or simulation of a comment trigger uses the record's latest comment or reply. */
  readonly latest_comment?: boolean
}

export const fireEvent = (
  fire: Fire,
  target: {
    readonly org_id: number
    readonly app_id: number
    readonly record_id: number | null
    readonly depth: number
    readonly cause: Cause | null
  }
): NewEvent => ({
  type: AUTOMATION_FIRE,
  org_id: target.org_id,
  app_id: target.app_id,
  record_id: target.record_id,
  switches: defaultSwitches,
  depth: target.depth,
  cause: target.cause,
  payload: JSON.parse(jsonText(fire)) as Record<string, unknown>
})

/** Command by which a run calls an automation: the called run is the next link of its chain. */
export const callEvent = (
  run: { readonly org_id: number; readonly app_id: number; readonly automation_id: number; readonly depth: number },
  cause: Cause,
  call: Pick<Fire, "automation_id" | "linked" | "awaited" | "data"> & {
    readonly record_id: number | null
    readonly triggering_record_id: number | null
  }
): NewEvent => {
  const { data, record_id, triggering_record_id, ...target } = call
  const { app_id, automation_id, depth, org_id } = run
  return fireEvent(
    {
      ...target,
      run_type: "regular",
      expects: "automation_called",
      triggered_by_automation_id: automation_id,
      data: { ...data, ...(triggering_record_id === null ? {} : { triggering_record_id }) }
    },
    { org_id, app_id, record_id, depth, cause }
  )
}

/**
 * Part of a statement that appends a command about runs for each of `rows`, with `org_id`, `app_id` and `payload`; the caller announces
 * them after the commit (`Outbox.announce`).
 */
export const commandsAppended = (sql: Sql, type: string, at: Date, rows: Statement.Fragment) => sql`
  INSERT INTO outbox (type, org_id, app_id, hook, workflow, silent, depth, payload, created_on)
  SELECT ${type}, org_id, app_id, true, true, false, 0, payload, ${at}::timestamptz FROM (${rows}) AS c RETURNING 1`

/** Command that wakes a run which waits for a slot (developer-api.md 7.11 rule 7), or makes it check its cancel flag. */
export const RUN_WAKE = "command.run.wake"

export const wakeEvent = (run: {
  readonly org_id: number
  readonly app_id: number
  readonly automation_id: number
  readonly run_id: string
}): NewEvent => command(run, RUN_WAKE, { run_id: run.run_id, automation_id: run.automation_id })

/** Command after a run of an automation with a concurrency limit has ended: the next one in the queue may begin (developer-api.md 7.13). */
export const RUN_TURN = "command.run.turn"

/** Payload of the command; `all`: for all records, since the settings have changed. */
export interface NextTurn {
  readonly automation_id: number
  readonly record_id: number | null
  readonly all: boolean
}

export const turnEvent = (place: { readonly org_id: number; readonly app_id: number }, turn: NextTurn): NewEvent =>
  command(place, RUN_TURN, { ...turn })

// The command that starts a run of one automation, whatever set it off: calls, clicks, ticks, due dates, inbound webhooks,
// manual runs, simulations, retries (developer-api.md 7.3, 7.5, 7.8 to 7.10). Records and comments fire by their own events.

import type { NewEvent } from "../../../engine/outbox/Event.ts"
import { type Cause, defaultSwitches } from "../../../engine/outbox/Event.ts"
import { jsonText } from "../../../ground/sql/json.ts"
import type { TriggerType } from "../triggers/registry.ts"
import type { RunType, TriggerData } from "./RunScope.ts"

export const AUTOMATION_FIRE = "command.automation.fire"

/** Parts of `TriggerData` that only the one who fires knows. */
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

/** The call of a step, with the record that it called for. */
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
  /** No run unless the automation carries this trigger; null: whatever it carries (manual runs, simulations). */
  readonly expects: TriggerType | null
  readonly data: FireData
  /** The automation whose run or weblink fires this one. */
  readonly triggered_by_automation_id?: number | null
  /** Called by a step: its run is a workflow whatever it does, so that an operator finds each link of the chain. */
  readonly linked?: boolean
  /** The step that called waits for the run: its workflow starts that of the called one (7.13). */
  readonly awaited?: AwaitedBy
  /** The id of the run, where it was told before the run is there (7.3). */
  readonly run_id?: string
  /** Who waits for the outcome finds it under this key in `run_waits`. */
  readonly wait_key?: string
  /** Simulations run a snapshot of the definition, retries of the original one theirs. */
  readonly revision_id?: string
  readonly retry?: { readonly run_id: string; readonly from: "start" | "failed_step" }
  /** A step tried alone has trigger data, variables and outputs of this run. */
  readonly values_of?: string
  /** A manual run or simulation of a comment trigger takes the record's latest comment or reply. */
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

/** Asks a run that waits for a place to go on (developer-api.md 7.11 rule 7), or to look at its cancel flag. */
export const RUN_WAKE = "command.run.wake"

export const wakeEvent = (run: {
  readonly org_id: number
  readonly app_id: number
  readonly automation_id: number
  readonly run_id: string
}): NewEvent => ({
  type: RUN_WAKE,
  org_id: run.org_id,
  app_id: run.app_id,
  record_id: null,
  switches: defaultSwitches,
  depth: 0,
  cause: null,
  payload: { run_id: run.run_id, automation_id: run.automation_id }
})

/** A run of an automation with bounded concurrency is over: the next in its line may begin (developer-api.md 7.13). */
export const RUN_TURN = "command.run.turn"

/** Its payload; `all`: not only those of the record, since the settings have changed. */
export interface NextTurn {
  readonly automation_id: number
  readonly record_id: number | null
  readonly all: boolean
}

export const turnEvent = (place: { readonly org_id: number; readonly app_id: number }, turn: NextTurn): NewEvent => ({
  type: RUN_TURN,
  org_id: place.org_id,
  app_id: place.app_id,
  record_id: null,
  switches: defaultSwitches,
  depth: 0,
  cause: null,
  payload: { ...turn }
})

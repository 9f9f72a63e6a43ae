// Replay of many deliveries as the API shows it, and its selection criteria (decisions W16).
import { Schema } from "effect"
import { formatDateTime, formatDateTimeOrNull } from "../../../platform/primitives/dates.ts"
import { DeliveryStatus } from "../Delivery.ts"
import { HookType } from "../Hook.ts"

/** `stopped`: the hook lost its verification meanwhile, and waiting deliveries are withheld again (W5). */
export const ReplayState = Schema.Literals(["running", "done", "cancelled", "stopped"])

export const Replay = Schema.Struct({
  replay_id: Schema.Int,
  hook_id: Schema.Int,
  job_id: Schema.NullOr(Schema.Int).annotate({
    description: "Its job, seen at `/v1/job/{job_id}` and cancelled there or here; null: begun by an earlier release"
  }),
  state: ReplayState,
  since: Schema.String,
  until: Schema.NullOr(Schema.String),
  status: Schema.Array(DeliveryStatus),
  error: Schema.NullOr(Schema.Array(Schema.String)),
  type: Schema.NullOr(Schema.Array(HookType)),
  per_minute: Schema.NullOr(Schema.Int),
  /** Deliveries chosen so far; all of them once `counted`. */
  replayed: Schema.Int,
  counted: Schema.Boolean,
  /** Deliveries that passed the gate. */
  begun: Schema.Int,
  /** Deliveries that have no final result: not begun, in flight, or waiting for a retry. */
  waiting: Schema.Int,
  created_on: Schema.String,
  ended_on: Schema.NullOr(Schema.String)
}).annotate({ identifier: "HookReplay" })
export type Replay = typeof Replay.Type

/** Statuses that `POST /v1/hook/{hook_id}/replay` replays by default. */
export const replayedByDefault: ReadonlyArray<DeliveryStatus> = ["failed", "withheld"]

export interface ReplayChoice {
  readonly since: Date
  /** Not included. */
  readonly before?: Date | undefined
  readonly statuses: ReadonlyArray<DeliveryStatus>
  /** Classes of the error of the last attempt (`tls_error`) or whole errors (`tls_error: cert has expired`). */
  readonly errors?: ReadonlyArray<string> | undefined
  readonly types?: ReadonlyArray<HookType> | undefined
  /** Maximum executions per minute of this replay, in addition to the limit of half of the app's window. */
  readonly perMinute?: number | undefined
}

/** Replays of one hook that may be open at once. */
export const MAX_OPEN_REPLAYS = 10

const { error: errors, replayed: _, status: statuses, type: types, ...sharedFields } = Replay.fields

export const ReplayRow = Schema.Struct({
  ...sharedFields,
  ...{ errors, statuses, types },
  chosen: Schema.Int,
  since: Schema.Date,
  until: Schema.NullOr(Schema.Date),
  created_on: Schema.Date,
  ended_on: Schema.NullOr(Schema.Date)
})

export const replayOf = ({ chosen, errors, statuses, types, ...row }: typeof ReplayRow.Type): Replay => ({
  ...row,
  since: formatDateTime(row.since),
  until: formatDateTimeOrNull(row.until),
  status: statuses,
  error: errors,
  type: types,
  replayed: chosen,
  created_on: formatDateTime(row.created_on),
  ended_on: formatDateTimeOrNull(row.ended_on)
})

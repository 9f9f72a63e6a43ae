// Marks the ids of workflows and schedules with the installation's epoch. A restore of the database begins a new one, so that nothing that
// Temporal remembers of the other history is met again (docs/architecture/actors.md, "Epochs"). The first has no mark in its ids.
import { Context, Effect, Schema } from "effect"

export interface EpochName {
  readonly number: number
  /** Eight random hexadecimal digits: two restores never begin the same epoch. Empty for the first. */
  readonly key: string
}

export const FIRST_EPOCH: EpochName = { number: 1, key: "" }

const PREFIX = /^e(\d{1,9})-([0-9a-f]{8})\//

/** Prefix of the epoch's workflow ids; empty for the first epoch. */
export const prefixOf = ({ key, number }: EpochName): string => (number === 1 ? "" : `e${number}-${key}/`)

/** Name of the epoch for people. */
export const shownEpoch = (epoch: EpochName): string => (epoch.number === 1 ? "e1" : prefixOf(epoch).slice(0, -1))

export const epochOf = (id: string): EpochName => {
  const [, number, key] = PREFIX.exec(id) ?? []
  return key === undefined ? FIRST_EPOCH : { number: Number(number), key }
}

/** Id without the prefix of its epoch. */
export const withoutEpoch = (id: string): string => id.replace(PREFIX, "")

export const isSameEpoch = (a: EpochName, b: EpochName): boolean => a.number === b.number && a.key === b.key

class FormerEpoch extends Schema.TaggedError<FormerEpoch>()("FormerEpoch", {
  of: Schema.String,
  now: Schema.String
}) {
  readonly retryable = false
  override get message() {
    return `This workflow is of the former epoch ${this.of}: the database was restored or replaced, and ${this.now} has begun. What it was for goes on there.`
  }
}

/** Refusal of a workflow that may be newer than this worker: another worker takes it. */
class OtherEpoch extends Schema.TaggedError<OtherEpoch>()("OtherEpoch", {
  of: Schema.String,
  now: Schema.String
}) {
  readonly nextRetryMillis = 2_000
  override get message() {
    return `This workflow is of the epoch ${this.of}, the worker of ${this.now}.`
  }
}

export interface EpochShape {
  /** Waits until Temporal and the database have been compared; for ever once another database has taken Temporal over. */
  readonly current: Effect.Effect<EpochName>
  /** The id that a name has in this epoch. */
  readonly id: (name: string) => Effect.Effect<string>
  /** Completes if another database has taken Temporal over: this process works no more. */
  readonly lost: Effect.Effect<void>
  readonly state: Effect.Effect<EpochName | "looking" | "lost">
}

export class Epoch extends Context.Service<Epoch, EpochShape>()("millrace/temporal/Epoch") {
  static readonly make = (parts: Pick<EpochShape, "current" | "lost" | "state">): EpochShape => ({
    ...parts,
    id: (name) => Effect.map(parts.current, (epoch) => prefixOf(epoch) + name)
  })
}

/** Refuses an activity of a workflow that is not of this epoch; the only check of it. */
export const admit = Effect.fnUntraced(function* (epoch: EpochShape, workflowId: string) {
  const epochState = yield* epoch.state
  const theirs = epochOf(workflowId)
  if (typeof epochState === "string") return yield* new OtherEpoch({ of: shownEpoch(theirs), now: "no epoch yet" })
  if (isSameEpoch(theirs, epochState)) return
  const names = { of: shownEpoch(theirs), now: shownEpoch(epochState) }
  return yield* theirs.number < epochState.number ? new FormerEpoch(names) : new OtherEpoch(names)
})

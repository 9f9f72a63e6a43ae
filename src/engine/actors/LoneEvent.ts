// An event that comes alone (docs/architecture.md, "A lone event"): what a kind says and does about it in the relay's one statement
// (../relay/loneEvents.ts), for an activation of the relay's process that idles.
import { type Effect, Schema, Struct } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Slots } from "../../ground/sql/compiledOnce.ts"

/** An activation that waits for something to do. */
export interface Idle {
  readonly key: string
  readonly fence: number
  /** What it has to say of itself, in the kind's own words (`LoneWork.says`). */
  readonly says: unknown
}

/** What such a statement is given; kinds extend it. */
export interface LoneValues {
  /** In JSON: keys and fences. */
  readonly idle: string
  readonly now: Date
  /** The least id of an event that is seen (../relay/outboxFloor.ts). */
  readonly from: number
}

/** Of one statement. */
export interface LoneAsked extends Pick<LoneValues, "from" | "now"> {
  readonly idle: ReadonlyArray<Idle>
}

/** What every such statement has. */
export interface LoneHead {
  /**
   * CTEs to begin with: `gate`; `seen`, the oldest event and the newest; `one`, the event as a row of the outbox, where it is the only one and concerns no other
   * kind; `nobody`, the same where it concerns not this kind either, for which nothing is left to be done: it is gone; and `mine` (actor_key, fence, of_app), the
   * activation that takes it. Without one of these two nothing is to be done.
   */
  readonly ctes: (slots: Slots<LoneValues>, idle: number) => Statement.Fragment
  /** Body of a CTE that answers `fit`, a table of the event where it may be taken, and takes it: whatever is written comes from its rows. */
  readonly gone: Statement.Fragment
  /** Columns of `LoneFound`, of `gate` and a table `t` beside it that has them of the event and `actor_key`. */
  readonly found: Statement.Fragment
}

/** Of the event, for its trace. */
export const RelayedEvent = Schema.Struct({
  event_id: Schema.Int,
  type: Schema.String,
  org_id: Schema.Int,
  app_id: Schema.NullOr(Schema.Int),
  record_id: Schema.NullOr(Schema.Int),
  traceparent: Schema.NullOr(Schema.String)
})
export type RelayedEvent = typeof RelayedEvent.Type

/** Columns of each row that such a statement answers; there is one at least. */
export const LoneFound = Schema.Struct({
  open: Schema.Boolean,
  /** Of the events that were seen, where there are any. */
  oldest: Schema.NullOr(Schema.Int),
  newest: Schema.NullOr(Schema.Int),
  actor_key: Schema.NullOr(Schema.String),
  /** It concerned nobody, and is gone. */
  nobody: Schema.NullOr(RelayedEvent),
  ...Struct.map(RelayedEvent.fields, Schema.NullOr)
})

export interface LoneAnswer {
  readonly found: typeof LoneFound.Type
  /** For the activation, once it is committed; undefined where nothing was done. @param traceparent of what follows */
  readonly answer: ((traceparent: string | null) => unknown) | undefined
}

/** A kind's part. */
export interface LoneKind {
  /** Whether an event `o` of the outbox, of a record and no command, may concern it: never false where its fan-out would do anything. */
  readonly concerns: Statement.Fragment
  /** The statement that does for `one` what fan-out and claim do together, where there is nothing special about it; otherwise nothing at all. */
  readonly takes?: (head: LoneHead) => (asked: LoneAsked) => Effect.Effect<LoneAnswer, SqlError>
}

export const idleOf = (idle: ReadonlyArray<Idle>): string =>
  JSON.stringify(idle.map(({ fence, key }) => ({ key, fence })))

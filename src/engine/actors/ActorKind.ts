// Interface that a module implements to have its rows worked on by actors (design: actors). The mechanism knows nothing of hooks or
// automations; a kind knows nothing of Temporal. Everything here runs with its services closed over: no requirements.
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Submit } from "../../platform/sql/batching.ts"
import type { OutboxEvent } from "../outbox/Event.ts"
import type { InterventionsOf } from "../temporal/interventions.ts"

/** Another activation has taken over: this one may commit nothing any more. Let the error end the job. */
export class Fenced extends Schema.TaggedError<Fenced>()("Fenced", { actorKey: Schema.String }) {}

/** An actor that got rows. `id` is the part after the kind's name, "" for a kind with one actor (`calendar`). */
export interface Address {
  readonly id: string
  readonly org_id: number | null
  /** Due time of the earliest new row; null: now. */
  readonly due_at: Date | null
}

/** A row of a kind's own mailbox table; kinds extend it. */
export interface MailboxRow {
  /** Unique within the actor. */
  readonly row_id: string | number
  /** Claims since the last result, this one included. A result (retry planned, done) sets the column back to 0. */
  readonly claims: number
}

/** Unit of work of one fiber: usually one row, a batch where rows are triaged together. It takes a slot for each row until all are done. */
export interface Job<Row extends MailboxRow = MailboxRow> {
  readonly rows: ReadonlyArray<Row>
  /** Does the work and commits its results through `Activation.commit`. Bounded by the kind's own time-outs. */
  readonly run: Effect.Effect<void, Fenced | SqlError>
}

export interface ClaimRequest {
  /** Most rows to claim. */
  readonly limit: number
  readonly now: Date
  /**
   * Claim only rows whose `claims` *before* this claim lie in these bounds (both included). Ordinary claims take the
   * rows without a history of crashes; a suspected row (third claim) is claimed and worked on alone.
   */
  readonly minClaims: number
  readonly maxClaims: number
}

/** Row of the operator's table: what the actor holds and why it waits. Ids, counts, host names, reasons only. */
export interface DetailLine {
  readonly what: string
  readonly count: number
  readonly why: string
  /** True if something is broken that an operator may want to find: the actor is listed by the search attribute `Failing`. */
  readonly failing?: boolean
}

/** The actor as its activation sees it. */
export interface Activation {
  /** Part after the kind's name, for instance the app id. */
  readonly id: string
  /** The kind's name and id: `webhooks/app/12`. */
  readonly key: string
  /** Fence written into claimed rows. A row is in flight if its fence equals the running activation's. */
  readonly fence: number
  /** Organization of the actor; null if unknown. */
  readonly orgId: number | null
  /** True if the former activation went idle, or there was none: it has left nothing to put in order. */
  readonly orderly: boolean
  /**
   * Runs `effect` in one transaction in which no other activation of this actor can begin; fails with `Fenced` when one has. Retried for 30
   * s while Postgres is away, so `effect` must be repeatable until it has committed.
   * @param flushes false: the commit does not wait for the disk, as that of `heldBy`; absent: it does
   */
  readonly commit: <A, E>(effect: Effect.Effect<A, E>, flushes?: boolean) => Effect.Effect<A, E | Fenced | SqlError>
  /**
   * Runs one statement that checks the fence itself (`heldBy`), without a transaction around it. `held` returns false if the fence was
   * lost.
   */
  readonly statement: <A, E>(
    effect: Effect.Effect<A, E>,
    held: (result: A) => boolean
  ) => Effect.Effect<A, E | Fenced | SqlError>
  /**
   * Runs a claim, as `statement` does, possibly before the fence is on the disk (`Begun.onDisk`). Until it is there a claim is not retried:
   * if a database has forgotten the claim together with its fence, the activation fails.
   */
  readonly claim: Activation["statement"]
  /**
   * Variants for work that must not be done twice: if an answer is lost with its connection, its outcome is unknown. The activation fails
   * and the next one goes on from the rows.
   */
  readonly once: Pick<Activation, "claim" | "commit" | "statement">
  /**
   * Makes a batching committer: results submitted while a commit is in flight go together in the next. `write` gets them in the order of
   * submission and commits them through `commit` or `statement`; the submitter is answered when they are in.
   * @param limits `atMost`: most results of a commit; absent: `commitAtMost` of the tuning. `gather`: milliseconds that a commit waits for
   * further results after one of so many; at least, and if absent, `gatherMillis` of the tuning under load
   */
  readonly batched: <A>(
    write: (items: ReadonlyArray<A>) => Effect.Effect<void, Fenced | SqlError>,
    limits?: { readonly atMost?: number; readonly gather?: (results: number) => number }
  ) => Effect.Effect<Submit<A, void, Fenced | SqlError>>
  /**
   * Announces that there will be something to claim at this instant (milliseconds). A kind announces on each claim and each finished job; one
   * whose claims find whatever is due does it by `announcing`. A lost announcement costs some seconds.
   */
  readonly lookAt: (millis: number) => Effect.Effect<void>
  /** Ends the activation as if its time were over: the next one goes on from the rows. */
  readonly stop: Effect.Effect<void>
  /** True when told to end: shutdown, end of its time, or fenced. Long jobs check it between commits. */
  readonly stopping: Effect.Effect<boolean>
}

/** Kind's side of one activation; in-memory state (turns, shares) lives in its closure. */
export interface ActorWork<Row extends MailboxRow = MailboxRow> {
  /** Most rows in flight. */
  readonly slots: number
  /**
   * Claims due rows by writing the activation's fence and one more claim into them, within `request`. Rows that carry this fence are in
   * flight and must be left out; rows with another fence belong to a dead activation and are due. The kind's rules of order, turns and
   * rates live in this statement. Commits through `Activation.commit` or `statement`.
   */
  readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<Job<Row>>, Fenced | SqlError>
  /**
   * Tells the kind if its fan-outs may hand rows to this activation from now on, in addition to those that it claims (`FannedOut.direct`). If
   * not, the kind leaves rows that have not begun to the next activation, and returns true once none are on their way: until then the
   * activation does not end.
   */
  readonly acceptRows?: (now: boolean) => Effect.Effect<boolean, Fenced | SqlError>
  /**
   * Gives the row up after ten claims without a result: its delivery or run fails with `cause` (a sentence for people)
   * and can be replayed. Runs inside `Activation.commit`.
   */
  readonly setAside: (row: Row, cause: string) => Effect.Effect<void, SqlError>
  /** Rows for heartbeats and the workflow's current details. Read from memory, no I/O. */
  readonly details: Effect.Effect<ReadonlyArray<DetailLine>>
  /** Updates what `details` shows, if need be; called now and then, and before the activation ends. */
  readonly refresh?: Effect.Effect<void, SqlError>
}

/** Mailbox rows, with the actors that they belong to. */
export interface FannedOut {
  readonly addresses: ReadonlyArray<Address>
  /** Statements that write the rows, one each; pipelined, with the transaction's last statement behind them. */
  readonly writes: ReadonlyArray<Effect.Effect<unknown, SqlError>>
  /**
   * Events left for the next batch, by id: once one of an organization is left, all its later ones are too, so that they keep their order.
   * Only the first kind may leave events; the other kinds are not offered them.
   */
  readonly left?: ReadonlySet<number>
  readonly direct?: DirectFanOut
}

/** Rows that a fan-out hands to an activation of its process, in addition to those that the activation claims (`ActorWork.acceptRows`). */
export interface DirectFanOut {
  /** Ids of addressed actors that get all their rows this way: they need no wake-up. */
  readonly actors: ReadonlySet<string>
  /** Called once, whatever happens, with the outcome of the relay's transaction. */
  readonly ended: (outcome: "committed" | "undone" | "unknown") => void
}

/**
 * Turns events into the mailbox rows that they cause, inside the relay's transaction: in order, at most 500. Rows are unique by event and
 * target (`ON CONFLICT DO NOTHING`), so that a repeat writes nothing. An event that concerns nobody costs no row.
 */
export type FanOut = (events: ReadonlyArray<OutboxEvent>) => Effect.Effect<FannedOut, SqlError>

export const nothing: FannedOut = { addresses: [], writes: [] }

export interface ActorKind {
  /** `webhooks/app`, `automations/app`, `calendar`: the prefix of actor keys and workflow ids. */
  readonly name: string
  /** The exported workflow function, as the Temporal UI shows it: `webhooksApp`. */
  readonly workflowType: InterventionsOf
  /** Summary of the actor in the Temporal UI's list of workflows. No names of people, no payloads. */
  readonly summary: (id: string) => string
  /** True if the actor's id is an app id, shown as the search attribute `App`. */
  readonly perApp: boolean
  /** Command events that this kind carries out. Every other event is offered to every kind. */
  readonly commands: ReadonlyArray<`command.${string}`>
  /**
   * Look-up of the events' apps and records for the fan-out: a single statement, in which they are named (batchVariables.ts). It is sent behind the
   * one that takes the events, in the same transaction, before they have come.
   */
  readonly look: Effect.Effect<FanOut, SqlError>
  /**
   * Earliest instant at which `claim` would return something if nothing were in flight, whatever fence a row carries; null without open
   * rows. An instant in the past means now. Runs in the transaction that makes the actor idle.
   */
  readonly nextDue: (id: string) => Effect.Effect<Date | null, SqlError>
  /** Actors that have rows due before `now`, for the sweep. Reads the index of open rows; a superset is fine. */
  readonly withDueRows: (now: Date) => Effect.Effect<ReadonlyArray<Address>, SqlError>
  /** Begins work for one activation; what it forks ends with the scope, as the activation does. */
  readonly activate: (activation: Activation) => Effect.Effect<ActorWork<any>, Fenced | SqlError, Scope.Scope>
}

export const actorKey = (kind: string, id: string): string => (id === "" ? kind : `${kind}/${id}`)

/** All kinds of this installation; the composition root lists them. */
export class ActorKinds extends Context.Service<ActorKinds, ReadonlyArray<ActorKind>>()("millrace/actors/ActorKinds") {
  /** `ActorKinds.layer([webhooksKind, automationsKind])`: each is an effect over its module's services. */
  static readonly layer = <K extends Effect.Effect<ActorKind, any, any>>(kinds: ReadonlyArray<K>) =>
    Layer.effect(
      ActorKinds,
      Effect.all(kinds as ReadonlyArray<Effect.Effect<ActorKind, Effect.Error<K>, Effect.Services<K>>>)
    )
}

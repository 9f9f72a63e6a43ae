// Interface that a module implements to have its rows worked on by actors (design: actors). The mechanism knows nothing of hooks or
// automations; a kind knows nothing of Temporal. Everything here runs with its services closed over: no requirements.
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { OutboxEvent } from "../outbox/Event.ts"
import type { InterventionsOf } from "../temporal/interventions.ts"

/** Another activation has taken over: nothing of this one may be committed any more. Let it end the job. */
export class Fenced extends Schema.TaggedError<Fenced>()("Fenced", { actorKey: Schema.String }) {}

/** An actor that got rows. `id` is the part after the kind's name, "" for a kind with one actor (`calendar`). */
export interface Address {
  readonly id: string
  readonly org_id: number | null
  /** When the earliest of the new rows is due; null: now. */
  readonly due_at: Date | null
  /** The rows, in the kind's own words (`ClaimParts.askFor`); undefined where more than these may be new for the actor. */
  readonly written?: ReadonlyArray<unknown> | undefined
  /** The kind hands all of them to an activation of this process itself (`FannedOut.ended`): it need not be told. */
  readonly direct?: boolean
}

/** A row of a kind's own mailbox table; kinds extend it. */
export interface MailboxRow {
  /** Unique within the actor. */
  readonly row_id: string | number
  /** Claims since the last result, this one included. A result (retry planned, done) sets the column back to 0. */
  readonly claims: number
}

/** Unit of work of one fiber: usually one row, a batch where rows are triaged together. */
export interface Job<Row extends MailboxRow = MailboxRow> {
  readonly rows: ReadonlyArray<Row>
  /** Slots of `ActorWork.slots` that the job takes: absent means one per row, 0 means that the kind bounds its jobs itself. */
  readonly slots?: 0
  /** Does the work and commits its results through `Activation.commit`. Bounded by the kind's own time-outs. */
  readonly run: Effect.Effect<void, Fenced | SqlError>
}

export interface ClaimRequest {
  /** Rows at most. */
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
  /** Something is broken that an operator may want to find: the actor is listed by the search attribute `Failing`. */
  readonly failing?: boolean
}

/** The actor as its activation sees it. */
export interface Activation {
  /** Part after the kind's name, for instance the app id. */
  readonly id: string
  /** The kind's name and id: `webhooks/app/12`. */
  readonly key: string
  /** Written into claimed rows. A row is in the air when its fence equals the running activation's. */
  readonly fence: number
  /** Organization of the actor; null if unknown. */
  readonly orgId: number | null
  /** The former activation fell asleep, or there was none: nothing is left of it to put in order. */
  readonly orderly: boolean
  /**
   * Runs `effect` in one transaction in which no other activation of this actor can begin; fails with `Fenced` when one
   * has. Tried again for 30 s while Postgres is away, so `effect` must be repeatable until it has committed.
   */
  readonly commit: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E | Fenced | SqlError>
  /**
   * The same for one statement that looks at the fence itself (`heldBy`), and that says false where it was not held: no
   * transaction of its own.
   */
  readonly statement: <A, E>(
    effect: Effect.Effect<A, E>,
    held: (result: A) => boolean
  ) => Effect.Effect<A, E | Fenced | SqlError>
  /**
   * The same for a claim, which may go ahead of the fence's way to the disk (`Begun.onDisk`): until it is there it is not tried again, so that
   * one that a database has forgotten with its fence fails with it.
   */
  readonly claim: Activation["statement"]
  /**
   * For what must not be done twice: where an answer is lost with its connection, and nobody knows what became of it, the activation fails
   * and the next one goes on from the rows.
   */
  readonly once: Pick<Activation, "claim" | "commit" | "statement">
  /**
   * A committer that gathers: results submitted while a commit is under way go together in the next (512 at most).
   * `write` gets them in the order of submission and commits them through `commit` or `statement`; the submitter resumes when
   * they are in.
   */
  readonly batched: <A>(
    write: (items: ReadonlyArray<A>) => Effect.Effect<void, Fenced | SqlError>
  ) => Effect.Effect<(item: A) => Effect.Effect<void, Fenced | SqlError>>
  /** There will be something to claim at this instant (milliseconds); for kinds that tell (`ActorWork.tellsNext`). */
  readonly lookAt: (millis: number) => Effect.Effect<void>
  /** True when told to end: shut down, the minute is up, or fenced. Long jobs look at it between commits. */
  readonly stopping: Effect.Effect<boolean>
}

export interface ClaimParts<Row extends MailboxRow = MailboxRow, Answer = any> {
  /** A statement that looks at the fence itself. */
  readonly ask: (request: ClaimRequest) => Effect.Effect<Answer, SqlError>
  /**
   * The same of rows that the relay has just written (`Address.written`) and of no others, with as much of the rules as these need; what it
   * leaves of them is looked for at once. Undefined where the rules may choose others.
   */
  readonly askFor?: (request: ClaimRequest, written: ReadonlyArray<any>) => Effect.Effect<Answer, SqlError> | undefined
  /** `ask` finds rows with the activation's fence that it does not know: what became of a claim need not be known. */
  readonly findsItsOwn?: true
  /** True if the fence was held. */
  readonly held: (answer: Answer) => boolean
  /** Turns the answer into jobs, after the claim has committed. */
  readonly took: (answer: Answer) => Effect.Effect<ReadonlyArray<Job<Row>>, Fenced | SqlError>
}

export const claimInParts =
  <Row extends MailboxRow, Answer>(
    { claim, once }: Activation,
    { ask, findsItsOwn, held, took }: ClaimParts<Row, Answer>
  ) =>
  (request: ClaimRequest) =>
    Effect.flatMap((findsItsOwn === true ? claim : once.claim)(ask(request), held), took)

/** The kind's side of one activation; in-memory state (turns, shares) lives in its closure. */
export interface ActorWork<Row extends MailboxRow = MailboxRow> {
  /** Rows in the air at most. */
  readonly slots: number
  /**
   * Claims due rows by writing the activation's fence and one more claim into them, within `request`. Rows that carry
   * this fence are in the air and must be left out; rows with another fence belong to a dead activation and are due.
   * The kind's rules of order, turns and rates live in this statement. Commits through `Activation.commit` or `statement`.
   */
  readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<Job<Row>>, Fenced | SqlError>
  /** The same in parts, for kinds whose claim is one statement (handOver.ts; `claimInParts`). */
  readonly parts?: ClaimParts<Row>
  readonly direct?: DirectWork
  /**
   * Whoever claims, or finishes a job, says by `Activation.lookAt` when there is more to claim. Without that the activation looks
   * with each finished job and at short intervals while rows are in the air. A lost hint costs some seconds.
   */
  readonly tellsNext?: true
  /**
   * Gives the row up after ten claims without a result: its delivery or run fails with `cause` (a sentence for people)
   * and can be replayed. Runs inside `Activation.commit`.
   */
  readonly setAside: (row: Row, cause: string) => Effect.Effect<void, SqlError>
  /** Rows for heartbeats and the workflow's current details. Read from memory, no I/O. */
  readonly details: Effect.Effect<ReadonlyArray<DetailLine>>
  /** Brings what `details` shows up to date, if need be; asked now and then, and before the activation ends. */
  readonly refresh?: Effect.Effect<void, SqlError>
}

/** Mailbox rows, and whose they are. */
export interface FannedOut {
  readonly addresses: ReadonlyArray<Address>
  /** Statements that write the rows, one each; sent one behind the other, and the last of the transaction behind them. */
  readonly writes: ReadonlyArray<Effect.Effect<unknown, SqlError>>
  /**
   * Events for the next batch, by id: all of an organization behind one that it takes, so that they keep their order. Of the first kind alone;
   * the others are not offered them.
   */
  readonly left?: ReadonlySet<number>
  /** Told once, whatever happens, what became of the relay's transaction. */
  readonly ended?: (outcome: "committed" | "undone" | "unknown") => void
}

/** Rows that the kind's fan-out hands to an activation of its process, beside what the activation claims. */
export interface DirectWork {
  /** Tells the fan-out if it may hand over rows from now on. */
  readonly accepts: (now: boolean) => void
  /** Some are on their way: the activation does not end meanwhile. */
  readonly expects: () => boolean
  /** True if the outcome of some handed-over rows is unknown: the next activation finds them. */
  readonly unsure: () => boolean
  /** Leaves what has not begun to the next activation. */
  readonly leaves: Effect.Effect<void, Fenced | SqlError>
}

/**
 * From events to the mailbox rows that they cause, inside the relay's transaction: in order, at most 500. Rows are unique by event and
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
  /** The actor's id is an app id, shown as the search attribute `App`. */
  readonly perApp: boolean
  /** Command events that this kind carries out. Every other event is offered to every kind. */
  readonly commands: ReadonlyArray<`command.${string}`>
  /**
   * What the fan-out has to know of the events' apps and records: a single statement, in which they are named (atHand.ts). It is sent
   * behind the one that takes the events, in the same transaction, before they have come.
   */
  readonly look: Effect.Effect<FanOut, SqlError>
  /**
   * The earliest instant at which `claim` would return something were nothing in the air, whatever fence a row carries;
   * null without open rows. An instant in the past means now. Runs in the transaction that puts the actor to sleep.
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
  /** `ActorKinds.layer([webhooksKind, automationsKind])`: each is an effect over its room's services. */
  static readonly layer = <K extends Effect.Effect<ActorKind, any, any>>(kinds: ReadonlyArray<K>) =>
    Layer.effect(
      ActorKinds,
      Effect.all(kinds as ReadonlyArray<Effect.Effect<ActorKind, Effect.Error<K>, Effect.Services<K>>>)
    )
}

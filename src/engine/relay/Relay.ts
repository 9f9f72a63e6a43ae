// The relay: outbox rows to mailbox rows, one batch at a time over all processes by an advisory lock, so that a
// record's events keep their order. A batch that fails is taken apart (apart.ts). Roles with a worker run it.
import { Cause, Clock, Context, Effect, Exit, Layer, Queue, Schedule, Schema } from "effect"
import { ActorTuning } from "../../ground/config/Tuning.ts"
import { makeGathering } from "../../ground/fairness/gathering.ts"
import { inBrief, isAway } from "../../ground/sql/away.ts"
import { listen } from "../../ground/sql/listen.ts"
import { rowsOf } from "../../ground/sql/rows.ts"
import { PgSql } from "../../ground/sql/Sql.ts"
import { recoverSqlDefect } from "../../ground/sql/sqlDefect.ts"
import { Nudges } from "../actors/Nudges.ts"
import { Wakes } from "../actors/Wakes.ts"
import { OUTBOX_CHANNEL, RelayWake } from "../outbox/RelayWake.ts"
import { type FannedOut, makeFanOut } from "./fanOut.ts"
import { OutboxRow } from "./OutboxRow.ts"
import { makeApart } from "./oneByOne.ts"
import { RELAY_LOCK } from "./relayLock.ts"

/** Begun and not committed this often: something in the batch ends the process. */
const BATCH_TRIES = 2
const AWAY_PAUSE = "1 second"
const STUCK_PAUSE = "500 millis"

const Lock = Schema.Struct({ locked: Schema.Boolean })

const Tries = Schema.Struct({ tries: Schema.Int })

const run = Effect.gen(function* () {
  const sql = yield* PgSql
  const nudges = yield* Nudges
  const wakes = yield* Wakes
  const wake = yield* RelayWake
  const tuning = yield* ActorTuning
  const fanOut = yield* makeFanOut

  // Never while rows are held: it may be sent behind a statement that waits for them.
  const outside = <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.updateContext(
      self,
      (context: Context.Context<never>) => Context.omit(sql.transactionService)(context) as Context.Context<never>
    )

  /**
   * In a transaction: false when another relay is at work. Its commit need not wait for the disk: what a crash of the database
   * forgets takes everything after it along and is fanned out again.
   */
  const lock = rowsOf(Lock)(sql`
    SELECT pg_try_advisory_xact_lock(${RELAY_LOCK}) AS locked, set_config('synchronous_commit', 'off', true),
      set_config('idle_in_transaction_session_timeout', ${String(tuning.idleInTransactionMillis)}, true)`).pipe(
    Effect.map((rows) => rows[0]?.locked === true)
  )

  const open = rowsOf(OutboxRow)(sql`
    SELECT event_id, type, org_id, app_id, record_id, hook, workflow, silent, depth, cause, payload, traceparent, attempts, created_on
    FROM outbox WHERE set_aside IS NULL ORDER BY event_id LIMIT ${tuning.relayBatch}`)

  // Counted outside of the batch's transaction, set back inside of it: what is left counts crashes.
  const begun = outside(
    rowsOf(Tries)(sql`
    INSERT INTO relay_attempts (name, tries) VALUES ('batch', 1)
    ON CONFLICT (name) DO UPDATE SET tries = relay_attempts.tries + 1 RETURNING tries`)
  ).pipe(Effect.map((rows) => rows[0]?.tries ?? 1))
  const settled = sql`UPDATE relay_attempts SET tries = 0 WHERE name = 'batch'`

  const spread = ({ called, others }: FannedOut) => Effect.andThen(nudges.offer(called), wakes.wake(others))
  const apart = makeApart({ sql, lock, open, fanOut, spread, asideAt: tuning.asideAt })

  const batch = sql
    .withTransaction(
      Effect.gen(function* () {
        if (!(yield* lock)) return "contended" as const
        const rows = yield* open
        if (rows.length === 0) return "idle" as const
        if ((yield* begun) > BATCH_TRIES) return "apart" as const
        return { ...(yield* fanOut(rows, true)), found: rows.length }
      })
    )
    .pipe(recoverSqlDefect)

  const takeApart = Effect.gen(function* () {
    const stuck = yield* apart
    yield* settled
    if (stuck) yield* Effect.sleep(STUCK_PAUSE)
  })

  const more = Effect.raceFirst(wake.next, Effect.sleep(tuning.relayPollMillis))

  const gathering = makeGathering()
  const gathered = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now < gathering.next() ? Effect.sleep(gathering.next() - now) : Effect.void
  )

  const turn = Effect.gen(function* () {
    yield* gathered
    const from = yield* Clock.currentTimeMillis
    const exit = yield* Effect.exit(batch)
    if (Exit.isFailure(exit)) {
      const error = Cause.squash(exit.cause)
      if (Cause.hasInterrupts(exit.cause) || isAway(error)) return yield* Effect.failCause(exit.cause)
      return yield* takeApart
    }
    switch (exit.value) {
      case "contended":
        return yield* Effect.sleep(tuning.relayContendedMillis)
      case "idle":
        return yield* more
      case "apart":
        return yield* takeApart
      default: {
        const { found } = exit.value
        gathering.looked({ from, to: yield* Clock.currentTimeMillis, found })
        yield* spread(exit.value)
        // What was committed after the batch was read has said so.
        return found >= tuning.relayBatch ? undefined : yield* more
      }
    }
  }).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.andThen(Effect.logWarning("the relay pauses", inBrief(cause)), Effect.sleep(AWAY_PAUSE))
    )
  )

  const listening = Effect.flatMap(listen(sql, OUTBOX_CHANNEL), (queue) =>
    Effect.forever(Effect.andThen(Queue.takeAll(queue), wake.poke))
  ).pipe(Effect.scoped, Effect.retry(Schedule.spaced(AWAY_PAUSE)))

  yield* Effect.forkScoped(listening)
  yield* Effect.forkScoped(Effect.forever(turn))
})

export const layer = Layer.effectDiscard(run)

// Runs the relay: moves outbox rows to mailbox rows in batches, each of shards that no other process works meanwhile (relayShards.ts), so
// that a record's events keep their order. A batch that fails is split (isolateFailingEvent.ts). Roles with a worker run it.
import { Cause, Clock, Data, Effect, Layer, Queue, Schedule } from "effect"
import { ActorTuning } from "../../platform/config/Tuning.ts"
import { makePollPacing } from "../../platform/fairness/pollPacing.ts"
import { besideTransaction as outside } from "../../platform/sql/besideTransaction.ts"
import { listen } from "../../platform/sql/listen.ts"
import { pipelined } from "../../platform/sql/pipelined.ts"
import { PgSql } from "../../platform/sql/Sql.ts"
import { recoverSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { inBrief, isTransient } from "../../platform/sql/transientErrors.ts"
import { Wakes } from "../../platform/sql/Wakes.ts"
import { ActorWakes } from "../actors/ActorWakes.ts"
import { OUTBOX_CHANNEL, RelayWake } from "../outbox/RelayWake.ts"
import { type MovedOn, makeFanOut, type TransactionEnd } from "./fanOut.ts"
import { makeIsolateFailingEvent } from "./isolateFailingEvent.ts"
import { makeLowWatermark } from "./outboxLowWatermark.ts"
import { makeShards, nameOf } from "./relayShards.ts"

/**
 * Attempts after which a batch is split: begun and not committed this often, it holds an event that ends the process, or the connection.
 */
const BATCH_TRIES = 2
/** Number of times that the pause is doubled while other relays hold all shards: their holders go on by themselves. */
const CONTENDED_AT_MOST = 4
const AWAY_PAUSE = "1 second"
const STUCK_PAUSE = "500 millis"

/** The batch failed and was rolled back whole; `cause` is empty if the batch was not begun again. */
class BatchFailed extends Data.TaggedError("BatchFailed")<{
  readonly shards: ReadonlyArray<number>
  readonly cause: Cause.Cause<unknown>
}> {}

const run = Effect.gen(function* () {
  const sql = yield* PgSql
  const actorWakes = yield* ActorWakes
  const wakes = yield* Wakes
  const wake = yield* RelayWake
  const tuning = yield* ActorTuning
  const { fanOut, look } = yield* makeFanOut

  const shards = makeShards(sql, tuning.relayBatch, tuning.idleInTransactionMillis)
  const watermark = makeLowWatermark()
  const wakeActors = ({ called, others }: MovedOn) => Effect.andThen(actorWakes.offer(called), wakes.wake(others))
  const gathering = makePollPacing()
  // A poison event, which ends the process or takes longer than the server waits, is among the oldest after a restart. So attempts are
  // counted for the first seconds only (`relayCountedMillis`), from the second attempt on; other batches skip the count.
  const countFromNow = Effect.map(Clock.currentTimeMillis, (now) => {
    counting = now + tuning.relayCountedMillis
  })
  let counting = 0
  yield* countFromNow

  // Counts an attempt under the shard with the oldest event. No other relay works that shard meanwhile, and it stays the oldest until the
  // batch has been split. The count commits outside of the batch's transaction, which resets it: a count that is left is one of crashes.
  const count = (name: string) =>
    outside(sql)(sql`
      INSERT INTO relay_attempts (name, tries) VALUES (${name}, 1)
      ON CONFLICT (name) DO UPDATE SET tries = relay_attempts.tries + 1`)

  const batchOf = Effect.fnUntraced(function* (ending: TransactionEnd) {
    const from = watermark.from()
    const [taken, first] = yield* Effect.all([shards.take(from), look], { concurrency: "unbounded" })
    watermark.looked(taken, from)
    if (taken.shards.length === 0) {
      return !taken.open || taken.waiting > 0 ? ("contended" as const) : ("idle" as const)
    }
    const [rows, looked] =
      taken.events === undefined
        ? yield* Effect.all([shards.eventsOf(taken.shards, taken), look], { concurrency: "unbounded" })
        : ([taken.events, first] as const)
    // Another relay moved them between the look and the lock.
    if (rows.length === 0) return "contended" as const
    const name = nameOf(taken.shards)
    if (taken.tries >= BATCH_TRIES) return yield* new BatchFailed({ shards: taken.shards, cause: Cause.empty })
    if (taken.tries > 0 || (yield* Clock.currentTimeMillis) < counting) yield* count(name)
    const fanned = yield* recoverSqlDefect(fanOut(ending, rows, looked, name)).pipe(
      Effect.catchCause((cause) => Effect.fail(new BatchFailed({ shards: taken.shards, cause })))
    )
    const hasMore = fanned.left || taken.events === undefined || taken.shards.length < taken.waiting
    return { ...fanned, found: rows.length, rest: hasMore }
  })

  /** Runs batches on a connection of its own, until that is lost or something else fails. */
  const session = Effect.gen(function* () {
    const transactions = yield* pipelined(sql)
    const { within } = transactions
    const batch = batchOf(transactions)
    const fanOutSingly = makeIsolateFailingEvent({
      sql,
      transactions,
      ...shards,
      look,
      fanOut,
      spread: wakeActors,
      asideAt: tuning.asideAt
    })

    const takeApart = Effect.fnUntraced(function* ({ cause, shards: taken }: BatchFailed) {
      if (Cause.hasInterrupts(cause) || isTransient(Cause.squash(cause))) return yield* Effect.failCause(cause)
      const isStuck = yield* fanOutSingly(yield* shards.eventsOf(taken))
      yield* sql`UPDATE relay_attempts SET tries = 0 WHERE name = ${nameOf(taken)}`
      if (isStuck) yield* Effect.sleep(STUCK_PAUSE)
    })

    let inVain = 0
    const runBatch = Effect.gen(function* () {
      const from = yield* Clock.currentTimeMillis
      if (from < gathering.next()) return yield* Effect.sleep(gathering.next() - from)
      const outcome = yield* Effect.catchTag(Effect.scoped(within(batch)), "BatchFailed", takeApart)
      inVain = outcome === "contended" ? Math.min(inVain + 1, CONTENDED_AT_MOST) : 0
      if (outcome === undefined) return
      if (outcome === "contended") return yield* Effect.sleep(tuning.relayContendedMillis * 2 ** (inVain - 1))
      if (outcome === "idle") return yield* wake.next
      gathering.looked({ from, to: yield* Clock.currentTimeMillis, found: outcome.found })
      yield* wakeActors(outcome)
      // Events committed after the batch was read have poked the relay, so it waits.
      if (!outcome.rest) yield* wake.next
    })
    // No yield needed: each iteration waits for something by itself.
    return yield* Effect.forever(runBatch, { disableYield: true })
  }).pipe(
    Effect.scoped,
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logWarning("the relay pauses", inBrief(cause)).pipe(
            Effect.andThen(Effect.sleep(AWAY_PAUSE)),
            Effect.andThen(countFromNow)
          )
    )
  )

  const listening = Effect.flatMap(listen(sql, OUTBOX_CHANNEL), (queue) =>
    Effect.forever(Effect.andThen(Queue.takeAll(queue), wake.poke))
  ).pipe(Effect.scoped, Effect.retry(Schedule.spaced(AWAY_PAUSE)))

  // Polls for events that no poke announced. A separate fiber, since a wait that races with a sleep resumes a moment later.
  const polling = Effect.sleep(tuning.relayPollMillis).pipe(
    Effect.andThen(Effect.sync(watermark.whole)),
    Effect.andThen(wake.poke),
    Effect.forever
  )

  yield* Effect.forkScoped(listening)
  yield* Effect.forkScoped(polling)
  yield* Effect.forkScoped(Effect.forever(session))
})

export const layer = Layer.effectDiscard(run)

// Fans events out to the kinds of actors (design: actors, point 1): writes mailbox rows, calls actors, deletes outbox rows.
import { Clock, Effect, Exit } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { counter } from "../../platform/metrics/instruments.ts"
import { compiledOnce, slotsOf } from "../../platform/sql/compiledOnce.ts"
import type { Pipelined } from "../../platform/sql/pipelined.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { type ActorKind, ActorKinds, type Address, actorKey } from "../actors/ActorKind.ts"
import { Called } from "../actors/Actors.ts"
import { addressedOf, type CallValues, callActors } from "../actors/callActors.ts"
import { makeWakeAhead } from "../actors/wakeAhead.ts"
import type { OutboxEvent } from "../outbox/Event.ts"
import { type OutboxRow, toEvent } from "./OutboxRow.ts"
import { handedOver } from "./relaySpans.ts"

export interface MovedOn {
  /** Actors that were idle, to be nudged after the commit. */
  readonly called: ReadonlyArray<Called>
  /** The keys of the other addressed actors, which run or are about to. */
  readonly others: ReadonlyArray<string>
  /** True if some of the events were left for the next batch. */
  readonly left: boolean
}

/** Part of the relay's transaction that ends it. */
export type TransactionEnd = Pick<Pipelined, "last" | "rolledBack">

interface MovingValues extends CallValues {
  readonly events: ReadonlyArray<string>
  readonly batch: string | null
}
const slots = slotsOf<MovingValues>()

const relayed = counter("millrace.relay.events")
const countRelayed = (events: number) => Effect.sync(() => relayed.add(events))

const isCommand = (event: OutboxEvent): event is OutboxEvent & { readonly type: `command.${string}` } =>
  event.type.startsWith("command.")

const offeredTo = (kind: ActorKind, events: ReadonlyArray<OutboxEvent>) =>
  events.filter((event) => !isCommand(event) || kind.commands.includes(event.type))

/** Fans events out inside the relay's transaction (platform/sql/pipelined.ts), which ends with it. */
export const makeFanOut = Effect.gen(function* () {
  const sql = yield* Sql
  const kinds = yield* ActorKinds
  const { wakeAhead, sleepers } = yield* makeWakeAhead
  const carriedOut = new Set<string>(kinds.flatMap(({ commands }) => commands))

  /** Look-ups of every kind, plus the idle actors, sent behind the statement that sets the batch's session variables (batchVariables.ts). */
  const lookUp = Effect.all(
    {
      kinds: Effect.all(
        kinds.map((kind) => Effect.map(kind.look, (fanOut) => ({ kind, fanOut }))),
        { concurrency: "unbounded" }
      ),
      sleepers
    },
    { concurrency: "unbounded" }
  )

  const compiled = compiledOnce<MovingValues>(sql)
  const write = (
    rows: ReadonlyArray<OutboxRow>,
    addressed: ReadonlyArray<readonly [string, Address]>,
    batch: string | null,
    now: Date
  ) => {
    const events = rows.map(({ event_id }) => String(event_id))
    const values = { events, batch, addressed: addressedOf(addressed), now }
    return rowsOf(Called)(
      compiled(
        "moving on",
        values,
        () => sql`
      WITH gone AS (DELETE FROM outbox WHERE event_id = ANY(${slots.events}::bigint[])),
      settled AS (UPDATE relay_attempts SET tries = 0 WHERE name = ${slots.batch} AND tries > 0),
      called AS (${callActors(sql, slots)})
      SELECT * FROM called`
      )
    )
  }

  /**
   * Fans a batch out. A command that no kind carries out is a defect: the relay sets it aside alone.
   * @param batch name under which attempts at it are counted (Relay.ts), if they are
   */
  const fanOut = Effect.fnUntraced(function* (
    within: TransactionEnd,
    rows: ReadonlyArray<OutboxRow>,
    looked: Effect.Success<typeof lookUp>,
    batch: string | null
  ) {
    const traced = yield* handedOver(rows)
    const events = traced.rows.map(toEvent)
    const orphan = events.find((event) => isCommand(event) && !carriedOut.has(event.type))
    if (orphan !== undefined) return yield* Effect.die(new Error(`nothing carries out ${orphan.type}`))
    const addressed: Array<readonly [string, Address]> = []
    const notifiedKeys = new Set<string>()
    const pendingWrites: Array<Effect.Effect<unknown, SqlError>> = []
    let remainingIds: ReadonlySet<number> = new Set()
    for (const { fanOut: ofKind, kind } of looked.kinds) {
      const offered = offeredTo(
        kind,
        events.filter(({ event_id }) => !remainingIds.has(event_id))
      )
      if (offered.length === 0) continue
      const fanned = yield* ofKind(offered)
      const { direct } = fanned
      if (direct !== undefined)
        yield* Effect.addFinalizer((exit) =>
          Effect.sync(() =>
            direct.ended(Exit.isSuccess(exit) ? "committed" : within.rolledBack() ? "undone" : "unknown")
          )
        )
      if (fanned.left !== undefined && fanned.left.size > 0) {
        if (kind !== looked.kinds[0]!.kind) return yield* Effect.die(new Error(`${kind.name} leaves what others took`))
        remainingIds = fanned.left
      }
      for (const address of fanned.addresses) {
        addressed.push([kind.name, address])
        if (direct?.actors.has(address.id) !== true) notifiedKeys.add(actorKey(kind.name, address.id))
      }
      pendingWrites.push(...fanned.writes)
    }
    const moved = rows.filter(({ event_id }) => !remainingIds.has(event_id))
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    const nudged = yield* wakeAhead(addressed, looked.sleepers, nowDate)
    yield* sql.afterCommit(Effect.andThen(traced.ended, countRelayed(moved.length)))
    const [, called] = yield* within.last(
      pendingWrites.length + 1,
      Effect.all([Effect.all(pendingWrites, { concurrency: "unbounded" }), write(moved, addressed, batch, nowDate)], {
        concurrency: "unbounded"
      })
    )
    const justCalled = new Set(called.map(({ actor_key }) => actor_key))
    return {
      called: called.filter((actor) => !nudged(actor)),
      others: [...notifiedKeys].filter((key) => !justCalled.has(key)),
      left: remainingIds.size > 0
    } satisfies MovedOn
  })

  return { look: lookUp, fanOut }
})

export type FanningOut = Effect.Success<typeof makeFanOut>

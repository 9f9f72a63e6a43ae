// Fan-out of events to the kinds of actors (design: actors, point 1): mailbox rows, called actors, outbox rows gone.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { counter } from "../../ground/metrics/instruments.ts"
import { rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { type ActorKind, ActorKinds, type Address, actorKey } from "../actors/ActorKind.ts"
import { Called } from "../actors/Actors.ts"
import { calling } from "../actors/calling.ts"
import type { OutboxEvent } from "../outbox/Event.ts"
import { type OutboxRow, toEvent } from "./OutboxRow.ts"
import { handedOver } from "./relaySpans.ts"

export interface FannedOut {
  /** Were asleep: to be nudged after the commit. */
  readonly called: ReadonlyArray<Called>
  /** The keys of the other addressed actors, which run or are about to. */
  readonly others: ReadonlyArray<string>
}

const relayed = counter("millrace.relay.events")

const isCommand = (event: OutboxEvent): event is OutboxEvent & { readonly type: `command.${string}` } =>
  event.type.startsWith("command.")

const offeredTo = (kind: ActorKind, events: ReadonlyArray<OutboxEvent>) =>
  events.filter((event) => !isCommand(event) || kind.commands.includes(event.type))

/** In the relay's transaction (ground/sql/pipelined.ts). */
export const makeFanOut = Effect.gen(function* () {
  const sql = yield* Sql
  const kinds = yield* ActorKinds
  const carriedOut = new Set<string>(kinds.flatMap(({ commands }) => commands))

  /** All that the kinds have to know, sent behind the statement that names what is at hand (atHand.ts). */
  const look = Effect.all(
    kinds.map((kind) => Effect.map(kind.look, (fanOut) => ({ kind, fanOut }))),
    { concurrency: "unbounded" }
  )

  const write = (
    rows: ReadonlyArray<OutboxRow>,
    addressed: ReadonlyArray<readonly [string, Address]>,
    batch: string | null,
    now: Date
  ) => {
    const ids = rows.map(({ event_id }) => String(event_id))
    return rowsOf(Called)(sql`
      WITH gone AS (DELETE FROM outbox WHERE event_id = ANY(${ids}::bigint[])),
      settled AS (UPDATE relay_attempts SET tries = 0 WHERE name = ${batch} AND tries > 0),
      called AS (${calling(sql, addressed, now)})
      SELECT * FROM called`)
  }

  /**
   * A command that no kind carries out is a defect: the relay sets it aside alone.
   * @param batch the name under which attempts at it are counted (Relay.ts), if they are
   */
  const fanOut = Effect.fnUntraced(function* (
    rows: ReadonlyArray<OutboxRow>,
    looked: Effect.Success<typeof look>,
    batch: string | null
  ) {
    const handing = yield* handedOver(rows)
    const events = handing.rows.map(toEvent)
    const orphan = events.find((event) => isCommand(event) && !carriedOut.has(event.type))
    if (orphan !== undefined) return yield* Effect.die(new Error(`nothing carries out ${orphan.type}`))
    const addressed: Array<readonly [string, Address]> = []
    const writes: Array<Effect.Effect<unknown, SqlError>> = []
    for (const { fanOut: ofKind, kind } of looked) {
      const offered = offeredTo(kind, events)
      if (offered.length === 0) continue
      const fanned = yield* ofKind(offered)
      for (const address of fanned.addresses) addressed.push([kind.name, address])
      writes.push(...fanned.writes)
    }
    const now = new Date(yield* Clock.currentTimeMillis)
    const [called] = yield* Effect.map(
      Effect.all([...writes, write(rows, addressed, batch, now)], { concurrency: "unbounded" }),
      (answers) => answers.slice(-1) as unknown as [ReadonlyArray<Called>]
    )
    yield* sql.afterCommit(
      Effect.andThen(
        handing.ended,
        Effect.sync(() => relayed.add(rows.length))
      )
    )
    const justCalled = new Set(called.map(({ actor_key }) => actor_key))
    const keys = new Set(addressed.map(([kind, { id }]) => actorKey(kind, id)))
    return { called, others: [...keys].filter((key) => !justCalled.has(key)) } satisfies FannedOut
  })

  return { look, fanOut }
})

export type FanningOut = Effect.Success<typeof makeFanOut>

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

/** The count of attempts at a batch. */
interface Counted {
  readonly name: string
  /** Counts this one; committed by itself, so that a crash leaves it. */
  readonly begun: Effect.Effect<unknown, SqlError>
}

const relayed = counter("millrace.relay.events")

const isCommand = (event: OutboxEvent): event is OutboxEvent & { readonly type: `command.${string}` } =>
  event.type.startsWith("command.")

const offeredTo = (kind: ActorKind, events: ReadonlyArray<OutboxEvent>) =>
  events.filter((event) => !isCommand(event) || kind.commands.includes(event.type))

/** In the relay's transaction. A command that no kind carries out is a defect: the relay sets it aside alone. */
export const makeFanOut = Effect.gen(function* () {
  const sql = yield* Sql
  const kinds = yield* ActorKinds
  const carriedOut = new Set<string>(kinds.flatMap(({ commands }) => commands))

  /** @param counted how the attempts at the batch are counted (Relay.ts), if they are */
  return Effect.fnUntraced(function* (rows: ReadonlyArray<OutboxRow>, counted: Counted | null) {
    const handing = yield* handedOver(rows)
    const events = handing.rows.map(toEvent)
    const orphan = events.find((event) => isCommand(event) && !carriedOut.has(event.type))
    if (orphan !== undefined) return yield* Effect.die(new Error(`nothing carries out ${orphan.type}`))
    // Side by side: what they look up apart from the transaction takes the time of one look-up, and so does the count.
    const [, addresses] = yield* Effect.all(
      [
        counted === null ? Effect.void : counted.begun,
        Effect.forEach(
          kinds,
          (kind) => {
            const offered = offeredTo(kind, events)
            return offered.length === 0
              ? Effect.succeed([])
              : Effect.map(kind.fanOut(offered), (all) => all.map((address) => [kind.name, address] as const))
          },
          { concurrency: "unbounded" }
        )
      ],
      { concurrency: "unbounded" }
    )
    const addressed: ReadonlyArray<readonly [string, Address]> = addresses.flat()
    const ids = rows.map(({ event_id }) => String(event_id))
    const now = new Date(yield* Clock.currentTimeMillis)
    const called = yield* rowsOf(Called)(sql`
      WITH gone AS (DELETE FROM outbox WHERE event_id = ANY(${ids}::bigint[])),
      settled AS (UPDATE relay_attempts SET tries = 0 WHERE name = ${counted?.name ?? null}),
      called AS (${calling(sql, addressed, now)})
      SELECT * FROM called`)
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
})

// Whichever way an event takes to its work, what comes of it is the same (developer-api.md 7.5; decisions W3, W5, W10 to W13, A17): which hooks have a
// delivery, the bodies and their order by record, which automations have a run, and of what. What is sent along each way is drawn from a seed.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { NewEvent } from "../../src/engine/outbox/Event.ts"
import { Outbox } from "../../src/engine/outbox/Outbox.ts"
import { eventually } from "../support/eventually.ts"
import { type Case, cases, eventsOf } from "./drawn.ts"
import { outcomes, settled, standing } from "./outcomes.ts"
import { layerWays, makeWorld, type World } from "./world.ts"

interface Way {
  /** Events of one transaction. */
  readonly together: number
  /** Nothing is on its way when the next are told. */
  readonly waits: boolean
  readonly asleep?: true
  /** The relay takes its batch apart, as behind one that has ended its process. */
  readonly apart?: true
}

const ALL = Number.POSITIVE_INFINITY
const ways: Readonly<Record<string, Way>> = {
  alone: { together: 1, waits: true },
  "by twos": { together: 2, waits: true },
  "one behind the other": { together: 1, waits: false },
  "in one batch": { together: ALL, waits: false },
  "in a batch that is taken apart": { together: ALL, waits: false, apart: true },
  "while its actors sleep": { together: ALL, waits: false, asleep: true }
}

const SHARDS = 64

const tell = Effect.fnUntraced(function* (world: World, events: ReadonlyArray<NewEvent>, { apart }: Way) {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox
  if (apart === true)
    yield* sql`
      INSERT INTO relay_attempts (name, tries) VALUES (${`batch from shard ${world.appId % SHARDS}`}, 2)
      ON CONFLICT (name) DO UPDATE SET tries = 2`
  yield* outbox.append(events)
})

const asleep = ({ appId }: World) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    eventually(
      "its actors sleep",
      sql`SELECT 1 FROM actors WHERE kind IN ('webhooks/app', 'automations/app') AND id = ${String(appId)} AND state <> 'asleep'`,
      (rows) => rows.length === 0
    )
  )

const runAlong = Effect.fnUntraced(function* (world: World, at: number, way: Way) {
  const sql = yield* SqlClient.SqlClient
  const records = world.recordsOf(at)
  yield* world.stand
  yield* tell(world, world.waking(records.at(-1)!), ways["alone"]!)
  yield* settled(world)
  if (way.asleep === true) yield* asleep(world)
  yield* world.stand
  const stateBefore = yield* standing(world)
  const events = world.eventsFor(records)
  for (let start = 0; start < events.length; start += way.together) {
    yield* sql.withTransaction(tell(world, events.slice(start, start + way.together), way))
    if (way.waits) yield* settled(world)
  }
  yield* settled(world)
  return yield* outcomes(world, records, stateBefore)
})

const same = Effect.fnUntraced(function* (drawn: Case) {
  const world = yield* makeWorld(drawn, Object.keys(ways).length)
  yield* settled(world)
  const namedOutcomes = yield* Effect.forEach(Object.entries(ways), ([name, way], at) =>
    Effect.map(runAlong(world, at, way), (outcome) => ({ name, outcome }))
  )
  const [first, ...others] = namedOutcomes
  for (const { name, outcome } of others)
    assert.deepStrictEqual(
      outcome,
      first!.outcome,
      `${name}, beside ${first!.name}: ${JSON.stringify(eventsOf(drawn))}`
    )
  const { automations, hooks } = first!.outcome
  const count = (all: ReadonlyArray<ReadonlyArray<unknown>>) => all.reduce((sum, { length }) => sum + length, 0)
  return { deliveries: count(hooks.map(({ log }) => log)), runs: count(automations.map(({ runs }) => runs)) }
})

layer(layerWays, { excludeTestServices: true })("the same comes of events, whichever way they take", (it) => {
  const came = { deliveries: 0, runs: 0 }
  it.effect.each(cases)("%s", ([, drawn]) =>
    Effect.map(same(drawn), ({ deliveries, runs }) => {
      came.deliveries += deliveries
      came.runs += runs
    })
  )
  it.effect("and something comes of them", () =>
    Effect.sync(() => {
      assert.isAbove(came.deliveries, 0)
      assert.isAbove(came.runs, 0)
    })
  )
})

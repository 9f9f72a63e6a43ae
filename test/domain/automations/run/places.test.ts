// developer-api.md 7.11 rule 7: never more runs at once than an organization has places, none lost, in order; several processes, and
// nobody waits for another's transaction.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { eventually } from "../../../support/eventually.ts"
import { crossing } from "../../../support/locks.ts"
import { created, ORG, type Process, processes } from "./placeProcesses.ts"

/** A new run, as a firing event creates it: in a transaction of several round trips. */
const come = (process: Process, id: number, app = 1, automation = app) =>
  process.sql.withTransaction(
    Effect.gen(function* () {
      yield* created(process, id, app, automation)
      const takenSlots = yield* process.places.take(ORG, [String(id)])
      yield* process.sql`SELECT pg_sleep(0.003)`
      return takenSlots.has(String(id))
    })
  )

/** As the service does, the row of the run before the slot: a look for the next runs may have locked the row, and waits for the slot. */
const endRun = ({ places, sql }: Process, id: number) =>
  Effect.andThen(
    sql`WITH run AS (UPDATE runs SET completed_on = now(), status = 'completed' WHERE run_id = ${id} RETURNING run_id)
      DELETE FROM run_places p USING run WHERE p.run_id = run.run_id`,
    places.freed(ORG)
  )

const holders = ({ sql }: Process) =>
  Effect.map(
    sql<{ run_id: number }>`SELECT run_id FROM run_places WHERE org_id = ${ORG} ORDER BY taken_on, run_id`,
    (rows) => rows.map(({ run_id }) => Number(run_id))
  )
const holds = ({ sql }: Process, id: number) => sql`SELECT 1 FROM run_places WHERE run_id = ${id}`
const called = (process: Process, id: number) =>
  eventually("it is called", holds(process, id), (rows) => rows.length === 1)

const scoped = <E>(effect: Effect.Effect<void, E, Scope.Scope>) => Effect.scoped(effect)

it.live(
  "however many come and go at once, no more than there are places hold one, and each has its own in the end",
  () =>
    scoped(
      Effect.gen(function* () {
        const PLACES = 4
        const allProcesses = yield* processes(3, PLACES)
        let [holding, most] = [0, 0]
        const work = Effect.fnUntraced(function* (process: Process) {
          most = Math.max(most, ++holding, (yield* holders(process)).length)
          holding--
        })
        yield* Effect.forEach(
          Array.from({ length: 90 }, (_, i) => i + 1),
          Effect.fnUntraced(function* (id) {
            const [mine, other] = [allProcesses[id % 3]!, allProcesses[(id + 1) % 3]!]
            if (!(yield* come(mine, id))) yield* called(mine, id)
            yield* work(mine)
            yield* other.places.release(ORG, String(id))
            // Back from a delay.
            if (!(yield* other.places.ask(ORG, String(id)))) yield* called(other, id)
            yield* work(other)
            yield* endRun(mine, id)
          }),
          { concurrency: 18, discard: true }
        )
        assert.isAtMost(most, PLACES)
        assert.isAtLeast(most, 2)
        assert.deepStrictEqual(yield* holders(allProcesses[0]!), [])
        const queuedRuns = yield* allProcesses[0]!.sql`SELECT 1 FROM runs WHERE place_wanted_on IS NOT NULL`
        assert.deepStrictEqual(queuedRuns, [])
      })
    )
)

it.live(
  "a run that asks for a place is not lost to a deadlock with a transaction that changes places first, then runs",
  () =>
    scoped(
      Effect.gen(function* () {
        const [one, two] = (yield* processes(2, 2)) as [Process, Process]
        yield* created(one, 1)
        const holdsSlot = yield* crossing(
          one.sql`INSERT INTO run_places (run_id, org_id, slot, taken_on) VALUES (2, ${ORG}, 1, now())`,
          two.places.ask(ORG, "1"),
          one.sql`UPDATE runs SET cancel_requested_on = now() WHERE run_id = 1`
        ).pipe(Effect.provideService(SqlClient.SqlClient, one.sql))
        assert.isTrue(holdsSlot)
        assert.deepStrictEqual(new Set(yield* holders(one)), new Set([1, 2]))
      })
    )
)

it.live("a run that asks for a place while the one that it held is given back gets one, and not word of that one", () =>
  scoped(
    Effect.gen(function* () {
      const [one, two] = (yield* processes(2, 2)) as [Process, Process]
      assert.isTrue(yield* come(one, 1))
      const holdsSlot = yield* crossing(one.places.release(ORG, "1"), two.places.ask(ORG, "1")).pipe(
        Effect.provideService(SqlClient.SqlClient, one.sql)
      )
      assert.deepStrictEqual([holdsSlot, yield* holders(one)], [true, [1]])
    })
  )
)

it.live("those that wait are called in the order in which they came, whoever gives the place back", () =>
  scoped(
    Effect.gen(function* () {
      const allProcesses = yield* processes(3, 1)
      assert.isTrue(yield* come(allProcesses[0]!, 1))
      const queuedIds = Array.from({ length: 30 }, (_, i) => i + 2)
      for (const id of queuedIds) assert.isFalse(yield* come(allProcesses[id % 3]!, id))
      // A new one does not overtake them, though the place is free.
      yield* allProcesses[0]!.sql`DELETE FROM run_places`
      assert.isFalse(yield* come(allProcesses[0]!, 100))
      const order: Array<number> = []
      for (const _ of [...queuedIds, 100]) {
        yield* Effect.forEach(allProcesses, ({ places }) => places.freed(ORG), { concurrency: "unbounded" })
        const [id] = yield* eventually("one is called", holders(allProcesses[0]!), (ids) => ids.length === 1)
        order.push(id!)
        yield* endRun(allProcesses[id! % 3]!, id!)
      }
      assert.deepStrictEqual(order, [...queuedIds, 100])
    })
  )
)

it.live("an open transaction that has taken places holds nobody up; what it gives back unused is handed on", () =>
  scoped(
    Effect.gen(function* () {
      const [one, two] = (yield* processes(2, 3)) as [Process, Process]
      const [took, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const openTransaction = yield* Effect.forkChild(
        one.sql
          .withTransaction(
            Effect.gen(function* () {
              yield* created(one, 1)
              yield* created(one, 2)
              assert.strictEqual((yield* one.places.take(ORG, ["1", "2"])).size, 2)
              yield* Deferred.succeed(took, undefined)
              yield* Deferred.await(end)
              return yield* Effect.fail("rolled back")
            })
          )
          .pipe(Effect.ignore)
      )
      yield* Deferred.await(took)
      assert.isTrue(yield* come(two, 3))
      assert.isFalse(yield* come(two, 4))
      yield* created(two, 5)
      assert.isFalse(yield* two.places.ask(ORG, "5"))
      assert.deepStrictEqual(yield* holders(two), [3])
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(openTransaction)
      yield* called(two, 4)
      yield* called(two, 5)
    })
  )
)

it.live("a process that dies with a place half taken, or before it has called the next, costs nobody the place", () =>
  scoped(
    Effect.gen(function* () {
      const [one, two] = (yield* processes(2, 1)) as [Process, Process]
      const pid = yield* Deferred.make<number>()
      const openTransaction = yield* Effect.forkChild(
        one.sql
          .withTransaction(
            Effect.gen(function* () {
              yield* created(one, 1)
              yield* one.places.take(ORG, ["1"])
              const [row] = yield* one.sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
              yield* Deferred.succeed(pid, row!.pid)
              yield* one.sql`SELECT pg_sleep(60)`
            })
          )
          .pipe(Effect.ignoreCause)
      )
      const backend = yield* Deferred.await(pid)
      assert.isFalse(yield* come(two, 2))
      yield* two.sql`SELECT pg_terminate_backend(${backend}::int)`
      yield* Fiber.join(openTransaction)
      yield* called(two, 2)
      // Its end was committed, and nobody was told.
      assert.isFalse(yield* come(two, 3))
      yield* one.sql`DELETE FROM run_places WHERE run_id = 2`
      yield* two.places.lookAtAll
      yield* called(two, 3)
    })
  )
)

/** The run that is called when another one is over. */
const nextAfter = Effect.fnUntraced(function* (process: Process, over: number) {
  const holdersBefore = new Set(yield* holders(process))
  yield* endRun(process, over)
  const holdersAfter = yield* eventually("the next", holders(process), (ids) =>
    ids.some((id) => !holdersBefore.has(id))
  )
  return holdersAfter.find((id) => !holdersBefore.has(id))
})

it.live("apps take turns: one with a long line does not hold up the others of its organization", () =>
  scoped(
    Effect.gen(function* () {
      const [process] = (yield* processes(1, 2)) as [Process]
      for (const id of [1, 2, 3, 4, 5, 6]) yield* come(process, id, 1)
      for (const id of [7, 8]) assert.isFalse(yield* come(process, id, 2))
      assert.strictEqual(yield* nextAfter(process, 1), 7)
      assert.strictEqual(yield* nextAfter(process, 2), 3)
      assert.strictEqual(yield* nextAfter(process, 3), 4)
      assert.strictEqual(yield* nextAfter(process, 7), 8)
      assert.strictEqual(yield* nextAfter(process, 8), 5)
    })
  )
)

it.live("of an app its automations take turns, and other apps do not wait for more of them", () =>
  scoped(
    Effect.gen(function* () {
      const [process] = (yield* processes(1, 2)) as [Process]
      for (const id of [1, 2, 3, 4, 5]) yield* come(process, id, 1, 11)
      for (const id of [6, 7]) assert.isFalse(yield* come(process, id, 1, 12))
      assert.isFalse(yield* come(process, 8, 2, 21))
      // The other app holds nothing; then the other automation.
      assert.strictEqual(yield* nextAfter(process, 1), 8)
      assert.strictEqual(yield* nextAfter(process, 8), 6)
      assert.strictEqual(yield* nextAfter(process, 6), 7)
      assert.strictEqual(yield* nextAfter(process, 7), 3)
    })
  )
)

it.live(
  "what has begun is finished before more is begun: back from a delay a run goes before all that came after it",
  () =>
    scoped(
      Effect.gen(function* () {
        const [one, two] = (yield* processes(2, 1)) as [Process, Process]
        assert.isTrue(yield* come(one, 1))
        yield* one.places.release(ORG, "1")
        assert.isTrue(yield* come(two, 2))
        for (const id of [3, 4, 5]) assert.isFalse(yield* come(two, id))
        assert.isFalse(yield* one.places.ask(ORG, "1"))
        assert.strictEqual(yield* nextAfter(two, 2), 1)
        assert.strictEqual(yield* nextAfter(one, 1), 3)
      })
    )
)

it.live(
  "a run that waits for a called run gets no place, and its wait stays: it takes its turn back first (7.13)",
  () =>
    scoped(
      Effect.gen(function* () {
        const [process] = (yield* processes(1, 2)) as [Process]
        const { places, sql } = process
        yield* created(process, 1)
        yield* sql`UPDATE runs SET wait_why = 'called_run', wait_since = now() WHERE run_id = 1`
        assert.isFalse(yield* places.ask(ORG, "1"))
        assert.deepStrictEqual(yield* sql`SELECT wait_why, place_wanted_on FROM runs`, [
          { wait_why: "called_run", place_wanted_on: null }
        ])
        assert.deepStrictEqual(yield* holders(process), [])
        // The turn that it takes back ends the wait.
        yield* sql`UPDATE runs SET wait_why = NULL, wait_since = NULL WHERE run_id = 1`
        assert.isTrue(yield* places.ask(ORG, "1"))
      })
    )
)

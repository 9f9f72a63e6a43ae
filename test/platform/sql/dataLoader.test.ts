// What is asked at about the same time goes to the database in one statement, and each gets its own answer.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { ConstraintError, SqlError } from "effect/sql/SqlError"
import { changing } from "../../../src/platform/sql/changing.ts"
import { findBatched, loadBatched } from "../../../src/platform/sql/dataLoader.ts"
import { rowsOf } from "../../../src/platform/sql/rows.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { layerDatabase } from "../../support/database.ts"

const Found = Schema.Struct({ name: Schema.String })

const makeCounted = Effect.fnUntraced(function* (apart?: (key: number) => unknown) {
  const sql = yield* Sql
  const loads: Array<ReadonlyArray<number>> = []
  const ask = yield* loadBatched<number, number, string>(
    sql,
    (keys) => {
      loads.push(keys)
      return keys.includes(13) ? Effect.fail("thirteen") : Effect.succeed(keys.map((key) => key * 2))
    },
    apart
  )
  return { ask, loads }
})

const runAll = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) => Effect.all(effects, { concurrency: "unbounded" })

layer(layerDatabase, { excludeTestServices: true })("asked together", (it) => {
  it.effect("is loaded at once, and answered place by place", () =>
    Effect.gen(function* () {
      const { ask, loads } = yield* makeCounted()
      assert.deepStrictEqual(yield* runAll([ask(1), ask(2), ask(3)]), [2, 4, 6])
      assert.deepStrictEqual(yield* ask(4), 8)
      assert.deepStrictEqual(loads, [[1, 2, 3], [4]])
    })
  )

  it.effect("goes in pieces where it is much", () =>
    Effect.gen(function* () {
      const { ask, loads } = yield* makeCounted()
      const keys = Array.from({ length: 150 }, (_, i) => 100 + i)
      assert.deepStrictEqual(
        yield* runAll(keys.map(ask)),
        keys.map((key) => key * 2)
      )
      assert.deepStrictEqual(
        loads.map(({ length }) => length),
        [64, 64, 22]
      )
    })
  )

  it.effect("keeps apart what may not be in one statement", () =>
    Effect.gen(function* () {
      const { ask, loads } = yield* makeCounted((key) => key % 10)
      assert.deepStrictEqual(yield* runAll([ask(1), ask(11), ask(2), ask(21)]), [2, 22, 4, 42])
      assert.deepStrictEqual(loads, [[1, 2], [11], [21]])
    })
  )

  it.effect("fails for all whom it was asked for, and for nobody after them", () =>
    Effect.gen(function* () {
      const { ask } = yield* makeCounted()
      const [one, other] = yield* runAll([Effect.exit(ask(1)), Effect.exit(ask(13))])
      assert.deepStrictEqual([one, other], [Exit.fail("thirteen"), Exit.fail("thirteen")])
      assert.strictEqual(yield* ask(1), 2)
    })
  )

  it.effect("goes on for the others when somebody leaves", () =>
    Effect.gen(function* () {
      const startSignal = yield* Deferred.make<void>()
      const endGate = yield* Deferred.make<void>()
      const sql = yield* Sql
      const ask = yield* loadBatched<number, number, never>(sql, (keys) =>
        Deferred.succeed(startSignal, undefined).pipe(Effect.andThen(Deferred.await(endGate)), Effect.as(keys))
      )
      const firstAsk = yield* Effect.forkChild(ask(1))
      const second = yield* Effect.forkChild(ask(2))
      yield* Deferred.await(startSignal)
      yield* Fiber.interrupt(firstAsk)
      yield* Deferred.succeed(endGate, undefined)
      assert.strictEqual(yield* Fiber.join(second), 2)
    })
  )

  /** Each statement waits until it is let go. */
  const makeGated = Effect.gen(function* () {
    const sql = yield* Sql
    const loads: Array<{ keys: ReadonlyArray<number>; alone: boolean; go: Deferred.Deferred<void> }> = []
    const ask = yield* loadBatched<number, number, never>(sql, (keys, alone) => {
      const go = Deferred.makeUnsafe<void>()
      loads.push({ keys, alone, go })
      return Effect.as(Deferred.await(go), keys)
    })
    const awaitStarted = (count: number) =>
      Effect.repeat(
        Effect.promise(() => new Promise(setImmediate)),
        { until: () => loads.length >= count }
      )
    return { ask, begun: awaitStarted, loads }
  })

  it.effect("waits for the next statement while two are under way, and goes with all who came meanwhile", () =>
    Effect.gen(function* () {
      const { ask, begun, loads } = yield* makeGated
      const asking: Array<Fiber.Fiber<number>> = []
      for (const key of [1, 2]) {
        asking.push(yield* Effect.forkChild(ask(key)))
        yield* begun(key)
      }
      for (const key of [3, 4, 5]) asking.push(yield* Effect.forkChild(ask(key)))
      yield* Effect.yieldNow
      yield* Deferred.succeed(loads[1]!.go, undefined)
      yield* begun(3)
      for (const { go } of loads) yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* Fiber.joinAll(asking), [1, 2, 3, 4, 5])
      assert.deepStrictEqual(
        loads.map(({ alone, keys }) => [keys, alone]),
        [
          [[1], true],
          [[2], false],
          [[3, 4, 5], false]
        ]
      )
    })
  )

  it.effect("is not held up for longer than a moment by statements that stand still", () =>
    Effect.gen(function* () {
      const { ask, begun, loads } = yield* makeGated
      const blockedFibers = [yield* Effect.forkChild(ask(1))]
      yield* begun(1)
      blockedFibers.push(yield* Effect.forkChild(ask(2)))
      yield* begun(2)
      const third = yield* Effect.forkChild(ask(3))
      yield* begun(3)
      yield* Deferred.succeed(loads[2]!.go, undefined)
      assert.strictEqual(yield* Fiber.join(third), 3)
      assert.isFalse(loads[2]!.alone)
      yield* Fiber.interruptAll(blockedFibers)
    })
  )

  it.effect("looks for a key once, however many ask for it", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const loads: Array<ReadonlyArray<number>> = []
      const find = yield* findBatched(sql, (keys: ReadonlyArray<number>) => {
        loads.push(keys)
        return Effect.succeed(new Map(keys.map((key) => [key, key * 2])))
      })
      const [one, other] = yield* runAll([find([1, 2]), find([2, 3])])
      assert.deepStrictEqual([one!.get(2), other!.get(3)], [4, 6])
      assert.deepStrictEqual(loads, [[1, 2, 3]])
    })
  )

  it.effect("of changes one that is refused takes none of the others with it", () =>
    Effect.gen(function* () {
      const loads: Array<ReadonlyArray<number>> = []
      const change = (yield* changing(yield* Sql))((keys: ReadonlyArray<number>) => {
        loads.push(keys)
        return keys.includes(13)
          ? Effect.fail(new SqlError({ reason: new ConstraintError({ cause: undefined }) }))
          : Effect.succeed(keys.map((key) => key * 2))
      })
      const results = yield* runAll([1, 13, 2].map((key) => Effect.option(change(key))))
      assert.deepStrictEqual(
        results.map((one) => (one._tag === "Some" ? one.value : "refused")),
        [2, "refused", 4]
      )
      assert.deepStrictEqual(loads, [[1, 13, 2], [1], [13], [2]])
    })
  )

  it.effect("changes over a connection of their own: reads that come meanwhile do not stand behind them", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const startSignal = yield* Deferred.make<void>()
      const change = (yield* changing(sql))((keys: ReadonlyArray<number>) =>
        Effect.andThen(Deferred.succeed(startSignal, undefined), Effect.as(sql`SELECT pg_sleep(0.5)`, keys))
      )
      const changed = yield* Effect.forkChild(change(1))
      yield* Deferred.await(startSignal)
      yield* Effect.promise(() => new Promise(setImmediate))
      yield* runAll(Array.from({ length: 5 }, () => sql`SELECT 1`))
      assert.isUndefined(changed.pollUnsafe())
      assert.strictEqual(yield* Fiber.join(changed), 1)
    })
  )

  it.effect("is asked alone inside of a transaction, which sees what it has changed itself", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const named = yield* loadBatched(sql, (names: ReadonlyArray<string>) =>
        Effect.map(rowsOf(Found)(sql`SELECT name FROM organizations WHERE name = ANY(${[...names]}::text[])`), (rows) =>
          names.map((name) => rows.some((row) => row.name === name))
        )
      )
      const insertOrganization = sql`INSERT INTO organizations (name, slug, created_on) VALUES ('Quay', 'quay', now())`
      const inside = sql.withTransaction(
        Effect.andThen(
          insertOrganization,
          Effect.tap(named("Quay"), () => Effect.yieldNow)
        )
      )
      assert.isTrue(yield* inside)
      assert.deepStrictEqual(yield* runAll([named("Quay"), named("Pier")]), [true, false])
    })
  )
})

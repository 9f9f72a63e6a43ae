// What is asked in one turn of the event loop goes to the database in one statement, and each gets its own answer.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { rowsOf } from "../../../src/ground/sql/rows.ts"
import { Sql } from "../../../src/ground/sql/Sql.ts"
import { askedTogether } from "../../../src/ground/sql/together.ts"
import { layerDatabase } from "../../support/database.ts"

const Found = Schema.Struct({ name: Schema.String })

const counted = Effect.fnUntraced(function* (apart?: (key: number) => unknown) {
  const sql = yield* Sql
  const loads: Array<ReadonlyArray<number>> = []
  const ask = yield* askedTogether<number, number, string>(
    sql,
    (keys) => {
      loads.push(keys)
      return keys.includes(13) ? Effect.fail("thirteen") : Effect.succeed(keys.map((key) => key * 2))
    },
    apart
  )
  return { ask, loads }
})

const all = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) => Effect.all(effects, { concurrency: "unbounded" })

layer(layerDatabase, { excludeTestServices: true })("asked together", (it) => {
  it.effect("is loaded at once, and answered place by place", () =>
    Effect.gen(function* () {
      const { ask, loads } = yield* counted()
      assert.deepStrictEqual(yield* all([ask(1), ask(2), ask(3)]), [2, 4, 6])
      assert.deepStrictEqual(yield* ask(4), 8)
      assert.deepStrictEqual(loads, [[1, 2, 3], [4]])
    })
  )

  it.effect("goes in pieces where it is much", () =>
    Effect.gen(function* () {
      const { ask, loads } = yield* counted()
      const keys = Array.from({ length: 150 }, (_, i) => 100 + i)
      assert.deepStrictEqual(
        yield* all(keys.map(ask)),
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
      const { ask, loads } = yield* counted((key) => key % 10)
      assert.deepStrictEqual(yield* all([ask(1), ask(11), ask(2), ask(21)]), [2, 22, 4, 42])
      assert.deepStrictEqual(loads, [[1, 2], [11], [21]])
    })
  )

  it.effect("fails for all whom it was asked for, and for nobody after them", () =>
    Effect.gen(function* () {
      const { ask } = yield* counted()
      const [one, other] = yield* all([Effect.exit(ask(1)), Effect.exit(ask(13))])
      assert.deepStrictEqual([one, other], [Exit.fail("thirteen"), Exit.fail("thirteen")])
      assert.strictEqual(yield* ask(1), 2)
    })
  )

  it.effect("goes on for the others when somebody leaves", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const sql = yield* Sql
      const ask = yield* askedTogether<number, number, never>(sql, (keys) =>
        Deferred.succeed(begun, undefined).pipe(Effect.andThen(Deferred.await(ended)), Effect.as(keys))
      )
      const first = yield* Effect.forkChild(ask(1))
      const second = yield* Effect.forkChild(ask(2))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(ended, undefined)
      assert.strictEqual(yield* Fiber.join(second), 2)
    })
  )

  it.effect("is asked alone inside of a transaction, which sees what it has changed itself", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const named = yield* askedTogether(sql, (names: ReadonlyArray<string>) =>
        Effect.map(rowsOf(Found)(sql`SELECT name FROM organizations WHERE name = ANY(${[...names]}::text[])`), (rows) =>
          names.map((name) => rows.some((row) => row.name === name))
        )
      )
      const made = sql`INSERT INTO organizations (name, slug, created_on) VALUES ('Quay', 'quay', now())`
      const inside = sql.withTransaction(
        Effect.andThen(
          made,
          Effect.tap(named("Quay"), () => Effect.yieldNow)
        )
      )
      assert.isTrue(yield* inside)
      assert.deepStrictEqual(yield* all([named("Quay"), named("Pier")]), [true, false])
    })
  )
})

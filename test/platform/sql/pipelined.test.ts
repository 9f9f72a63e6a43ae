// Transactions whose statements go out behind each other (docs/architecture/flow.md, "One flow"): in their order, all or none of them.
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Schema } from "effect"
import { pipelined } from "../../../src/platform/sql/pipelined.ts"
import { countOf, rowsOf } from "../../../src/platform/sql/rows.ts"
import { PgSql } from "../../../src/platform/sql/Sql.ts"
import { layerDatabase } from "../../support/database.ts"

const Said = Schema.Struct({ said: Schema.String })
const runTogether = <const A extends ReadonlyArray<Effect.Effect<unknown, unknown>>>(effects: A) =>
  Effect.all(effects, { concurrency: "unbounded" })

const setting = Effect.gen(function* () {
  const sql = yield* PgSql
  const insertName = (name: string) => sql`INSERT INTO relay_attempts (name, tries) VALUES (${name}, 0)`
  const countRows = countOf(sql`SELECT count(*)::int AS n FROM relay_attempts`)
  yield* sql`DELETE FROM relay_attempts`
  return { sql, put: insertName, found: countRows, ...(yield* pipelined(sql)) }
})

/** A statement fails in the middle of a transaction: nothing of it stays, and the next one begins anew. */
const leavesNothing = Effect.fnUntraced(function* (
  { found, put, within }: Effect.Success<typeof setting>,
  transaction: Effect.Effect<unknown, unknown>
) {
  const exit = yield* Effect.exit(within(transaction))
  assert.isTrue(Exit.isFailure(exit))
  assert.include(String((exit as Exit.Failure<unknown, { reason: unknown }>).cause), "UniqueViolation")
  assert.strictEqual(yield* found, 0)
  yield* within(put("three"))
  assert.strictEqual(yield* found, 1)
})

layer(layerDatabase, { excludeTestServices: true })("a pipelined transaction", (it) => {
  it.effect("sends what is asked side by side in that order: each statement finds what those before it did", () =>
    Effect.gen(function* () {
      const { found, put, sql, within } = yield* setting
      const readSetting = rowsOf(Said)(sql`SELECT current_setting('millrace.test') AS said`)
      const name = sql`SELECT set_config('millrace.test', 'yes', true)`
      const [, answer, , count] = yield* within(runTogether([name, readSetting, put("one"), found]))
      assert.deepStrictEqual([answer, count], [[{ said: "yes" }], 1])
      assert.strictEqual(yield* found, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("is one: where a statement fails nothing of it stays, and the next one begins anew", () =>
    Effect.gen(function* () {
      const pipeline = yield* setting
      const { put } = pipeline
      yield* leavesNothing(pipeline, runTogether([put("one"), put("one"), put("two")]))
    }).pipe(Effect.scoped)
  )

  it.effect("is rolled back behind what was sent when it is interrupted", () =>
    Effect.gen(function* () {
      const { found, put, sql, within } = yield* setting
      const fiber = yield* Effect.forkChild(within(runTogether([put("one"), sql`SELECT pg_sleep(0.2)`])), {
        startImmediately: true
      })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* found, 0)
      yield* within(put("two"))
      assert.strictEqual(yield* found, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("fails with its connection; another connection works", () =>
    Effect.gen(function* () {
      const { found, put, sql, within } = yield* setting
      const killConnection = sql`SELECT pg_terminate_backend(pg_backend_pid())`
      assert.isTrue(Exit.isFailure(yield* Effect.exit(within(runTogether([put("one"), killConnection, put("two")])))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(within(put("three")))))
      assert.strictEqual(yield* found, 0)
      const secondPipeline = yield* pipelined(sql)
      yield* secondPipeline.within(put("four"))
      assert.strictEqual(yield* found, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("runs what waits for its commit once it has committed, and not otherwise", () =>
    Effect.gen(function* () {
      const { put, sql, within } = yield* setting
      const heard: Array<string> = []
      const hear = (what: string) => sql.afterCommit(Effect.sync(() => void heard.push(what)))
      yield* within(Effect.andThen(put("one"), hear("first")))
      yield* Effect.exit(within(Effect.andThen(hear("second"), put("one"))))
      assert.deepStrictEqual(heard, ["first"])
    }).pipe(Effect.scoped)
  )

  it.effect("ends behind its last statements without waiting for their answers", () =>
    Effect.gen(function* () {
      const { found, last, put, sql, within } = yield* setting
      const heard: Array<string> = []
      const named = rowsOf(Said)(sql`SELECT name AS said FROM relay_attempts`)
      const results = yield* within(
        Effect.andThen(
          sql.afterCommit(Effect.sync(() => void heard.push("committed"))),
          last(2, runTogether([put("one"), named]))
        )
      )
      assert.deepStrictEqual([results[1], heard], [[{ said: "one" }], ["committed"]])
      assert.strictEqual(yield* found, 1)
      yield* within(put("two"))
      assert.strictEqual(yield* found, 2)
    }).pipe(Effect.scoped)
  )

  it.effect("is all or nothing where one of its last statements fails", () =>
    Effect.gen(function* () {
      const pipeline = yield* setting
      const { last, put } = pipeline
      yield* leavesNothing(pipeline, last(3, runTogether([put("one"), put("one"), put("two")])))
    }).pipe(Effect.scoped)
  )

  it.effect("waits for the answers where not all of them went out side by side", () =>
    Effect.gen(function* () {
      const { found, last, put, within } = yield* setting
      yield* within(last(2, Effect.andThen(put("one"), put("two"))))
      assert.strictEqual(yield* found, 2)
    }).pipe(Effect.scoped)
  )

  it.effect("says whether it is certain that nothing of one that failed stays", () =>
    Effect.gen(function* () {
      const { last, put, rolledBack, sql, within } = yield* setting
      const outcome = (transaction: Effect.Effect<unknown, unknown>) =>
        Effect.map(Effect.exit(within(transaction)), (exit) => [Exit.isSuccess(exit), rolledBack()])
      const killConnection = sql`SELECT pg_terminate_backend(pg_backend_pid())`
      assert.deepStrictEqual(yield* outcome(last(1, put("one"))), [true, false])
      assert.deepStrictEqual(yield* outcome(last(2, runTogether([put("two"), put("two")]))), [false, true])
      assert.deepStrictEqual(yield* outcome(Effect.andThen(put("two"), Effect.die("before its end"))), [false, true])
      // Something fails on this side, although it is committed.
      const lost = Effect.andThen(last(1, put("two")), Effect.die("behind its end"))
      assert.deepStrictEqual(yield* outcome(lost), [false, false])
      assert.deepStrictEqual(yield* outcome(last(2, runTogether([put("three"), killConnection]))), [false, false])
    }).pipe(Effect.scoped)
  )

  it.effect("changes nothing outside: a statement that the server has forgotten is not sent again behind it", () =>
    Effect.gen(function* () {
      const { found, last, put, sql, within } = yield* setting
      yield* within(put("one"))
      yield* within(sql`DEALLOCATE ALL`)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(within(last(2, runTogether([put("two"), found]))))))
      assert.strictEqual(yield* found, 1)
      yield* within(last(1, put("two")))
      assert.strictEqual(yield* found, 2)
    }).pipe(Effect.scoped)
  )
})

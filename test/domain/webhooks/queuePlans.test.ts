// docs/architecture/database.md, "Planned once": statements whose plans were made while the queue was empty, and are kept, pass thousands of
// deliveries through it with work in proportion to their number.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeDueApps } from "../../../src/domain/webhooks/dueApps.ts"
import { PLANNED_ONCE } from "../../../src/platform/sql/Pool.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { ddl } from "../../support/database.ts"
import { type PlanNode, planOf, sumOver } from "../../support/plans.ts"
import { type Asked, askedBy } from "../../support/statements.ts"
import { bareActor, layerBare, result } from "./support/bareActor.ts"
import { seedHook } from "./support/harness.ts"

const HOOKS = 20
const RECORDS = 100
const DELIVERIES = 2 * HOOKS * RECORDS
const CLAIMED = 400
/** Rows that a statement may look at for each delivery of the queue. One that compares them with each other looks at hundreds. */
const ROWS_PER_DELIVERY = 10

const TABLES = ["webhook_queue", "webhook_deliveries", "webhook_attempts"]

/** Rows that a node of a plan has looked at. */
const rowsRead = (node: PlanNode): number =>
  node["Actual Loops"] *
  (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0))

const literal = (value: unknown): string => {
  if (value === null) return "NULL"
  const text = value instanceof Date ? value.toISOString() : Array.isArray(value) ? `{${value.join()}}` : String(value)
  return `'${text.replaceAll("'", "''")}'`
}

layer(layerBare({ perWindow: 1_000_000, slots: 512 }), { excludeTestServices: true })("the queue", (it) => {
  /** Fan-outs, claims, results and lookups of an app whose records change twice; every fourth delivery fails. */
  const throughQueue = Effect.gen(function* () {
    const { app, claim, fan, updates, write } = yield* bareActor
    for (let hook = 1; hook < HOOKS; hook++) yield* seedHook(app, "record.update", "https://93.184.215.14/in")
    const { nextDue, withDueRows } = yield* makeDueApps
    return Effect.gen(function* () {
      for (const _ of ["first", "second"])
        yield* fan(Array.from({ length: RECORDS }, (_, record) => updates(record, 1)).flat())
      yield* nextDue(String(app.appId))
      yield* withDueRows(new Date())
      for (const _ of ["first", "second"]) {
        const rows = yield* claim(CLAIMED)
        assert.lengthOf(rows, CLAIMED)
        yield* write(rows.map((row, index) => result(row, index % 4 > 0)))
      }
    })
  })

  /** Executes the statements again, by plans that were all made while the tables were empty. Answers the rows that each looks at. */
  const withEmptyPlans = Effect.fnUntraced(function* (asked: ReadonlyArray<Asked>) {
    const sql = yield* Sql
    for (const table of TABLES) yield* sql`DELETE FROM ${sql(table)}`
    yield* ddl(...TABLES.map((table) => `VACUUM ${table}`))
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        for (const [name, value] of Object.entries(PLANNED_ONCE)) yield* sql`SELECT set_config(${name}, ${value}, true)`
        const steps = asked.map(({ rows, statement, values }, index) => ({
          ...{ rows, statement },
          execute: `EXECUTE s${index}${values.length === 0 ? "" : `(${values.map(literal).join()})`}`
        }))
        for (const [index, { execute, statement }] of steps.entries()) {
          yield* sql.unsafe(`PREPARE s${index} AS ${statement}`)
          yield* sql.unsafe(`EXPLAIN ${execute}`)
        }
        const statements = yield* Effect.forEach(steps, ({ execute, rows, statement }, index) =>
          Effect.gen(function* () {
            const plan = yield* planOf(sql.unsafe(`EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`))
            yield* sql.unsafe(`DEALLOCATE s${index}`)
            assert.strictEqual(plan["Actual Rows"], rows.length, statement)
            return { statement, work: sumOver(plan, rowsRead) }
          })
        )
        // The results were written: a batch that is not ordinary would be left.
        assert.lengthOf(yield* sql`SELECT 1 FROM webhook_attempts`, 2 * CLAIMED)
        return statements
      })
    )
  })

  it.effect("is read in proportion by statements that were planned while it was empty", () =>
    Effect.gen(function* () {
      const { asked } = yield* askedBy(yield* throughQueue)
      const statements = yield* withEmptyPlans(
        asked.filter(({ statement }) => TABLES.some((table) => statement.includes(table)))
      )
      for (const { statement, work } of statements) assert.isBelow(work, ROWS_PER_DELIVERY * DELIVERIES, statement)
    })
  )
})

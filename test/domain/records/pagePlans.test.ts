// developer-api.md 4.2: Postgres plans a page in the order of an index once for a connection, by a plan that serves apps of every size.
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Access } from "../../../src/domain/accounts/Access.ts"
import { buildFieldIndexes } from "../../../src/domain/records/listing/buildFieldIndexes.ts"
import { Listings, pageLimits } from "../../../src/domain/records/listing/Listings.ts"
import { rowsOf } from "../../../src/platform/sql/rows.ts"
import { ddl } from "../../support/database.ts"
import { large, world } from "../../support/largeApp.ts"
import { type PlanNode, planOf, sumOver } from "../../support/plans.ts"
import { as, callerOf, createApp, field } from "../../support/records.ts"
import { askedBy } from "../../support/statements.ts"

const Prepared = Schema.Struct({ custom_plans: Schema.Int, generic_plans: Schema.Int })

/** After so many plans for their values Postgres asks whether one for all is as good. */
const CUSTOM_MOST = 5
const TIMES = 12

/** A plan for every app, by costs with which the planner prefers the primary key for its order, as it does for millions of records. */
const LARGE_TABLE = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  random_page_cost: "1000",
  seq_page_cost: "0.01"
}

const recordsRead = (node: PlanNode): number =>
  node["Relation Name"] === "records"
    ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
    : 0

const pages = Effect.gen(function* () {
  const fixture = yield* large
  const access = yield* Access
  const listings = yield* Listings
  const page = (appId: number, request: object) =>
    Effect.gen(function* () {
      const grant = yield* access.check(callerOf(fixture.owner), "app", appId, 1)
      return yield* listings.ofApp(grant, null, request)
    })
  return { ...fixture, page }
})

layer(world, { excludeTestServices: true, timeout: "2 minutes" })("plans of pages", (it) => {
  it.effect("are kept, and read no record of a large app for the page of a small one beside it", () =>
    Effect.gen(function* () {
      const { app, id, owner, page, sql } = yield* pages
      const small = yield* createApp(owner, app.workspace_id, [field("single_text", "Name")], "Small")
      for (const slug of ["name", "weight"]) yield* page(app.app_id, { sort_by: id(slug) })
      yield* buildFieldIndexes
      yield* ddl("ANALYZE records", "ANALYZE record_keys")
      for (const request of [
        {},
        { limit: pageLimits.max },
        { sort_by: id("name") },
        { sort_by: id("weight"), sort_desc: true }
      ]) {
        let pageStatement = ""
        const { answer } = yield* askedBy(
          Effect.gen(function* () {
            for (let i = 0; i < TIMES; i++) yield* page(app.app_id, request)
            return yield* rowsOf(Prepared)(sql`
              SELECT custom_plans::int, generic_plans::int FROM pg_prepared_statements
              WHERE statement = ${pageStatement} AND custom_plans + generic_plans >= ${TIMES}::int`)
          }),
          ({ statement }) =>
            Effect.sync(() => {
              if (statement.includes("LIMIT 501")) pageStatement = statement
            })
        )
        const requestText = JSON.stringify(request)
        assert.strictEqual(answer.length, 1, requestText)
        assert.isAtMost(answer[0]!.custom_plans, CUSTOM_MOST, requestText)
        assert.isAtLeast(answer[0]!.generic_plans, TIMES - CUSTOM_MOST, requestText)
      }

      // Unknown to the statistics, as a small app is among millions of records.
      for (const name of ["a", "b"]) yield* as(owner)("POST", `/v1/record/app/${small.app_id}`, { fields: { name } })
      const { asked } = yield* askedBy(page(small.app_id, {}))
      const [select] = asked.filter(({ statement }) => statement.includes("FROM records r"))
      const owners = yield* SqlClient.SqlClient
      const plan = yield* owners.withTransaction(
        Effect.gen(function* () {
          yield* owners`SELECT set_config(name, value, true) FROM json_each_text(${JSON.stringify(LARGE_TABLE)}::json) AS s (name, value)`
          yield* owners.unsafe(`PREPARE small_page AS ${select!.statement}`)
          const execute = `EXECUTE small_page(${select!.values.map((value) => `'${value}'`).join(", ")})`
          const explained = yield* planOf(owners.unsafe(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`))
          yield* owners`DEALLOCATE small_page`
          return explained
        })
      )
      assert.strictEqual(sumOver(plan, recordsRead), 2)
    })
  )
})

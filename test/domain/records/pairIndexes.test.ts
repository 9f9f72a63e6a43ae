// developer-api.md 4.2: a listing by a filter and a sort that is often asked for has an index of the pair, which changes nothing of what it gives.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Access } from "../../../src/domain/accounts/Access.ts"
import { buildFieldIndexes } from "../../../src/domain/records/listing/buildFieldIndexes.ts"
import { buildPairIndexes, PairBounds } from "../../../src/domain/records/listing/buildPairIndexes.ts"
import { Listings } from "../../../src/domain/records/listing/Listings.ts"
import { large, SIZE, world } from "../../support/largeApp.ts"
import { type PlanNode, planOf, sumOver } from "../../support/plans.ts"
import { callerOf } from "../../support/records.ts"
import { askedBy } from "../../support/statements.ts"

/** Records that a node of a plan has read. */
const recordsRead = (node: PlanNode): number =>
  node["Relation Name"] === "records" ? node["Actual Rows"] * node["Actual Loops"] : 0

/** The app, and what is asked of its pairs. */
const pairs = Effect.gen(function* () {
  const fixture = yield* large
  const { app, call, filter, id, kinds, listed, sql } = fixture
  const path = `/v1/record/filter/app/${app.app_id}?limit=1&sort_by=`
  /** Asks for one record by one filter, so many times. */
  const ask = (times: number, sort: string, ...filters: ReadonlyArray<object>) =>
    Effect.repeat(call("POST", path + sort, { filters }), { times: times - 1 })
  const byKind = filter("kind", "equal", kinds[1])
  const pairRows = sql<{ filter_id: number; sort_id: number; requests: number; chosen: boolean; ready: boolean }>`
    SELECT filter_id, sort_id, requests, chosen_on IS NOT NULL AS chosen, ready_on IS NOT NULL AS ready
    FROM pair_indexes WHERE app_id = ${app.app_id} ORDER BY pair_id`
  /** Keys that the records do not have, and those that are missing. */
  const wrongKeys = sql`
    WITH right_ones AS (
      SELECT p.pair_id, r.record_id, k.* FROM pair_indexes p JOIN records r USING (app_id)
      JOIN field_indexes f ON f.field_id = p.filter_id JOIN field_indexes s ON s.field_id = p.sort_id
      CROSS JOIN LATERAL record_pair_rows(f.kind, r.cells->(p.filter_id::text), s.kind, r.cells->(p.sort_id::text)) AS k
      WHERE p.app_id = ${app.app_id} AND p.chosen_on IS NOT NULL AND r.deleted_on IS NULL
    ), kept AS (
      SELECT k.* FROM record_pairs k JOIN pair_indexes p USING (pair_id) WHERE p.app_id = ${app.app_id}
    )
    (SELECT 'extra' AS what, * FROM (SELECT * FROM kept EXCEPT SELECT * FROM right_ones) AS e LIMIT 3)
    UNION ALL (SELECT 'missing', * FROM (SELECT * FROM right_ones EXCEPT SELECT * FROM kept) AS m LIMIT 3)`
  const filterSets = [
    byKind,
    filter("weight", "equal", 12.5),
    filter("weight", "equal", 0),
    filter("owner", "equal", fixture.owner.userId),
    filter("marks", "any", fixture.marks[0])
  ]
  const shapes = [
    ["", 40],
    ["&sort_desc=true", 400],
    ["&sort_desc=true&offset=600", 40]
  ] as const
  /** What the pairs give, as text: in both directions, from the middle, and into the records whose sort field is empty. */
  const everything = Effect.gen(function* () {
    const answersByQuery: Record<string, string> = {}
    for (const filterSet of filterSets)
      for (const sort of ["name", "weight", "due", "stay"])
        for (const [more, limit] of shapes)
          answersByQuery[`${JSON.stringify(filterSet)} ${sort}${more} ${limit}`] = JSON.stringify(
            yield* listed([filterSet], `&sort_by=${sort}${more}`, limit)
          )
    return answersByQuery
  })
  /** Has every pair counted as asked for often. */
  const allOften = Effect.andThen(
    Effect.forEach(filterSets, (one, i) =>
      listed([one], `&sort_by=${["name", "due", "stay", "weight", "name"][i]}`, 1)
    ),
    sql`
      INSERT INTO pair_indexes (app_id, filter_id, sort_id, requests, counted_from, often_on)
      SELECT f.app_id, f.field_id, s.field_id, 100, now(), now() FROM field_indexes f JOIN field_indexes s USING (app_id)
      WHERE f.app_id = ${app.app_id} AND f.kind IN ('number', 'refs') AND s.kind <> 'refs' AND f.field_id <> s.field_id
      ON CONFLICT (filter_id, sort_id) DO UPDATE SET often_on = now()`
  )
  const buildAll = Effect.provideService(buildPairIndexes, PairBounds, { ofApp: 100, inAll: 1_000 })
  return {
    ...fixture,
    allOften,
    ask,
    buildAll,
    byKind,
    everything,
    kindId: Number(id("kind")),
    known: pairRows,
    wrongKeys
  }
})

layer(world, { excludeTestServices: true, timeout: "2 minutes" })("indexes of pairs", (it) => {
  it.effect("are built for what is asked for a hundred times a day, and for nothing else", () =>
    Effect.gen(function* () {
      const { ask, byKind, filter, id, kindId, kinds, known } = yield* pairs
      yield* ask(60, "name", byKind)
      yield* buildFieldIndexes
      yield* buildPairIndexes
      assert.deepStrictEqual(
        (yield* known).map(({ chosen, filter_id, sort_id }) => [filter_id, sort_id, chosen]),
        [[kindId, Number(id("name")), false]]
      )
      yield* ask(60, "name", byKind)
      // Neither of these is one value of one field in the order of another.
      yield* ask(15, "weight", filter("weight", "larger", 100))
      yield* ask(15, "weight", byKind, filter("weight", "smaller", 3))
      yield* ask(15, "created_on", byKind)
      yield* ask(15, "name", filter("kind", "not_equal", kinds[1]))
      assert.isAbove((yield* buildPairIndexes).pairs_indexed, SIZE - 1)
      const [only, ...others] = yield* known
      assert.isTrue(only!.ready)
      assert.isEmpty(others)
      // Once it is known to be asked for often, nothing is written for its requests.
      const { requests } = only!
      yield* ask(60, "name", byKind)
      assert.deepStrictEqual(
        (yield* known).map((one) => one.requests),
        [requests]
      )
    })
  )

  it.effect("change nothing of what listings give, before and after writes", () =>
    Effect.gen(function* () {
      const { allOften, app, buildAll, byKind, call, everything, listed, sql, wrongKeys } = yield* pairs
      yield* allOften
      yield* buildFieldIndexes
      const without = yield* everything
      yield* allOften
      assert.isAbove((yield* buildAll).pairs_indexed, 10 * SIZE)
      assert.deepStrictEqual(yield* wrongKeys, [])
      assert.deepStrictEqual(yield* everything, without)
      const [[, [first, second, third, fourth]]] = (yield* listed([byKind], "&sort_by=name")) as any
      const creation = yield* call("POST", `/v1/record/app/${app.app_id}`, {
        fields: { name: "gull16", weight: 12.5, due: "2026-02-10", kind: "barrel" }
      })
      assert.strictEqual(creation.status, 200, creation.text)
      yield* call("PUT", `/v1/record/${first}`, { fields: { weight: 0.25, name: "GULL  one" } })
      yield* call("PUT", `/v1/record/${second}`, { fields: { weight: null, due: null, kind: null } })
      yield* call("DELETE", `/v1/record/${third}`)
      yield* call("DELETE", `/v1/record/${fourth}?permanent=true`)
      yield* call("DELETE", `/v1/record/${creation.json.record_id}`)
      yield* call("POST", `/v1/record/${creation.json.record_id}/restore`)
      assert.deepStrictEqual(yield* wrongKeys, [])
      const paired = yield* everything
      yield* sql`DELETE FROM pair_indexes WHERE app_id = ${app.app_id}`
      const anew = yield* everything
      assert.deepStrictEqual(paired, anew)
      assert.notDeepEqual(anew, without)
    })
  )

  it.effect("are built beside writers, none of whose changes is missed", () =>
    Effect.gen(function* () {
      const { allOften, app, buildAll, byKind, call, known, listed, wrongKeys } = yield* pairs
      yield* allOften
      yield* buildFieldIndexes
      yield* allOften
      const [[, ids]] = (yield* listed([byKind], "&sort_by=name", 100)) as any
      const touch = (i: number) =>
        Effect.all([
          call("POST", `/v1/record/app/${app.app_id}`, { fields: { name: `New ${i}`, weight: i, kind: "sack" } }),
          call("PUT", `/v1/record/${ids[i]}`, { fields: { name: `Touched ${i}`, kind: "crate" } }),
          call("DELETE", `/v1/record/${ids[i + 40]}`)
        ])
      const writing = Effect.forEach(
        Array.from({ length: 40 }, (_, i) => i),
        touch,
        { concurrency: 6 }
      )
      yield* Effect.all([writing, buildAll], { concurrency: "unbounded" })
      assert.isTrue((yield* known).every(({ ready }) => ready))
      assert.deepStrictEqual(yield* wrongKeys, [])
    })
  )

  it.effect("are few: so many an app, and so many in all, of which those chosen first stay", () =>
    Effect.gen(function* () {
      const { allOften, app, known, sql } = yield* pairs
      const chosenPairs = Effect.map(known, (all) => all.filter((one) => one.chosen))
      const choosePairs = (ofApp: number, inAll: number) =>
        Effect.provideService(buildPairIndexes, PairBounds, { ofApp, inAll })
      yield* sql`DELETE FROM pair_indexes`
      yield* allOften
      yield* sql`UPDATE pair_indexes SET requests = 1000 WHERE app_id = ${app.app_id} AND pair_id = (SELECT max(pair_id) FROM pair_indexes)`
      yield* choosePairs(1, 500)
      const firstPairs = yield* chosenPairs
      assert.deepStrictEqual(
        firstPairs.map(({ requests }) => requests),
        [1_000]
      )
      yield* sql`UPDATE pair_indexes SET requests = 2000 WHERE app_id = ${app.app_id} AND chosen_on IS NULL`
      yield* choosePairs(1, 500)
      assert.deepStrictEqual(yield* chosenPairs, firstPairs)
      yield* choosePairs(500, 3)
      assert.lengthOf(yield* chosenPairs, 3)
      yield* choosePairs(500, 2)
      assert.lengthOf(yield* chosenPairs, 3)
    })
  )

  it.effect("go when they are not asked for often any more, and with the index of either field", () =>
    Effect.gen(function* () {
      const { allOften, app, ask, buildAll, byKind, kindId, known, sql } = yield* pairs
      yield* allOften
      yield* buildFieldIndexes
      yield* ask(20, "name", byKind)
      yield* allOften
      yield* buildAll
      const count = (yield* known).length
      yield* sql`
        UPDATE pair_indexes SET often_on = now() - interval '8 days' WHERE app_id = ${app.app_id} AND filter_id = ${kindId}`
      assert.isAbove((yield* buildPairIndexes).record_pairs, SIZE)
      const leftPairs = yield* known
      assert.isBelow(leftPairs.length, count)
      assert.isFalse(leftPairs.some(({ filter_id }) => filter_id === kindId))
      yield* sql`DELETE FROM field_indexes WHERE app_id = ${app.app_id}`
      assert.isEmpty(yield* known)
      assert.isAbove((yield* buildPairIndexes).record_pairs, SIZE)
      const [rest] = yield* sql<{ n: number }>`
        SELECT count(*)::int AS n FROM record_pairs k JOIN records r USING (record_id) WHERE r.app_id = ${app.app_id}`
      assert.strictEqual(rest!.n, 0)
    })
  )

  it.effect("have a page read its own records alone, in the order of the index", () =>
    Effect.gen(function* () {
      const { allOften, app, buildAll, id, kindId, kinds, owner, sql } = yield* pairs
      yield* allOften
      yield* buildFieldIndexes
      const listings = yield* Listings
      const access = yield* Access
      const owners = yield* SqlClient.SqlClient
      const grant = yield* access.check(callerOf(owner), "app", app.app_id, 1)
      const filters = [
        { field_id: kindId, type: "category", match_type: "equal", values: [{ value: kinds[1] }] }
      ] as never
      /** Plans of the statements that read the page: as text, the records that they read, the pages of the database that they touch. */
      const planned = Effect.gen(function* () {
        const { asked } = yield* askedBy(listings.ofApp(grant, filters, { limit: 20, sort_by: id("name") }))
        let [text, records, buffers] = ["", 0, 0]
        for (const { statement, values } of asked.filter((one) => one.statement.includes("AS sort_key"))) {
          const plan = yield* planOf(
            owners.unsafe(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`, values as Array<never>)
          )
          text += JSON.stringify(plan)
          records += sumOver(plan, recordsRead)
          buffers += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
        }
        return { text, records, buffers }
      })
      const without = yield* planned
      yield* allOften
      yield* buildAll
      yield* sql`SELECT record_pairs_analyze()`
      const paired = yield* planned
      assert.include(paired.text, "record_pairs_words_up")
      assert.notInclude(paired.text, "Seq Scan")
      assert.isAbove(without.records, SIZE / 5)
      // One more than the page has, which says whether another follows.
      assert.strictEqual(paired.records, 21)
      assert.isBelow(paired.buffers, without.buffers)
    })
  )
})

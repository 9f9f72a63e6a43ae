// developer-api.md 1.4: the `total` of a listing of all records is what counting them gives, whatever was written meanwhile.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Access } from "../../../src/domain/accounts/Access.ts"
import { Listings } from "../../../src/domain/records/listing/Listings.ts"
import { foldLiveCounts } from "../../../src/domain/records/listing/liveCount.ts"
import { appLayer } from "../../support/app.ts"
import { as, callerOf, createApp, field, seedWorkspace } from "../../support/records.ts"
import { askedBy } from "../../support/statements.ts"

layer(appLayer(), { excludeTestServices: true })("developer-api.md 1.4: totals", (it) => {
  const setup = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { owner, workspaceId } = yield* seedWorkspace
    const app = yield* createApp(owner, workspaceId, [field("single_text", "Name", undefined, { required: true })])
    const call = as(owner)
    const create = (n: number) =>
      Effect.map(
        call("POST", `/v1/record/app/batch/${app.app_id}`, {
          inputs: Array.from({ length: n }, (_, i) => ({ fields: { name: `N${i}` } }))
        }),
        (reply): ReadonlyArray<number> => reply.json.records.map((record: any) => record.record_id)
      )
    const total = Effect.map(call("GET", `/v1/record/app/${app.app_id}?limit=0`), (reply) => reply.json.total as number)
    /** Asserts that the total is right, with records and without, and says what it is. */
    const right = Effect.gen(function* () {
      const [row] = yield* sql<{ n: number }>`
        SELECT count(*)::int AS n FROM records WHERE app_id = ${app.app_id} AND deleted_on IS NULL`
      assert.strictEqual(yield* total, row!.n)
      assert.strictEqual((yield* call("GET", `/v1/record/app/${app.app_id}?limit=1`)).json.total, row!.n)
      return row!.n
    })
    const changes = Effect.map(
      sql`SELECT count(*)::int AS n FROM record_counts WHERE app_id = ${app.app_id}`,
      (rows) => (rows as ReadonlyArray<{ readonly n: number }>)[0]!.n
    )
    return { sql, app, call, create, owner, total, right, changes }
  })

  it.effect("follows records that are made, trashed, restored and destroyed, and no write that failed", () =>
    Effect.gen(function* () {
      const { app, call, create, right } = yield* setup
      assert.strictEqual(yield* right, 0)
      const [first, second, third] = yield* create(5)
      assert.strictEqual(yield* right, 5)
      for (const id of [first, second]) yield* call("DELETE", `/v1/record/${id}`)
      assert.strictEqual(yield* right, 3)
      yield* call("POST", `/v1/record/${first}/restore`)
      yield* call("PUT", `/v1/record/${first}`, { fields: { name: "Other" } })
      assert.strictEqual(yield* right, 4)
      yield* call("DELETE", `/v1/record/${third}?permanent=true`)
      yield* call("DELETE", `/v1/record/${second}?permanent=true`)
      assert.strictEqual(yield* right, 3)
      const failed = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, { inputs: [{ fields: {} }] })
      assert.strictEqual(failed.status, 400)
      assert.strictEqual(yield* right, 3)
    })
  )

  it.effect("counts once what was there before, also where several ask at once and others write", () =>
    Effect.gen(function* () {
      const { app, create, right, sql, total } = yield* setup
      yield* create(20)
      yield* sql`DELETE FROM record_counts WHERE app_id = ${app.app_id}`
      yield* Effect.all([total, create(3), total, create(4), total, total], { concurrency: "unbounded" })
      assert.strictEqual(yield* right, 27)
    })
  )

  it.effect("changes are put together while others write, none is lost or added twice", () =>
    Effect.gen(function* () {
      const { changes, create, right } = yield* setup
      // One after another: those that come together share a statement, and so a change of the count.
      yield* Effect.forEach(Array.from({ length: 120 }), () => create(1), { discard: true })
      assert.isAbove(yield* changes, 100)
      yield* Effect.all([foldLiveCounts, create(2), foldLiveCounts, create(1), foldLiveCounts], {
        concurrency: "unbounded"
      })
      assert.isBelow(yield* changes, 10)
      assert.strictEqual(yield* right, 123)
    })
  )

  it.effect(
    "a first page brings it with its records, in one statement; others have it from their cursor or not at all",
    () =>
      Effect.gen(function* () {
        const { app, create, owner, right, sql } = yield* setup
        const listings = yield* Listings
        const grant = yield* (yield* Access).check(callerOf(owner), "app", app.app_id, 1)
        yield* create(5)
        assert.strictEqual(yield* right, 5)
        const read = Effect.fnUntraced(function* (request: Parameters<typeof listings.ofApp>[2]) {
          const { answer, asked } = yield* askedBy(listings.ofApp(grant, null, request))
          const counting = asked.filter(({ statement }) => statement.includes("record_counts")).length
          return { ...answer, records: answer.records.length, statements: asked.length, counting }
        })
        const { cursor, ...first } = yield* read({ limit: 2 })
        assert.deepStrictEqual(first, { total: 5, records: 2, statements: 1, counting: 1 })
        assert.deepInclude(yield* read({ limit: 2, offset: 1 }), { total: 5, records: 2 })
        const { cursor: _, ...second } = yield* read({ limit: 2, cursor: cursor! })
        assert.deepStrictEqual(second, { total: 5, records: 2, statements: 1, counting: 0 })
        assert.deepInclude(yield* read({ limit: 2, total: "none" }), { total: null, records: 2, counting: 0 })
        yield* sql`DELETE FROM record_counts WHERE app_id = ${app.app_id}`
        assert.deepInclude(yield* read({ limit: 2 }), { total: 5, records: 2 })
        assert.deepInclude(yield* read({ limit: 2 }), { total: 5, statements: 1 })
      })
  )

  it.effect("nothing stays of an app that is gone", () =>
    Effect.gen(function* () {
      const { app, call, changes, create } = yield* setup
      yield* create(3)
      assert.strictEqual((yield* call("DELETE", `/v1/app/${app.app_id}`)).status, 200)
      yield* foldLiveCounts
      assert.strictEqual(yield* changes, 0)
    })
  )
})

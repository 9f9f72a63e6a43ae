// developer-api.md 6 rule 2; decisions A22, A23: files that have had their time go, and nobody who writes files waits for their contents.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Files } from "../../../src/domain/records/files/Files.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import { eventually } from "../../support/eventually.ts"

const storeFiles = Effect.fnUntraced(function* (
  ages: ReadonlyArray<readonly [name: string, attachedHoursAgo: number]>
) {
  const files = yield* Files
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner } = yield* seedOrganization()
  const store = (name: string) =>
    files.store({ orgId, userId: owner.userId }, [
      { name, mimetype: "text/plain", content: Stream.make(new Uint8Array(100)) }
    ])
  for (const [name, hours] of ages) {
    yield* store(name)
    yield* sql`UPDATE files SET created_on = now() - interval '48 hours', attached_on = now() - ${`${hours} hours`}::interval
      WHERE org_id = ${orgId} AND name = ${name}`
  }
  const storedNames = Effect.map(
    sql<{ name: string }>`SELECT name FROM files WHERE org_id = ${orgId} ORDER BY name`,
    (rows) => rows.map(({ name }) => name)
  )
  return { files, left: storedNames, orgId, sql, store }
})

/** Those of this database. */
const lockWaits = (sql: SqlClient.SqlClient) =>
  sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

layer(appLayer(), { excludeTestServices: true })("files that have had their time", (it) => {
  it.effect("one that was attached a moment ago stays, however long ago it came", () =>
    Effect.gen(function* () {
      yield* App
      const { files, left } = yield* storeFiles([
        ["detached", 30],
        ["just attached", 0]
      ])
      yield* files.prune(10)
      assert.deepStrictEqual(yield* left, ["just attached"])
    })
  )

  it.effect("while contents are removed others of the organization store files", () =>
    Effect.gen(function* () {
      const { files, left, orgId, sql, store } = yield* storeFiles([["old", 30]])
      const [held, free] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holding = yield* sql
        .withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM file_chunks JOIN files USING (storage_key) WHERE org_id = ${orgId} FOR UPDATE OF file_chunks`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(free)
          })
        )
        .pipe(Effect.forkChild)
      yield* Deferred.await(held)
      const pruning = yield* Effect.forkChild(files.prune(10))
      yield* eventually("the contents are waited for", lockWaits(sql), (rows) => rows.length === 1)
      yield* store("new")
      yield* Deferred.succeed(free, undefined)
      yield* Fiber.join(holding)
      yield* Fiber.join(pruning)
      assert.deepStrictEqual(yield* left, ["new"])
    })
  )

  it.effect("large ones go a few at a time, until none is left", () =>
    Effect.gen(function* () {
      const { files, left, orgId, sql } = yield* storeFiles([
        ["a", 30],
        ["b", 30],
        ["c", 30]
      ])
      yield* sql`UPDATE files SET size = 40000000 WHERE org_id = ${orgId}`
      assert.deepStrictEqual([yield* files.prune(10), yield* left], [2, ["c"]])
      assert.deepStrictEqual([yield* files.prune(10), yield* files.prune(10)], [1, 0])
    })
  )
})

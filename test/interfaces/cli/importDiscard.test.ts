// docs/operations.md, "Take an organization's data along": an import that was broken off is taken back, and nothing of it is left; one that is
// through is not.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { idKinds, sequences } from "../../../src/interfaces/cli/import/IdBook.ts"
import { discardImport } from "../../../src/interfaces/cli/import/importDiscard.ts"
import { importOrganization } from "../../../src/interfaces/cli/import/organizationImport.ts"
import { exportOrganization } from "../../../src/interfaces/cli/organizationExport.ts"
import { appLayerOver } from "../../support/app.ts"
import { asOwner, freshDatabaseUrl, layerDatabase, layerOn } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"
import { exportDirectory, killedBefore, lowestRecord } from "./importKilled.ts"
import { makeOrganization } from "./importSupport.ts"

const RECORDS = 600
const importOptions = { again: false, title: undefined }

/** Rows of every table but the audit log, which forgets nothing. */
const countRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition AND relname <> 'audit_log' ORDER BY 1`
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql(name)}`
    counts[name] = row!.n
  }
  return counts
})

const refusalOf = (effect: Effect.Effect<unknown, { readonly message: string }, any>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("npm run cli -- organization import --discard", () => {
  it.live(
    "an import that was broken off goes, in batches and again where that was broken off; then it may be made anew",
    () =>
      Effect.gen(function* () {
        const to = yield* freshDatabaseUrl
        const dir = yield* exportDirectory
        const from = yield* Layer.build(appLayerOver(layerDatabase))
        const [lowest] = yield* Effect.gen(function* () {
          const { orgId } = yield* makeOrganization(RECORDS)
          yield* exportOrganization(orgId, dir)
          return yield* lowestRecord
        }).pipe(Effect.provideContext(from))
        const target = yield* Layer.build(Layer.fresh(appLayerOver(layerOn(to))))
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          // Somebody else's organization is there, and goes on being there.
          yield* makeOrganization(3)
          yield* asOwner(
            Effect.flatMap(SqlClient.SqlClient, (owner) =>
              Effect.forEach(
                idKinds,
                (kind, i) => owner`SELECT setval(${sequences[kind]}::regclass, ${10_000 * (i + 1)}::int)`
              )
            )
          )
          assert.include(yield* refusalOf(discardImport(dir, true)), "Nothing of this export")
          const initialCounts = yield* countRows
          const firstId = 10_000 * (idKinds.indexOf("record") + 1)
          yield* killedBefore(to, dir, firstId + 1 + 400 - lowest!.record_id)
          const half = yield* countRows
          assert.isAbove(half["revisions"]!, initialCounts["revisions"]! + 200)

          const preview = yield* discardImport(dir, false)
          assert.isFalse(preview.discarded)
          assert.strictEqual(preview.rows["revisions"], half["revisions"]! - initialCounts["revisions"]!)
          assert.deepStrictEqual(yield* countRows, half, "nothing goes without --yes")

          // Somebody holds a user: the batch before has been committed, and then it is broken off.
          const [locked, letGo] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const holder = yield* sql`SELECT 1 FROM users WHERE org_id = ${preview.org_id} FOR UPDATE`.pipe(
            Effect.andThen(Deferred.succeed(locked, undefined)),
            Effect.andThen(Deferred.await(letGo)),
            sql.withTransaction,
            Effect.forkChild
          )
          yield* Deferred.await(locked)
          const discarding = yield* Effect.forkChild(discardImport(dir, true))
          const blockedLocks = sql`
            SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()`
          yield* eventually("a batch that waits", blockedLocks, ({ length }) => length > 0)
          yield* Fiber.interrupt(discarding)
          yield* Deferred.succeed(letGo, undefined)
          yield* Fiber.join(holder)
          assert.isBelow((yield* countRows)["revisions"]!, half["revisions"]!, "some of it is gone")
          assert.include(yield* refusalOf(importOrganization(dir, importOptions)), "is being taken back")
          const { discarded, rows } = yield* discardImport(dir, true)
          assert.isTrue(discarded)
          assert.strictEqual(rows["users"], preview.rows["users"])
          assert.deepStrictEqual(yield* countRows, initialCounts)
          const [told] = yield* sql<{ org: number }>`
            SELECT (details ->> 'org_id')::int AS org FROM audit_log WHERE event = 'organization.import_discarded'`
          assert.strictEqual(told!.org, preview.org_id)

          const anew = yield* importOrganization(dir, importOptions)
          assert.isAbove(anew.org_id, preview.org_id)
          const fullCounts = yield* countRows
          assert.include(yield* refusalOf(discardImport(dir, true)), `organization ${anew.org_id} is in use`)
          assert.deepStrictEqual(yield* countRows, fullCounts)

          // As if it had been killed before its last word: all kinds are there, contents too.
          const [kept] = yield* sql<{ value: string }>`SELECT value FROM installation WHERE name LIKE 'import/%'`
          const value = JSON.stringify({ ...JSON.parse(kept!.value), result: null })
          yield* sql`UPDATE installation SET value = ${value} WHERE name LIKE 'import/%'`
          const discardResult = yield* discardImport(dir, true)
          assert.isAtLeast(Math.min(discardResult.rows["records"]!, RECORDS), RECORDS)
          assert.isAbove(discardResult.rows["files"]!, 0)
          assert.deepStrictEqual(yield* countRows, initialCounts)
        }).pipe(Effect.provideContext(target))
      }).pipe(Effect.scoped),
    300_000
  )
})

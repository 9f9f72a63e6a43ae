// decisions A23: the counter of an organization's files, kept by the database.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import migration from "../../../src/platform/sql/migrations/0017_storage.ts"
import { asOwner, layerDatabase } from "../../support/database.ts"

const storageRows = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT org_id, bytes FROM organization_storage ORDER BY org_id`
)

it.live(
  "files that were there before are counted, and from then on each that comes or goes, in whatever statement",
  () =>
    asOwner(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // As an earlier release left it.
        yield* sql`DROP TRIGGER files_stored ON files`
        yield* sql`DROP TRIGGER files_gone ON files`
        yield* sql`DROP FUNCTION count_stored_files`
        yield* sql`DROP TABLE organization_storage`
        yield* sql`ALTER TABLE authentication_providers DROP COLUMN renewing_until`
        const orgs = yield* sql<{ org_id: number }>`
      INSERT INTO organizations (name, slug, created_on) VALUES ('A', 'a', now()), ('B', 'b', now()), ('C', 'c', now())
      RETURNING org_id`
        const [a, b, c] = orgs.map(({ org_id }) => org_id)
        const insert = (...files: ReadonlyArray<readonly [number, number]>) =>
          sql`INSERT INTO files (org_id, uploaded_by, name, size, mimetype, storage_key, created_on)
        SELECT org_id::bigint, 1, 'x', size::bigint, 'text/plain', 'key', now()
        FROM unnest(${files.map(([org]) => String(org))}::text[], ${files.map(([, size]) => String(size))}::text[]) AS f (org_id, size)`
        yield* insert([a!, 3], [a!, 4], [b!, 5_000_000_000])
        yield* sql.withTransaction(migration)
        assert.deepStrictEqual(yield* storageRows, [
          { org_id: a, bytes: 7 },
          { org_id: b, bytes: 5_000_000_000 }
        ])
        yield* insert([c!, 1], [a!, 10], [b!, 1], [a!, 20])
        yield* sql`DELETE FROM files WHERE size IN (3, 5000000000, 20)`
        assert.deepStrictEqual(yield* storageRows, [
          { org_id: a, bytes: 14 },
          { org_id: b, bytes: 1 },
          { org_id: c, bytes: 1 }
        ])
        const undone = sql.withTransaction(Effect.andThen(sql`DELETE FROM files`, Effect.fail("undone")))
        yield* Effect.flip(undone)
        assert.deepStrictEqual((yield* storageRows).at(-1), { org_id: c, bytes: 1 })
      })
    ).pipe(Effect.provide(layerDatabase))
)

// decisions O23: the migration to months takes every entry along, under its own id.

import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgMigrator } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { migrate } from "../../../src/platform/sql/Migrator.ts"
import { migrations } from "../../../src/platform/sql/migrations/index.ts"
import { layerPool } from "../../../src/platform/sql/Pool.ts"
import { emptyDatabaseUrl } from "../../support/database.ts"

const until14 = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0015"))

it.live("O23: entries of the former log are found in their months, and the next has the next id", () =>
  Effect.gen(function* () {
    const url = yield* emptyDatabaseUrl
    const pool = layerPool({ url: Redacted.make(url), maxConnections: 2, applicationName: "migration" })
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* PgMigrator.run({ loader: PgMigrator.fromRecord(until14) })
      yield* sql`
        INSERT INTO audit_log (happened_on, event, org_id, details)
        SELECT timestamptz '2025-11-30 23:59:59.999+00' + n * interval '1 millisecond', 'old.' || n, 3, '{"n": 1}'
        FROM generate_series(0, 1) n`
      yield* sql`INSERT INTO audit_log (happened_on, event) VALUES (now(), 'old.now')`
      const former = yield* sql`SELECT * FROM audit_log ORDER BY audit_id`
      yield* migrate
      const kept = yield* sql`SELECT * FROM audit_log ORDER BY audit_id`
      assert.deepStrictEqual(
        kept,
        former.map((row) => ({ ...row, count: null, credential: null, credential_id: null }))
      )
      const partNames = yield* sql<{ part: string }>`
        SELECT tableoid::regclass::text AS part FROM audit_log WHERE event LIKE 'old.%' ORDER BY audit_id LIMIT 2`
      assert.deepStrictEqual(
        partNames.map(({ part }) => part),
        ["audit_log_2025_11", "audit_log_2025_12"]
      )
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM ONLY audit_log_default`, [])
      const [next] = yield* sql<{ audit_id: number }>`
        INSERT INTO audit_log (happened_on, event) VALUES (now(), 'new') RETURNING audit_id`
      assert.strictEqual(next!.audit_id, Number(former.at(-1)!["audit_id"]) + 1)
      assert.deepStrictEqual(yield* sql`SELECT to_regclass('audit_log_former') AS former`, [{ former: null }])
    }).pipe(Effect.provide([pool, NodeServices.layer]))
  }).pipe(Effect.scoped)
)

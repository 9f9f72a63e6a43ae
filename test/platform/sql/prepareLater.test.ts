// Issue "isolation": what is changed of large tables beside the start of an embedded Postgres belongs to the owner of the schema, as what a migration makes does.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgMigrator } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../src/platform/sql/migrations/index.ts"
import { prepare } from "../../../src/platform/sql/prepareDatabase.ts"
import { asService, emptyDatabaseUrl, layerOn } from "../../support/database.ts"

const former = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0047"))

it.live("the weeks of a large log are kept by the service's role right after the start that gave it weeks", () =>
  Effect.gen(function* () {
    const superuser = yield* emptyDatabaseUrl
    const service = asService(superuser)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* PgMigrator.run({ loader: PgMigrator.fromRecord(former) })
      yield* sql`
        INSERT INTO run_logs (run_id, seq, type, status, label, messages, logged_on)
        SELECT n, 1, 'trigger', 'success', rpad('Began', 1900), '[]', now() FROM generate_series(1, 40000) n`
      yield* sql`SELECT setval('runs_run_id_seq', 40000)`
    }).pipe(Effect.provide([layerOn(superuser, 1), NodeServices.layer]))
    yield* prepare.pipe(
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromUnknown({ DATABASE_URL: service, DATABASE_SUPERUSER_URL: superuser })
      )
    )
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`SELECT run_log_forget(ARRAY[1, 2, 3]::bigint[])`
      assert.deepStrictEqual(yield* sql`SELECT run_log_keep() AS step`, [{ step: "jumped" }])
      const owners = yield* sql`
        SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`
      assert.deepStrictEqual(owners, [{ owner: "millrace_owner" }])
    }).pipe(Effect.provide(layerOn(service, 1)))
  }).pipe(Effect.scoped)
)

// A database, a namespace and the test kind's tables of a test's own.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Tuning } from "../../../../src/platform/config/Tuning.ts"
import { asOwner, freshDatabaseUrl, layerOn } from "../../../support/database.ts"
import { freshName, temporalAddress } from "../../../support/temporal.ts"
import type { Setting } from "./harness.ts"
import { createTables } from "./testKind.ts"

export const layerTestPool = (url: string) => layerOn(url, 4)

export const freshSetting = (tuning: Partial<Tuning> = {}) =>
  Effect.gen(function* () {
    const databaseUrl = yield* freshDatabaseUrl
    yield* asOwner(createTables).pipe(Effect.provide(layerTestPool(databaseUrl)))
    const setting: Setting = {
      databaseUrl,
      temporalAddress: temporalAddress(),
      namespace: freshName("namespace"),
      tuning
    }
    return setting
  })

/** Rows of one lane that were done before an earlier one. */
export const outOfOrder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT a.row_id, b.row_id AS later FROM test_done a
    JOIN test_done b ON a.lane = b.lane AND a.app_id = b.app_id AND a.done_id < b.done_id AND a.row_id > b.row_id`
})

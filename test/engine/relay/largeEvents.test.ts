// Events of large records: a record may have 200 texts of 150,000 characters, and an event holds them twice.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countWhere, eventually } from "../actors/support/harness.ts"
import { startWorker } from "../actors/support/process.ts"
import { freshSetting, layerTestPool } from "../actors/support/setting.ts"
import { append } from "../actors/support/testKind.ts"

const MEBIBYTE = 1024 * 1024

/** Texts that repeat themselves, so that they take their time nowhere but where they are read. */
const appendLarge = (count: number, bytes: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      INSERT INTO outbox (type, org_id, app_id, record_id, payload, created_on)
      SELECT 'record.create', 1, 1, n, jsonb_build_object('cells', repeat('a word, ', ${bytes}::int / 8)), now()
      FROM generate_series(1, ${count}::int) AS n ORDER BY n`
  )

/** A process with little memory works all of them, in their order. @param events appends them, in all so many */
const handedOver = (count: number, events: Effect.Effect<unknown, unknown, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    // Nothing here needs Temporal: the port is closed.
    const tuning = { idleInTransactionMillis: 60_000 }
    const setting = { ...(yield* freshSetting(tuning)), temporalAddress: "127.0.0.1:1" }
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* events
      const worker = yield* startWorker(setting, { NODE_OPTIONS: "--max-old-space-size=300" })
      const exitState = () => [worker.exitCode, worker.signalCode]
      yield* eventually(
        "handed over",
        countWhere("test_rows", "true"),
        (n) => n === count || exitState().some((it) => it !== null)
      )
      assert.deepStrictEqual(exitState(), [null, null])
      const swapped =
        yield* sql`SELECT 1 FROM test_rows a JOIN test_rows b ON a.row_id < b.row_id AND a.event_id > b.event_id`
      assert.deepStrictEqual(swapped, [])
    }).pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
  }).pipe(Effect.scoped)

describe("a relay", () => {
  it.live("hands over an event that is larger than any other, and those behind it", () =>
    handedOver(2, Effect.andThen(appendLarge(1, 40 * MEBIBYTE), append([{ app: 1, record: 2 }])))
  )

  it.live("takes as many of the large ones as it has room for", () => handedOver(200, appendLarge(200, 2 * MEBIBYTE)))

  it.live("also where no more wait than come with the locks", () => handedOver(12, appendLarge(12, 30 * MEBIBYTE)))
})

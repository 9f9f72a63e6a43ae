// The demo as it stands in the README, on the first rows of the data set, with the service killed in the middle
// (issue: two commands, "Real input" and "Must hold").
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { makeMachine, operatorOf } from "../../bench/support/machine.ts"
import { BATCH, IMPORTERS, type Refusal } from "../../demo/importer.ts"
import { inputOf, rows } from "../../demo/movies.ts"
import { makeTenant } from "../../demo/operator.ts"
import { startReceiver } from "../../demo/receiver.ts"
import { refusalLines, table } from "../../demo/report.ts"
import { runDemo } from "../../demo/run.ts"
import { load } from "../../src/platform/config/Config.ts"

describe("npm run demo", () => {
  it.live(
    "imports, receives and stamps everything once, though the service is killed in the middle; says what was refused",
    () =>
      Effect.gen(function* () {
        const receiver = yield* startReceiver(0)
        const env = { OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}`, ACTOR_TUNING: '{"heartbeatTimeoutMillis":3000}' }
        const machine = yield* makeMachine({ name: "demo", durable: false, env })
        const tenant = yield* makeTenant("Movies", 2, 1_000_000).pipe(Effect.provide(operatorOf(machine)))
        const { baseUrl, parts } = machine
        let killed = false
        const { faults, lines, refusals, repeats } = yield* runDemo({
          baseUrl,
          tenant,
          receiver,
          rows: rows.slice(0, 250),
          patienceMillis: 60_000,
          onWritten: (written) => {
            if (killed || written < 100) return
            killed = true
            Effect.runFork(Effect.andThen(parts.service.kill, parts.service.start))
          }
        })
        assert.deepStrictEqual(faults, [])
        assert.deepStrictEqual(
          lines.map(({ what, count }) => [what, count]),
          [
            ["rows in the data set", 250],
            ["records written", 250],
            ["rows refused", 0],
            ["values refused", 2],
            ["events made", 500],
            ["deliveries received", 500],
            ["runs completed", 250]
          ]
        )
        assert.deepStrictEqual(
          refusals.map(({ field, row, value }) => [row, field, value]),
          [
            [22, "title", 1776],
            [23, "title", 1941]
          ]
        )
        assert.isAbove(Object.keys(repeats).length, 0, "calls were repeated while the service was away")
        assert.notProperty(repeats, "status 429")
      }).pipe(Effect.scoped)
  )
})

describe("developer-api.md 1.6: the demo's own rate limits", () => {
  it.effect("hold the whole data set: nobody waits for the end of a window", () =>
    Effect.gen(function* () {
      const env = { DATABASE_URL: "postgres://u@localhost/d", SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }
      const { rateBaseCost, rateBudget } = yield* Effect.provideService(
        load,
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromEnv({ env })
      )
      // What README.md shows of a run: eleven values refused, each of which sends its batch again.
      const batches = Math.ceil(rows.length / BATCH) + 11
      const besides = 50
      // Half as much again, since some write faster than others.
      const sharePerImporter = (1.5 * batches * 5 * rateBaseCost) / IMPORTERS + besides * rateBaseCost
      assert.isAtMost(sharePerImporter, rateBudget)
    })
  )
})

describe("the data set", () => {
  it("has 3,201 rows; missing values are left out, dates become YYYY-MM-DD, the rest is sent as it is", () => {
    assert.strictEqual(rows.length, 3201)
    assert.deepStrictEqual(inputOf(rows[0]!), {
      title: "The Land Girls",
      release_date: "1998-06-12",
      mpaa_rating: "R",
      distributor: "Gramercy",
      production_budget: 8_000_000,
      us_gross: 146_083,
      worldwide_gross: 146_083,
      imdb_rating: 6.1,
      imdb_votes: 1071
    })
    assert.deepStrictEqual(inputOf({ Title: 300, "Release Date": "TBA" }), { title: 300, release_date: "TBA" })
  })
})

describe("the report", () => {
  it("groups refusals by field and reason, with examples", () => {
    const refusal = (row: number, value: unknown): Refusal => ({ row, field: "title", value, why: "must be a string" })
    assert.deepStrictEqual(refusalLines([1, 2, 3, 4].map((row) => refusal(row, row * 10))), [
      "  4 × title: must be a string (row 1: 10, row 2: 20, row 3: 30, …)"
    ])
  })
  it("shows counts, seconds and rates in columns", () => {
    assert.deepStrictEqual(table([{ what: "records written", count: 50, seconds: 2 }]).split("\n"), [
      "                 count  seconds  per second",
      "records written     50      2.0          25"
    ])
  })
})

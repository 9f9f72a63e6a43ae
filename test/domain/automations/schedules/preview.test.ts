// The next instants of a schedule that is not saved yet (developer-api.md 7.5 rule 2): over the API and on the command line.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer } from "../../../support/app.ts"
import { freshDatabaseUrl } from "../../../support/database.ts"
import { typed as cli } from "../../../support/processes.ts"
import { seedApp } from "../support.ts"

const preview = Effect.fnUntraced(function* (body: object) {
  const app = yield* App
  const { token } = yield* seedApp()
  return yield* app.call("POST", "/v1/automation/schedule/preview", { token, body })
})

/** On the last Sunday of March 2099 clocks in Vienna go from 02:00 to 03:00. */
const overTheChange = {
  ...{ schedule_type: "daily", time_of_day: "02:30", starts_at: "2099-03-27 00:00", ends_at: "2099-03-30 23:00" },
  timezone: "Europe/Vienna"
}
const lastFridays = {
  ...{ schedule_type: "monthly", month_weekdays: [{ nth: -1, week_day: "friday" }], time_of_day: "08:00" },
  ...{ starts_at: "2099-01-01 00:00", ends_at: "2099-05-01 00:00", skip_dates: ["2099-02-27"] }
}
const expected = [
  { utc: "2099-03-27 01:30:00", local: "2099-03-27 02:30:00" },
  { utc: "2099-03-28 01:30:00", local: "2099-03-28 02:30:00" },
  { utc: "2099-03-29 01:00:00", local: "2099-03-29 03:00:00" },
  { utc: "2099-03-30 00:30:00", local: "2099-03-30 02:30:00" }
]

layer(appLayer(), { excludeTestServices: true })("POST /v1/automation/schedule/preview (7.5)", (it) => {
  it.effect("answers the next ten instants in UTC and on the clock of the zone, through clock changes", () =>
    Effect.gen(function* () {
      const changed = yield* preview({ config: overTheChange, timezone: "America/New_York" })
      assert.strictEqual(changed.status, 200, changed.text)
      assert.deepStrictEqual(changed.json, { timezone: "Europe/Vienna", instants: expected, never_due: null })
      const weekly = yield* preview({ config: { schedule_type: "cron", cron_expression: "0 8 * * 1" } })
      assert.strictEqual(weekly.json.timezone, "UTC")
      const times = weekly.json.instants.map(({ utc }: { utc: string }) => Date.parse(`${utc.replace(" ", "T")}Z`))
      assert.strictEqual(times.length, 10)
      for (const [at, time] of times.entries()) {
        assert.strictEqual(new Date(time).getUTCDay(), 1)
        if (at > 0) assert.strictEqual(time - times[at - 1], 7 * 86_400_000)
      }
    })
  )

  it.effect("the last weekday of months, without the dates to skip", () =>
    Effect.gen(function* () {
      const { json, status, text } = yield* preview({ config: lastFridays })
      assert.strictEqual(status, 200, text)
      assert.deepStrictEqual(
        json.instants.map(({ utc }: { utc: string }) => utc),
        ["2099-01-30 08:00:00", "2099-03-27 08:00:00", "2099-04-24 08:00:00"]
      )
      const skipped = yield* preview({
        config: { ...lastFridays, ends_at: "2099-01-31 00:00", skip_dates: ["2099-01-30"] }
      })
      assert.deepStrictEqual(skipped.json.instants, [])
      assert.include(skipped.json.never_due, "`skip_dates`")
    })
  )

  it.effect("what is wrong with it is a 400 that names it; one that is over says so", () =>
    Effect.gen(function* () {
      const wrong = [
        [{ config: { schedule_type: "weekly" } }, "config: A weekly schedule needs a day in `week_days`."],
        [{ config: { schedule_type: "cron", cron_expression: "* * * * *" } }, "less than 5 minutes apart"],
        [{ config: {}, timezone: "Europe/Nowhere" }, 'timezone: "Europe/Nowhere" is no IANA time zone.'],
        [{ config: { time_of_day: "25:00" } }, "config.time_of_day"],
        [{ config: { schedule_type: "dayly" } }, "daily"],
        [{ config: { schedule_type: "monthly" } }, "a day in `month_days` or `month_weekdays`"],
        [{ config: { month_weekdays: [{ nth: 6, week_day: "monday" }] } }, "config.month_weekdays[0].nth"],
        [{ config: { skip_dates: ["2026-02-29"] } }, "config.skip_dates[0]"],
        [{ config: { skip_dates: ["2026-12-25 08:00"] } }, "config.skip_dates[0]"],
        [{ config: { skip_dates: Array.from({ length: 367 }, () => "2026-12-25") } }, "config.skip_dates"],
        [{ timezone: "UTC" }, "config"]
      ] as const
      for (const [body, message] of wrong) {
        const { json, status } = yield* preview(body)
        assert.strictEqual(status, 400, JSON.stringify(body))
        assert.include(json.error_message, message)
      }
      const overPreview = yield* preview({ config: { ends_at: "2020-01-01 00:00" } })
      assert.deepStrictEqual(overPreview.json.instants, [])
      assert.include(overPreview.json.never_due, "has passed")
    })
  )

  it.effect("the command line answers the same", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const cliPreview = yield* cli(databaseUrl, "schedule", "preview", JSON.stringify(overTheChange), "--json")
      assert.strictEqual(cliPreview.code, 0, cliPreview.err)
      assert.deepStrictEqual(JSON.parse(cliPreview.out).instants, expected)
      const wrong = yield* cli(databaseUrl, "schedule", "preview", '{"schedule_type":"weekly"}')
      assert.strictEqual(wrong.code, 1)
      assert.include(wrong.err, "A weekly schedule needs a day")
    })
  )
})

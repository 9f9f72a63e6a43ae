// The spacing of cron expressions (developer-api.md 7.5 rule 2), against walking through their instants, and without it.
import { assert, describe, it } from "@effect/vitest"
import { Cron, Result } from "effect"
import { parseCron } from "../../../../src/domain/automations/triggers/periodic/cron.ts"
import { leastSpacing } from "../../../../src/domain/automations/triggers/periodic/cronSpacing.ts"
import { cpuMillis } from "../../../support/turns.ts"

const MINUTE = 60_000
const DAY = 86_400_000

const cronOf = (expression: string) => Result.getOrThrow(Cron.parse(expression, "UTC"))
const spacing = (expression: string) => {
  const cron = parseCron(expression)
  if (typeof cron === "string") throw new Error(cron)
  return leastSpacing(cron)
}

const walked = (expression: string, days: number) => {
  const end = Date.UTC(2024, 0, 1 + days)
  let least = Infinity
  let previousMillis = -Infinity
  for (const next of Cron.sequence(cronOf(expression), new Date(Date.UTC(2023, 11, 31, 23, 59)))) {
    if (next.getTime() > end) return least
    least = Math.min(least, next.getTime() - previousMillis)
    previousMillis = next.getTime()
  }
  return least
}

describe("the spacing of cron expressions (7.5 rule 2)", () => {
  const dense: ReadonlyArray<string> = [
    "*/7 * * * *",
    "3,10 */5 * * *",
    "0,1 5 * * MON",
    "59,0 23,0 * * *",
    "59 23,0 * * SAT,SUN",
    "30 12 */2 * *",
    "5-9/2 8-17 * * 1-5"
  ]
  it.each(dense)("%s: as its instants are", (expression) => {
    assert.strictEqual(spacing(expression), walked(expression, 80))
  })

  it("is exact where instants are months or years apart", () => {
    assert.strictEqual(spacing("0 0 1 1 *"), 365 * DAY)
    assert.strictEqual(spacing("0 0 1 * MON"), DAY)
    assert.strictEqual(spacing("0 0 29 2 *"), 4 * 365 * DAY + DAY)
    assert.strictEqual(spacing("0 12 31 1,12 *"), 31 * DAY)
    assert.strictEqual(spacing("59,0 23,0 31,1 12,1 *"), MINUTE)
    assert.strictEqual(spacing("58 23,0 31,1 12,1 *"), 60 * MINUTE)
    assert.strictEqual(spacing("* * * * *"), MINUTE)
    // Behind the end of a month that has no 31st, and over new year.
    assert.strictEqual(spacing("0 0,23 30,1 4,5 *"), 60 * MINUTE)
    assert.strictEqual(spacing("59,0 23,0 */31 1 *"), 59 * MINUTE)
  })

  it("a day that no year has never comes due", () => {
    assert.isNull(spacing("0 0 30 2 *"))
    assert.isNull(spacing("0 0 31 4,6,9,11 *"))
    assert.strictEqual(spacing("0 0 29 2 */7"), 28 * 365 * DAY + 7 * DAY)
  })

  it("of expressions with years between their instants takes no longer than of others", () => {
    const spent = cpuMillis(() => {
      for (let step = 20; step <= 31; step++) {
        for (const month of [1, 2]) {
          for (const weekday of [0, 1, 2]) assert.isNotNull(spacing(`59,0 23,0 */${step} ${month} ${weekday}`))
        }
      }
    })
    // 72 of them; walking through the instants of one took up to half a second.
    assert.isBelow(spent, 5_000)
  })
})

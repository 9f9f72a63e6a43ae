// Cron expressions (developer-api.md 7.5 rule 2): read as Effect's own reader does where that reads them, and `L`, `W`, `#` and the
// `@` names as other schedulers do.
import { assert, describe, it } from "@effect/vitest"
import { Cron, Result } from "effect"
import { cronTimes, parseCron } from "../../../../src/domain/automations/triggers/periodic/cron.ts"

const DAY = 86_400_000
const from = Date.UTC(2026, 0, 1)

const times = (expression: string, count: number, local = from) => {
  const cron = parseCron(expression)
  if (typeof cron === "string") throw new Error(`${expression} ${cron}`)
  const foundTimes: Array<number> = []
  for (const time of cronTimes(cron, local)) if (foundTimes.push(time) === count) break
  return foundTimes
}
const days = (expression: string, count: number) =>
  times(expression, count).map((time) => new Date(time).toISOString().slice(0, 10))

/** A linear congruential generator: the same expressions each time. */
const generator = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

describe("cron expressions (7.5 rule 2)", () => {
  it("lists, ranges, steps and names come due as by another reader, a thousand expressions", () => {
    const chance = generator(43)
    const int = (least: number, most: number) => least + Math.floor(chance() * (most - least + 1))
    const pick = <A>(list: ReadonlyArray<A>) => list[int(0, list.length - 1)]!
    const part = (least: number, most: number, names: ReadonlyArray<string>) => {
      const value = () => (names.length > 0 && chance() < 0.3 ? pick(names) : String(int(least, most)))
      const start = int(least, most - 1)
      return pick([
        () => "*",
        value,
        () => `${start}-${int(start, most)}`,
        () => `*/${int(1, most)}`,
        () => `${start}-${int(start, most)}/${int(1, 7)}`
      ])()
    }
    const field = (least: number, most: number, names: ReadonlyArray<string> = []) =>
      Array.from({ length: chance() < 0.7 ? 1 : 2 }, () => part(least, most, names)).join(",")
    let read = 0
    for (let n = 0; n < 1_000; n++) {
      const expression = [
        ...[field(0, 59), field(0, 23), field(1, 31)],
        ...[field(1, 12, ["JAN", "jun", "Dec"]), field(0, 6, ["SUN", "mon", "Fri"])]
      ].join(" ")
      const other = Cron.parse(expression, "UTC")
      if (Result.isFailure(other)) continue
      read++
      const expected: Array<number> = []
      try {
        for (let occurrence = new Date(from - 1_000); expected.length < 5; expected.push(occurrence.getTime()))
          occurrence = Cron.next(other.success, occurrence)
      } catch {
        // A day that no year has.
      }
      assert.deepStrictEqual(times(expression, expected.length === 0 ? 1 : 5), expected, expression)
    }
    assert.isAbove(read, 700)
  })

  it("L is the last day, L-n days before it, LW its last weekday, nW the nearest weekday within the month", () => {
    assert.deepStrictEqual(days("0 0 L * *", 3), ["2026-01-31", "2026-02-28", "2026-03-31"])
    assert.deepStrictEqual(days("0 0 l 2 ?", 3), ["2026-02-28", "2027-02-28", "2028-02-29"])
    assert.deepStrictEqual(days("0 0 L-2 * *", 2), ["2026-01-29", "2026-02-26"])
    // 31 January 2026 is a Saturday, 28 February too, 31 May a Sunday.
    assert.deepStrictEqual(days("0 0 LW * *", 5), [
      "2026-01-30",
      "2026-02-27",
      "2026-03-31",
      "2026-04-30",
      "2026-05-29"
    ])
    // 1 February is a Sunday, 1 August a Saturday: neither leaves its month.
    assert.deepStrictEqual(days("0 0 1W 2,8 *", 2), ["2026-02-02", "2026-08-03"])
    // 15 February 2026 is a Sunday, 15 August a Saturday.
    assert.deepStrictEqual(days("0 0 15W 2,8 *", 2), ["2026-02-16", "2026-08-14"])
    // 31 May 2026 is a Sunday; months without a 31st have none.
    assert.deepStrictEqual(days("0 0 31W 4,5 *", 1), ["2026-05-29"])
    assert.deepStrictEqual(days("0 0 1,15W * *", 3), ["2026-01-01", "2026-01-15", "2026-02-01"])
  })

  it("n#k is the k-th weekday of the month, nL the last one", () => {
    assert.deepStrictEqual(days("0 0 * * 5#3", 3), ["2026-01-16", "2026-02-20", "2026-03-20"])
    assert.deepStrictEqual(days("0 0 * * MON#1", 2), ["2026-01-05", "2026-02-02"])
    assert.deepStrictEqual(days("0 0 ? * 7#5", 2), ["2026-03-29", "2026-05-31"])
    assert.deepStrictEqual(days("0 0 * * FRIL", 2), ["2026-01-30", "2026-02-27"])
    assert.deepStrictEqual(days("0 0 * * 0L", 2), ["2026-01-25", "2026-02-22"])
    assert.deepStrictEqual(days("0 0 * * FRI-SUN", 4), ["2026-01-02", "2026-01-03", "2026-01-04", "2026-01-09"])
  })

  it("@hourly, @daily, @weekly, @monthly, @yearly are what they are elsewhere", () => {
    for (const [name, expression] of [
      ["@hourly", "0 * * * *"],
      ["@daily", "0 0 * * *"],
      ["@midnight", "0 0 * * *"],
      ["@weekly", "0 0 * * 0"],
      ["@monthly", "0 0 1 * *"],
      ["@yearly", "0 0 1 1 *"],
      ["@Annually", "0 0 1 1 *"]
    ] as const) {
      assert.deepStrictEqual(times(name, 30), times(expression, 30), name)
      assert.strictEqual((parseCron(name) as { elapsed: boolean }).elapsed, name === "@hourly")
    }
  })

  it("what is none says which part", () => {
    for (const [expression, words] of [
      ["", "is no cron expression of five fields"],
      ["@reboot", "is no cron expression of five fields"],
      ["constructor", "is no cron expression of five fields"],
      ["__proto__", "is no cron expression of five fields"],
      ["0 0 0 * * *", "is no cron expression of five fields"],
      ["60 * * * *", 'the minute "60"'],
      ["* 24 * * *", 'the hour "24"'],
      ["* * 0 * *", 'the day of month "0"'],
      ["* * 32W * *", 'the day of month "32W"'],
      ["* * L-31 * *", 'the day of month "L-31"'],
      ["* * * 13 *", 'the month "13"'],
      ["* * * * 5#6", 'the day of week "5#6"'],
      ["* * * * 5#", 'the day of week "5#"'],
      ["*/0 * * * *", 'the minute "*/0"'],
      ["9-5 * * * *", 'the minute "9-5"'],
      ["1,,2 * * * *", 'the minute ""'],
      ["L * * * *", 'the minute "L"'],
      ["1-2-3 * * * *", 'the minute "1-2-3"']
    ] as const)
      assert.include(String(parseCron(expression)), words, expression)
  })

  it("either day is enough where both are named, unless one begins with a star", () => {
    const either = (expression: string) => (parseCron(expression) as { either: boolean }).either
    assert.deepStrictEqual(days("0 0 13 * FRI", 4), ["2026-01-02", "2026-01-09", "2026-01-13", "2026-01-16"])
    assert.isTrue(either("0 0 13 * FRI"))
    assert.isTrue(either("0 0 L * 5#1"))
    for (const expression of ["0 0 13 * *", "0 0 * * FRI", "0 0 */2 * FRI", "0 0 ? * FRI", "@daily"])
      assert.isFalse(either(expression), expression)
  })

  it("years without a day of it are passed in one go", () => {
    assert.deepStrictEqual(times("0 0 29 2 */7", 1), [Date.UTC(2032, 1, 29)])
    assert.deepStrictEqual(times("0 0 30 2 *", 1), [])
    assert.isAbove(times("0 12 29 2 *", 2)[1]! - times("0 12 29 2 *", 2)[0]!, 1_400 * DAY)
  })
})

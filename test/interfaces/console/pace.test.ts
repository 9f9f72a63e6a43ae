// How often the console asks by itself (docs/console.md): at once while little changes, within the budget of a person however much does.
import { assert, describe, it } from "@effect/vitest"
import { makePace } from "../../../console/src/api/pace.ts"

/** Changes without an end, for so many seconds: each look asks so many requests and the next may come 700 ms later. @returns when it looked */
const lookTimes = (requests: number, seconds: number) => {
  const pace = makePace()
  const times: Array<number> = []
  for (let nowMillis = 700; nowMillis <= seconds * 1000; nowMillis += Math.max(700, pace.wait(nowMillis))) {
    times.push(nowMillis)
    pace.spend(requests, nowMillis)
  }
  return times
}

describe("the pace of live pages", () => {
  it("a first burst of changes is seen as it comes", () => {
    assert.deepStrictEqual(lookTimes(5, 6).slice(0, 8), [700, 1400, 2100, 2800, 3500, 4200, 4900, 5600])
  })

  it.each([1, 2, 5, 12])(
    "a page of %i requests before which changes never end asks for no more than half of a person's two hundred a minute",
    (requests) => {
      const times = lookTimes(requests, 600)
      for (let from = 0; from < 540_000; from += 20_000) {
        const lookCount = times.filter((time) => time >= from && time < from + 60_000).length
        assert.isAtMost(lookCount * requests, 100 + requests, `from ${from} ms`)
      }
      const lastTimes = times.slice(-10)
      assert.isAtMost((lastTimes.at(-1)! - lastTimes[0]!) / 9, Math.max(700, requests * 1000) + 1)
    }
  )

  it("after a quiet time it is as quick as at first", () => {
    const pace = makePace()
    pace.spend(100, 1000)
    assert.strictEqual(pace.wait(1000), 60_000)
    assert.strictEqual(pace.wait(61_000), 0)
    assert.strictEqual(pace.wait(120_000), 0)
    pace.spend(30, 120_000)
    assert.strictEqual(pace.wait(120_000), 0)
  })
})

// decisions P12: an embedded part that has not worked for a while is restarted, on a clock of the test's own.
import { assert, describe, it } from "@effect/vitest"
import { restartMillis, Watch } from "../../bin/parts/watch.js"

const LIMIT = 30_000

const watched = (asked?: Record<string, { ok: boolean; detail?: string }>) => {
  let currentMillis = 1_000
  let asks = 0
  const restarted: Array<string> = []
  const restart = (part: string) => async (why: string) => void restarted.push(`${part} ${why}`)
  const watch = new Watch({
    parts: ["postgres", "temporal"].map((part) => ({ part, restart: restart(part) })),
    limitMillis: LIMIT,
    now: () => currentMillis,
    ask: async () => {
      asks++
      return asked
    }
  })
  return {
    watch,
    restarted,
    asks: () => asks,
    /** Passes so much time at once. */
    pass: (millis: number) => {
      currentMillis += millis
    },
    /** Looks at the usual pace for a time, while the service tells the same. */
    looks: async (seconds: number, verdicts?: Record<string, { ok: boolean; detail?: string }>) => {
      for (let passedMillis = 0; passedMillis < seconds * 1_000; passedMillis += watch.every) {
        currentMillis += watch.every
        if (verdicts !== undefined) watch.tell("service", verdicts)
        await watch.look()
        // A restart that is over at once.
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    }
  }
}

const well = { postgres: { ok: true }, temporal: { ok: true } }
const ill = { postgres: { ok: true }, temporal: { ok: false, detail: "DescribeNamespace: interrupted (9)" } }

describe("the watch over embedded parts (P12)", () => {
  it("restarts the one that has not worked for 30 s, with what is the matter, and no other", async () => {
    const { looks, restarted } = watched()
    await looks(60, well)
    await looks(25, ill)
    assert.deepStrictEqual(restarted, [])
    await looks(10, ill)
    assert.deepStrictEqual(restarted, ["temporal has not worked for 30 s (DescribeNamespace: interrupted (9))"])
  })

  it("gives the restarted one the same time again", async () => {
    const { looks, restarted } = watched()
    await looks(35, ill)
    await looks(30, ill)
    assert.strictEqual(restarted.length, 1)
    await looks(35, ill)
    assert.strictEqual(restarted.length, 2)
  })

  it("a look that fails now and then is none", async () => {
    const { looks, restarted } = watched()
    for (let round = 0; round < 20; round++) {
      await looks(20, ill)
      await looks(5, well)
    }
    assert.deepStrictEqual(restarted, [])
  })

  it("a machine that slept has not watched", async () => {
    const { looks, pass, restarted } = watched()
    await looks(20, ill)
    pass(3_600_000)
    await looks(25, ill)
    assert.deepStrictEqual(restarted, [])
  })

  it("of several processes one that finds it well is right", async () => {
    const { looks, restarted, watch } = watched()
    for (let round = 0; round < 20; round++) {
      watch.tell("service-2", well)
      await looks(5, ill)
    }
    assert.deepStrictEqual(restarted, [])
  })

  it("a service that says nothing for long is asked for by a look of its own", async () => {
    const { asks, looks, restarted } = watched(ill)
    await looks(25)
    assert.strictEqual(asks(), 0)
    await looks(60)
    assert.isAbove(asks(), 3)
    assert.match(restarted[0] ?? "", /^temporal has not worked for 3\d s/)
  })

  it("nobody who knows is no reason", async () => {
    const { asks, looks, restarted } = watched(undefined)
    await looks(600)
    assert.isAbove(asks(), 3)
    assert.deepStrictEqual(restarted, [])
  })

  it("PART_RESTART_SECONDS is checked", () => {
    assert.strictEqual(restartMillis({}), 30_000)
    assert.strictEqual(restartMillis({ PART_RESTART_SECONDS: "0" }), 0)
    for (const wrong of ["-1", "1.5", "soon", "3601"])
      assert.throws(
        () => restartMillis({ PART_RESTART_SECONDS: wrong }),
        /PART_RESTART_SECONDS: expected a whole number/
      )
  })
})

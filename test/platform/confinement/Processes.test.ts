// decisions P9: a process serves one organization before it is emptied, and there are never more than may be.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeProcesses } from "../../../src/platform/confinement/Processes.ts"

interface Started {
  readonly id: number
  alive: boolean
}

/** Processes by number, each with its end. */
const processes = (most: number, uses: number, spare: boolean) =>
  Effect.gen(function* () {
    const startedProcesses: Array<Started> = []
    const start = Effect.acquireRelease(
      Effect.sync(() => {
        const started = { id: startedProcesses.length, alive: true }
        startedProcesses.push(started)
        return started
      }),
      (started) =>
        Effect.sync(() => {
          started.alive = false
        })
    )
    const pool = yield* makeProcesses({ start, alive: (one) => one.alive, most, uses, spare })
    const lend = (owner: number, ended = false) =>
      pool.lend(owner, ({ id }) => Effect.as(Effect.yieldNow, [id, ended] as const))
    return { all: startedProcesses, held: pool, lend }
  })

describe("processes of organizations (P9)", () => {
  it.effect("a process serves one organization, and is ended before another has its turn", () =>
    Effect.gen(function* () {
      const { all, held, lend } = yield* processes(2, 100, false)
      assert.strictEqual(yield* lend(1), 0)
      assert.strictEqual(yield* lend(2), 1)
      assert.strictEqual(yield* lend(1), 0)
      assert.strictEqual(yield* lend(3), 2, "never one of another's")
      assert.deepStrictEqual(
        all.map(({ alive }) => alive),
        [true, false, true],
        "the one not used for the longest time made room"
      )
      assert.strictEqual(yield* lend(2), 3)
      assert.deepStrictEqual(held.state(), { live: 2, idle: 2 })
    }).pipe(Effect.scoped)
  )

  it.effect("one that ended, failed, died or has served long enough is not lent again", () =>
    Effect.gen(function* () {
      const { all, held, lend } = yield* processes(4, 3, false)
      assert.strictEqual(yield* lend(1, true), 0)
      yield* Effect.exit(held.lend(1, () => Effect.fail("broken")))
      assert.strictEqual(yield* lend(1), 2)
      assert.strictEqual(yield* lend(1), 2)
      assert.strictEqual(yield* lend(1), 2)
      assert.strictEqual(yield* lend(1), 3)
      all[3]!.alive = false
      assert.strictEqual(yield* lend(1), 4)
      assert.deepStrictEqual(held.state(), { live: 1, idle: 1 })
    }).pipe(Effect.scoped)
  )

  it.effect("one that nobody has used stands by", () =>
    Effect.gen(function* () {
      const { all, lend } = yield* processes(2, 100, true)
      yield* Effect.yieldNow
      assert.strictEqual(all.length, 1)
      assert.strictEqual(yield* lend(7), 0)
      yield* Effect.yieldNow
      assert.strictEqual(all.length, 2)
      assert.strictEqual(yield* lend(8), 1)
    }).pipe(Effect.scoped)
  )
})

// decisions W3: what waits of bundles takes turns among its hooks, none beyond its share of the places (docs/architecture/flow.md, "Bundles").
import { assert, describe, it } from "@effect/vitest"
import type { Bundle } from "../../../../src/domain/webhooks/bundles/Bundle.ts"
import { makeBundleQueue, TAKEN_AT_ONCE } from "../../../../src/domain/webhooks/bundles/bundleQueue.ts"
import type { InFlight } from "../../../../src/domain/webhooks/claim.ts"
import type { ClaimedHook } from "../../../../src/domain/webhooks/mailboxRows.ts"

const hook = (hook_id: number): ClaimedHook => ({
  ...{ hook_id, org_id: 1, url: "https://hooks.example", sending: null, sealed: null },
  ...{
    secret: new Uint8Array(),
    former_secrets: [],
    author_id: 1,
    reach: null,
    connection_ended: false,
    record_withheld: false
  }
})

const bundle = (event_id: number, hooks: ReadonlyArray<number>, rest = ',"type":"app.update"}'): Bundle => ({
  ...{ event_id, record_id: null, type: "app.update", created_on: new Date(0), rest, traceparent: null },
  ...{ hooks: [...hooks], since: 0, left: hooks.length, whole: true }
})

const make = (places = 2, all = { bodies: 0 }) => {
  const inAir = new Map<number, InFlight>()
  const reserve = makeBundleQueue({ all, inAir, share: () => places })
  return { all, held: reserve, inAir }
}

const takenBy = (held: ReturnType<typeof make>["held"], limit: number) =>
  held.take(limit).map(({ event_id, hook_id }) => [hook_id, event_id])

describe("what is held", () => {
  it("goes hook by hook, each in the order of its events, as far as its places reach", () => {
    const { held, inAir } = make()
    held.add([bundle(1, [1, 2]), bundle(2, [1]), bundle(3, [1])], [hook(1), hook(2)])
    assert.deepStrictEqual(takenBy(held, 10), [
      [1, 1],
      [2, 1],
      [1, 2]
    ])
    assert.strictEqual(held.waiting(), 1)
    inAir.set(1, { places: 2, retries: 0, fresh: 0 })
    assert.deepStrictEqual(takenBy(held, 10), [])
    inAir.set(1, { places: 1, retries: 0, fresh: 0 })
    assert.deepStrictEqual(takenBy(held, 10), [[1, 3]])
    assert.strictEqual(held.waiting(), 0)
  })

  it("has another hook in front each time, and is no more than was asked for", () => {
    const { held } = make(5)
    held.add([bundle(1, [1, 2, 3]), bundle(2, [1, 2, 3])], [hook(1), hook(2), hook(3)])
    assert.deepStrictEqual(takenBy(held, 1), [[1, 1]])
    assert.deepStrictEqual(takenBy(held, 1), [[2, 1]])
    assert.strictEqual(held.waiting(), 4)
  })

  it("goes in parts, however many are asked for", () => {
    const { held } = make(2 * TAKEN_AT_ONCE)
    held.add(
      Array.from({ length: TAKEN_AT_ONCE + 3 }, (_, event) => bundle(event, [1])),
      [hook(1)]
    )
    assert.deepStrictEqual([takenBy(held, 512).length, takenBy(held, 512).length], [TAKEN_AT_ONCE, 3])
  })

  it("is sent with the hook's id at the head of its body", () => {
    const { held } = make()
    held.add([bundle(1, [77])], [hook(77)])
    assert.deepStrictEqual(
      held.take(1).map(({ payload }) => payload),
      ['{"hook_id":77,"type":"app.update"}']
    )
  })

  it("is bounded, in deliveries of all hooks and of one", () => {
    const { held } = make()
    const [most, ofHook] = [held.room(), held.roomOf(1)]
    held.add([bundle(1, [1, 2])], [hook(1), hook(2)])
    assert.deepStrictEqual([most - held.room(), ofHook - held.roomOf(1), ofHook - held.roomOf(3)], [2, 1, 0])
    // In the air it still counts for all, until its result is written.
    const [row] = held.take(1)
    assert.deepStrictEqual([most - held.room(), ofHook - held.roomOf(1)], [2, 0])
    held.over(row!.bundle!)
    assert.strictEqual(most - held.room(), 1)
  })

  it("is bounded in bodies, those of the process among them, until their bundles are over", () => {
    const { all, held } = make()
    const long = bundle(1, [1, 2], "x".repeat(9 * 1024 * 1024))
    held.add([long], [hook(1), hook(2)])
    assert.strictEqual(held.room(), 0)
    held.over(long)
    assert.strictEqual(held.room(), 0)
    held.over(long)
    assert.isAbove(held.room(), 0)
    assert.strictEqual(all.bodies, 0)
    all.bodies = 65 * 1024 * 1024
    assert.strictEqual(held.room(), 0)
  })

  it("weighs nothing once its activation has ended", () => {
    const { all, held } = make()
    const onlyBundle = bundle(1, [1])
    held.add([onlyBundle], [hook(1)])
    held.end()
    assert.strictEqual(all.bodies, 0)
    held.over(onlyBundle)
    held.add([bundle(2, [1])], [hook(1)])
    assert.strictEqual(all.bodies, 0)
  })

  it("is given back by hook; what is in the air is not", () => {
    const { held } = make(1)
    const [one, two] = [bundle(1, [1, 2]), bundle(2, [1, 2])]
    held.add([one, two], [hook(1), hook(2)])
    assert.lengthOf(held.take(2), 2)
    assert.deepStrictEqual(
      held.giveBack((_, hookId) => hookId === 1),
      [{ hook_id: 1, bundle: two }]
    )
    assert.deepStrictEqual([held.waiting(), one.left, two.left], [1, 2, 1])
  })

  it("knows its hooks as they were asked for last, and those that came meanwhile", () => {
    const { held } = make()
    held.add([bundle(1, [1, 2])], [hook(1), hook(2)])
    const knownHookIds = held.hookIds()
    held.add([bundle(2, [3])], [hook(3)])
    held.knows(knownHookIds, [{ ...hook(2), url: "https://moved.example" }])
    assert.deepStrictEqual([1, 2, 3].map(held.mayUse), [false, true, true])
    held.giveBack((_, hookId) => !held.mayUse(hookId))
    assert.deepStrictEqual(
      held.take(9).map((row) => [row.hook_id, row.hook.url]),
      [
        [2, "https://moved.example"],
        [3, "https://hooks.example"]
      ]
    )
  })
})

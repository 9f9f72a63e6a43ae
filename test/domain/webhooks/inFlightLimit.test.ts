// decisions W1, W3: a process takes no more deliveries upon itself than it can attend to in time, and its apps share what there is.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type InFlightLimit, judge, makeInFlightLimit } from "../../../src/domain/webhooks/inFlightLimit.ts"
import { eventually } from "../../support/eventually.ts"
import { standStill } from "../../support/standStill.ts"

const ANY = 1_000_000

const add = (posts: InFlightLimit, appId: number, count: number) => {
  for (let i = 0; i < count; i++) posts.begins(appId)
}
const end = (posts: InFlightLimit, appId: number, count: number) => {
  for (let i = 0; i < count; i++) posts.ended(appId)
}

describe("the POSTs that a process has in the air", () => {
  it("are shared evenly by the apps that have any, and each may have one", () => {
    const posts = makeInFlightLimit()
    const fullRoom = posts.room(1, ANY)
    add(posts, 1, fullRoom)
    assert.strictEqual(posts.room(1, ANY), 0)
    assert.strictEqual(posts.room(2, ANY), Math.floor(fullRoom / 2))
    assert.strictEqual(posts.room(2, 5), 5, "no more than it wants")
    for (let app = 2; app <= 2_000; app++) add(posts, app, 1)
    assert.strictEqual(posts.room(2_001, ANY), 1)
    for (let app = 2; app <= 2_000; app++) end(posts, app, 1)
    end(posts, 1, fullRoom)
    assert.strictEqual(posts.room(1, ANY), fullRoom)
  })

  it("are fewer behind turns of much work, and behind those that last, whoever has the processor", () => {
    const short = (late: number, worked: number) => judge({ late, worked }) > 1
    const long = (late: number, worked: number) => judge({ late, worked }) < 1
    assert.isTrue(short(10, 55))
    assert.strictEqual(judge({ late: 60, worked: 110 }), 1, "60 ms of work")
    assert.isTrue(long(90, 140), "90 ms of work")
    assert.isTrue(short(100, 20), "held to a tenth of a processor")
    assert.strictEqual(judge({ late: 200, worked: 45 }), 1, "more turns of this kind than there is time")
    assert.isTrue(long(300, 65))
  })

  it("are the fewer, the longer the turn was: what is learned of a turn of seconds is learned once in that time", () => {
    const less = [260, 400, 600, 4_000].map((late) => judge({ late, worked: 50 + late / 10 }))
    assert.isAbove(less[0]!, 0.6)
    assert.isAbove(less[0]!, less[1]!)
    assert.isAbove(less[1]!, less[2]!)
    assert.strictEqual(less[3], 0.25)
  })

  it.live("are fewer behind a long turn of the event loop, and more again while turns are short", () =>
    Effect.gen(function* () {
      // Bounds that other work on the machine does not reach.
      const posts = makeInFlightLimit({ long: 1_500, short: 1_000 })
      const roomBefore = posts.room(1, ANY)
      add(posts, 1, roomBefore)
      const readRoom = Effect.sync(() => posts.room(2, ANY) * 2)
      standStill(1_700)
      const reducedRoom = yield* eventually("less", readRoom, (room) => room < roomBefore)
      assert.isAtMost(reducedRoom, roomBefore * 0.71)
      // Who asks for more than there is has it grow.
      yield* eventually("more", readRoom, (room) => room > roomBefore)
      end(posts, 1, roomBefore)
    })
  )
})

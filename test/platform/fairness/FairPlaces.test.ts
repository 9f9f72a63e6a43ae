// decisions A22: places are given to organizations in turn; one alone may use all, none waits for another's queue.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makeFairPlaces, type Owner } from "../../../src/platform/fairness/FairPlaces.ts"

/** Jobs that say when they begin and end when told to. */
const jobs = () => {
  const startedNames: Array<string> = []
  const endByName = new Map<string, Deferred.Deferred<void>>()
  const job = (name: string) =>
    Effect.gen(function* () {
      startedNames.push(name)
      const end = yield* Deferred.make<void>()
      endByName.set(name, end)
      yield* Deferred.await(end)
    })
  const end = (name: string) => Effect.andThen(Deferred.succeed(endByName.get(name)!, undefined), yieldOften)
  return { begun: startedNames, job, end }
}
const yieldOften = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })

describe("fair places (A22)", () => {
  it.effect("one alone uses all places, and no more", () =>
    Effect.gen(function* () {
      const slots = makeFairPlaces({ places: 2, reserve: 1 })
      const { begun, job, end } = jobs()
      for (const name of ["a1", "a2", "a3"]) yield* Effect.forkChild(slots.use("a")(job(name)))
      yield* yieldOften
      assert.deepStrictEqual(begun, ["a1", "a2"])
      yield* end("a1")
      assert.deepStrictEqual(begun, ["a1", "a2", "a3"])
      yield* Effect.forEach(["a2", "a3"], end)
      assert.deepStrictEqual(slots.state(), { taken: 0, waiting: 0, owners: 0 })
    })
  )

  it.effect("who holds none begins at once beside a full house and its queue", () =>
    Effect.gen(function* () {
      const slots = makeFairPlaces({ places: 2, reserve: 1 })
      const { begun, job } = jobs()
      for (const name of ["a1", "a2", "a3", "a4"]) yield* Effect.forkChild(slots.use("a")(job(name)))
      yield* Effect.forkChild(slots.use("b")(job("b1")))
      yield* yieldOften
      assert.deepStrictEqual(begun, ["a1", "a2", "b1"])
    })
  )

  it.effect("those that wait are served in turn, who holds fewest first", () =>
    Effect.gen(function* () {
      const slots = makeFairPlaces({ places: 2, reserve: 0 })
      const { begun, job, end } = jobs()
      const queue: ReadonlyArray<readonly [Owner, string]> = [
        ["a", "a1"],
        ["a", "a2"],
        ["a", "a3"],
        ["a", "a4"],
        ["b", "b1"],
        ["b", "b2"],
        ["c", "c1"]
      ]
      for (const [owner, name] of queue) yield* Effect.forkChild(slots.use(owner)(job(name)))
      yield* yieldOften
      for (let index = 0; index < queue.length; index++) {
        yield* yieldOften
        yield* end(begun[index]!)
      }
      assert.deepStrictEqual(begun, ["a1", "a2", "b1", "c1", "a3", "b2", "a4"])
      assert.deepStrictEqual(slots.state(), { taken: 0, waiting: 0, owners: 0 })
    })
  )

  it.effect("an owner's parts take turns, whoever of them has come first", () =>
    Effect.gen(function* () {
      const slots = makeFairPlaces({ places: 2, reserve: 0 })
      const { begun, job, end } = jobs()
      for (const name of ["x1", "x2", "x3", "x4", "y1", "y2"])
        yield* Effect.forkChild(slots.use("a", name[0]!)(job(name)))
      yield* yieldOften
      for (let index = 0; index < 6; index++) {
        yield* yieldOften
        yield* end(begun[index]!)
      }
      assert.deepStrictEqual(begun, ["x1", "x2", "y1", "x3", "y2", "x4"])
      assert.deepStrictEqual(slots.state(), { taken: 0, waiting: 0, owners: 0 })
    })
  )

  it.effect("one may take several places: it waits for as many, and lighter ones that come do not overtake it", () =>
    Effect.gen(function* () {
      const slots = makeFairPlaces({ places: 10, reserve: 3 })
      const { begun, job, end } = jobs()
      const use = (owner: string, name: string, weight: number) =>
        Effect.andThen(Effect.forkChild(slots.use(owner, owner, weight)(job(name))), yieldOften)
      yield* use("a", "a6", 6)
      yield* use("a", "a5", 5)
      yield* use("b", "b3", 3)
      yield* use("b", "b2", 2)
      assert.deepStrictEqual(begun, ["a6", "b3"])
      assert.deepStrictEqual(slots.state(), { taken: 9, waiting: 2, owners: 2 })
      yield* end("a6")
      assert.deepStrictEqual(begun, ["a6", "b3", "a5", "b2"])
      yield* Effect.forEach(["b3", "a5", "b2"], end)
      // What is larger than all of it has it alone.
      yield* use("a", "a20", 20)
      yield* use("b", "b1", 4)
      assert.deepStrictEqual(begun.slice(4), ["a20"])
      yield* end("a20")
      yield* end("b1")
      assert.deepStrictEqual(slots.state(), { taken: 0, waiting: 0, owners: 0 })
    })
  )

  it.effect("places may become more and fewer: who is there stays, and who comes finds as many as there are now", () =>
    Effect.gen(function* () {
      let most = 3
      const slots = makeFairPlaces({ places: () => most, reserve: 0 })
      const { begun, job, end } = jobs()
      for (const name of ["a1", "a2", "a3", "a4", "a5", "a6"]) yield* Effect.forkChild(slots.use("a")(job(name)))
      yield* yieldOften
      most = 1
      yield* end("a1")
      yield* end("a2")
      assert.deepStrictEqual(begun, ["a1", "a2", "a3"])
      yield* end("a3")
      assert.deepStrictEqual(begun, ["a1", "a2", "a3", "a4"])
      most = 2
      yield* end("a4")
      assert.deepStrictEqual(begun, ["a1", "a2", "a3", "a4", "a5", "a6"])
    })
  )

  it.effect("one that is interrupted while it waits or works leaves no trace", () =>
    Effect.gen(function* () {
      const slots = makeFairPlaces({ places: 1, reserve: 0 })
      const { begun, job } = jobs()
      const firstJob = yield* Effect.forkChild(slots.use("a")(job("a1")))
      const second = yield* Effect.forkChild(slots.use("b")(job("b1")))
      const third = yield* Effect.forkChild(slots.use("c")(job("c1")))
      yield* yieldOften
      yield* Fiber.interrupt(second)
      yield* Fiber.interrupt(firstJob)
      yield* yieldOften
      assert.deepStrictEqual(begun, ["a1", "c1"])
      yield* Fiber.interrupt(third)
      assert.deepStrictEqual(slots.state(), { taken: 0, waiting: 0, owners: 0 })
    })
  )

  it.effect("a full queue of one owner refuses it at once, and nobody else", () =>
    Effect.gen(function* () {
      const slots = makeFairPlaces({ places: 1, reserve: 0, waiting: 1 })
      const { job } = jobs()
      yield* Effect.forkChild(slots.tryUse("a")(job("a1")))
      yield* Effect.forkChild(slots.tryUse("a")(job("a2")))
      yield* yieldOften
      const refusal = yield* Effect.flip(slots.tryUse("a")(job("a3")))
      assert.strictEqual(refusal._tag, "PlacesFull")
      yield* Effect.forkChild(slots.tryUse("b")(job("b1")))
      yield* yieldOften
      assert.strictEqual(slots.state().waiting, 2)
    })
  )
})

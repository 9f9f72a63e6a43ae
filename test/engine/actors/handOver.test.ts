// An idle activation is handed the rows that the relay has just written (docs/architecture.md, "One flow"): one claim at a time, and none is lost.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ActorKind, ActorWork } from "../../../src/engine/actors/ActorKind.ts"
import { makeOffers } from "../../../src/engine/actors/handOver.ts"
import { behaviour } from "./support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "./support/harness.ts"
import { freshSetting } from "./support/setting.ts"
import { append, endingWith, makeTestKind } from "./support/testKind.ts"

const now = new Date(1_000)
const request = { limit: 5, now, minClaims: 0, maxClaims: 1 }
const parts: NonNullable<ActorWork["parts"]> = {
  ask: () => Effect.succeed("rows"),
  held: () => true,
  took: () => Effect.succeed([])
}

const make = (further: Partial<typeof parts> = {}) => {
  const nextLook = { at: 0, told: 0 }
  let woken = 0
  const offers = makeOffers({
    parts: { ...parts, ...further },
    nextLook,
    lookAtMostMillis: 50,
    request: () => request,
    wake: () => {
      woken++
    }
  })
  return { nextLook, offers, woken: () => woken }
}

interface Counts {
  own: number
  handed: number
}

/** Counts the claims that an activation makes for itself, and those that it is handed. */
const counting = (counts: Counts) => {
  const count = (what: keyof Counts, jobs: ReadonlyArray<unknown>) => {
    counts[what] += jobs.length
  }
  return Effect.map(
    makeTestKind(behaviour),
    (kind): ActorKind => ({
      ...kind,
      activate: (activation) =>
        Effect.map(
          kind.activate(activation),
          (work): ActorWork => ({
            ...work,
            claim: (asked) => Effect.tap(work.claim(asked), (jobs) => Effect.sync(() => count("own", jobs))),
            parts: {
              ...work.parts!,
              took: (answer) => Effect.tap(work.parts!.took(answer), (jobs) => Effect.sync(() => count("handed", jobs)))
            }
          })
        )
    })
  )
}

describe("an offer", () => {
  it("is made by an activation that waits, one at a time, and postpones its own look", () => {
    const { nextLook, offers } = make()
    assert.isUndefined(offers.offer())
    offers.waits(true)
    const offer = offers.offer()
    assert.isDefined(offer)
    assert.isTrue(offers.underWay())
    offer.claim(undefined)
    assert.strictEqual(nextLook.at, 1_050)
    assert.isUndefined(offers.offer())
  })

  it("brings what was claimed, once", () => {
    const { offers, woken } = make()
    offers.waits(true)
    offers.offer()!.end("rows")
    assert.strictEqual(woken(), 1)
    assert.isUndefined(offers.offer())
    assert.deepStrictEqual(offers.take(), { answer: "rows", written: undefined })
    assert.isUndefined(offers.take())
  })

  it("claims what was written alone, where the kind can: what else is due is looked for when it would have been", () => {
    const asked: Array<string> = []
    const { nextLook, offers } = make({
      ask: () => Effect.sync(() => void asked.push("ask")),
      askFor: (_, written) =>
        written.length > 2 ? undefined : Effect.sync(() => void asked.push(`ask for ${written.length}`))
    })
    nextLook.at = 5_000
    offers.waits(true)
    for (const written of [[1, 2], [1, 2, 3], undefined]) {
      const offer = offers.offer()!
      Effect.runSync(offer.claim(written))
      assert.strictEqual(nextLook.at, written?.length === 2 ? 5_000 : 1_050)
      offer.end("rows")
      assert.deepStrictEqual(offers.take(), {
        answer: "rows",
        written: written?.length === 2 ? 2 : undefined
      })
    }
    assert.deepStrictEqual(asked, ["ask for 2", "ask", "ask"])
  })

  it("of many rows is an ordinary claim", () => {
    const asked: Array<string> = []
    const { offers } = make({
      ask: () => Effect.sync(() => void asked.push("ask")),
      askFor: () => Effect.sync(() => void asked.push("ask for"))
    })
    offers.waits(true)
    for (const count of [16, 17]) {
      const offer = offers.offer()!
      Effect.runSync(offer.claim(Array.from({ length: count })))
      offer.end("rows")
      offers.take()
    }
    assert.deepStrictEqual(asked, ["ask for", "ask"])
  })

  it("of which nobody knows what came ends the activation: its rows may carry the fence, and the next one finds them", () => {
    const { offers } = make()
    offers.waits(true)
    offers.offer()!.end(undefined)
    assert.isFalse(offers.unsure())
    offers.offer()!.end(undefined, true)
    assert.isTrue(offers.unsure())
  })

  it("of which nothing came has the activation look for itself at once", () => {
    const { nextLook, offers, woken } = make()
    offers.waits(true)
    offers.offer()!.end(undefined)
    assert.deepStrictEqual([nextLook.at, woken(), offers.take()], [0, 1, undefined])
  })
})

describe("rows", () => {
  it.live("are handed to the activation that idles, each once", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ lingerMillis: 30_000, activationMillis: 60_000 })
      const counts = { own: 0, handed: 0 }
      yield* Effect.gen(function* () {
        for (let sent = 1; sent <= 10; sent++) {
          yield* append([{ app: 1, record: sent }])
          yield* eventually("done", countWhere("test_done", "true"), (n) => n === sent)
        }
        assert.strictEqual(counts.own + counts.handed, 10)
        assert.isAbove(counts.handed, 0)
        assert.strictEqual(yield* countWhere("test_rows", "state <> 'done'"), 0)
      }).pipe(Effect.provide(layerWorker(setting, counting(counts))))
    }).pipe(Effect.scoped)
  )

  it.live("whose transaction fails are claimed again later, by the activation itself", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ lingerMillis: 30_000, activationMillis: 60_000 })
      const counts = { own: 0, handed: 0 }
      let refused = 0
      // Behind the rows, and in front of the claim.
      const refusing = Effect.suspend(() => (refused++ < 1 ? Effect.die("refused") : Effect.void))
      const failing = endingWith(counting(counts), 2, refusing)
      yield* Effect.gen(function* () {
        for (let sent = 1; sent <= 3; sent++) {
          yield* append([{ app: 1, record: sent }])
          yield* eventually("done", countWhere("test_done", "true"), (n) => n === sent)
        }
        assert.isAbove(refused, 1)
        assert.strictEqual(counts.own + counts.handed, 3)
      }).pipe(Effect.provide(layerWorker(setting, failing)))
    }).pipe(Effect.scoped)
  )

  it.live(
    "whose connection is lost with their claim are done by the next activation: nobody knows whether it was committed",
    () =>
      Effect.gen(function* () {
        const setting = yield* freshSetting({ lingerMillis: 30_000, activationMillis: 60_000 })
        const counts = { own: 0, handed: 0 }
        let asked = 0
        const losing = Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const kind = yield* counting(counts)
          const away = sql`SELECT pg_terminate_backend(pg_backend_pid())`
          const activate: ActorKind["activate"] = (activation) =>
            Effect.map(kind.activate(activation), (work): ActorWork => {
              const { ask } = work.parts!
              return { ...work, parts: { ...work.parts!, ask: (claim) => (asked++ === 0 ? away : ask(claim)) } }
            })
          return { ...kind, activate }
        })
        yield* Effect.gen(function* () {
          const fences = Effect.map(
            Effect.flatMap(
              SqlClient.SqlClient,
              (sql) => sql<{ fence: number }>`SELECT DISTINCT fence FROM test_done ORDER BY 1`
            ),
            (rows) => rows.map(({ fence }) => fence)
          )
          for (let sent = 1; sent <= 3; sent++) {
            yield* append([{ app: 1, record: sent }])
            yield* eventually("done", countWhere("test_done", "true"), (n) => n === sent)
          }
          assert.isAbove(asked, 0)
          assert.strictEqual(counts.own + counts.handed, 3)
          assert.isAbove((yield* fences).length, 1, "an activation ended with the connection")
        }).pipe(Effect.provide(layerWorker(setting, losing)))
      }).pipe(Effect.scoped)
  )
})

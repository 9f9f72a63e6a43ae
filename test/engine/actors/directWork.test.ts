// Rows that a fan-out hands to an activation of its process itself (docs/architecture/flow.md, "Bundles"): the activation does not end while some
// are on their way, and is told what became of the relay's transaction.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Activation, ActorKind, ActorWork, DirectFanOut } from "../../../src/engine/actors/ActorKind.ts"
import { behaviour } from "./support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "./support/harness.ts"
import { freshSetting } from "./support/setting.ts"
import { append, endingWith, makeTestKind } from "./support/testKind.ts"

type Outcome = Parameters<DirectFanOut["ended"]>[0]

interface Seen {
  expects: boolean
  activation: Activation | undefined
  readonly said: Array<string>
  readonly outcomes: Array<Outcome>
}

const makeSeen = (): Seen => ({ expects: false, activation: undefined, said: [], outcomes: [] })

const watching = (seen: Seen, kind = makeTestKind(behaviour)) =>
  Effect.map(
    kind,
    (kind): ActorKind => ({
      ...kind,
      look: Effect.map(
        kind.look,
        (fanOut) => (events) =>
          Effect.map(fanOut(events), (fanned) => ({
            ...fanned,
            direct: { actors: new Set(), ended: (outcome: Outcome) => void seen.outcomes.push(outcome) }
          }))
      ),
      activate: (activation) => {
        seen.activation = activation
        return Effect.map(
          kind.activate(activation),
          (work): ActorWork => ({
            ...work,
            acceptRows: (now) =>
              Effect.sync(() => {
                seen.said.push(now ? "accepts" : "refuses")
                return !seen.expects
              })
          })
        )
      }
    })
  )

const asleep = countWhere("actors", "state = 'asleep'")
const fence = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ fence: number }>`SELECT max(fence)::int AS fence FROM actors`, ([row]) => row?.fence ?? 0)
)

describe("direct work", () => {
  it.live("keeps an activation awake while it is on its way, and is refused before it falls asleep", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ lingerMillis: 50, activationMillis: 60_000 })
      const observation = makeSeen()
      observation.expects = true
      yield* Effect.gen(function* () {
        yield* append([{ app: 1, record: 1 }])
        yield* eventually("done", countWhere("test_done", "true"), (n) => n === 1)
        yield* eventually(
          "it would have ended",
          Effect.sync(() => observation.said.includes("refuses")),
          (would) => would
        )
        assert.strictEqual(yield* asleep, 0)
        observation.expects = false
        yield* observation.activation!.lookAt(0)
        yield* eventually("it is asleep", asleep, (n) => n === 1)
        assert.strictEqual(observation.said.at(-1), "refuses")
        assert.deepStrictEqual([...new Set(observation.outcomes)], ["committed"])
      }).pipe(Effect.provide(layerWorker(setting, watching(observation))))
    }).pipe(Effect.scoped)
  )

  it.live("of which nobody knows what came: the kind ends the activation, the next one begins at once", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ lingerMillis: 30_000, activationMillis: 60_000 })
      const observation = makeSeen()
      yield* Effect.gen(function* () {
        yield* append([{ app: 1, record: 1 }])
        yield* eventually("done", countWhere("test_done", "true"), (n) => n === 1)
        assert.strictEqual(yield* fence, 1)
        yield* observation.activation!.stop
        yield* eventually(
          "it has refused more",
          Effect.sync(() => observation.said.includes("refuses")),
          (has) => has
        )
        yield* append([{ app: 1, record: 2 }])
        yield* eventually("done", countWhere("test_done", "true"), (n) => n === 2)
        assert.strictEqual(yield* fence, 2)
      }).pipe(Effect.provide(layerWorker(setting, watching(observation))))
    }).pipe(Effect.scoped)
  )

  it.live(
    "keeps an activation that is told to end, until it is no longer on its way: also if a wake came meanwhile",
    () =>
      Effect.gen(function* () {
        const setting = yield* freshSetting({ lingerMillis: 30_000, activationMillis: 600_000 })
        const observation = makeSeen()
        observation.expects = true
        yield* Effect.gen(function* () {
          yield* append([{ app: 1, record: 1 }])
          yield* eventually("done", countWhere("test_done", "true"), (n) => n === 1)
          const { lookAt, stop } = observation.activation!
          yield* Effect.andThen(lookAt(0), stop)
          yield* eventually(
            "it has refused more",
            Effect.sync(() => observation.said.includes("refuses")),
            (has) => has
          )
          assert.strictEqual(yield* asleep, 0)
          observation.expects = false
          yield* lookAt(0)
          yield* eventually("it is asleep", asleep, (n) => n === 1)
        }).pipe(Effect.provide(layerWorker(setting, watching(observation))))
      }).pipe(Effect.scoped)
  )

  it.live("is left to the next activation where its own time is up", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ lingerMillis: 30_000, activationMillis: 500, activationCrowdMillis: 0 })
      const observation = makeSeen()
      yield* Effect.gen(function* () {
        yield* append([{ app: 1, record: 1 }])
        yield* eventually(
          "it has refused more",
          Effect.sync(() => observation.said.includes("refuses")),
          (has) => has
        )
      }).pipe(Effect.provide(layerWorker(setting, watching(observation))))
    }).pipe(Effect.scoped)
  )

  it.live("is told where the relay's transaction was undone", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ lingerMillis: 30_000, activationMillis: 60_000 })
      const observation = makeSeen()
      let refusalCount = 0
      const refusing = Effect.suspend(() => (refusalCount++ < 1 ? Effect.die("refused") : Effect.void))
      yield* Effect.gen(function* () {
        yield* append([{ app: 1, record: 1 }])
        yield* eventually("done", countWhere("test_done", "true"), (n) => n === 1)
        assert.deepStrictEqual([observation.outcomes[0], observation.outcomes.at(-1)], ["undone", "committed"])
      }).pipe(
        Effect.provide(layerWorker(setting, watching(observation, endingWith(makeTestKind(behaviour), 1, refusing))))
      )
    }).pipe(Effect.scoped)
  )
})

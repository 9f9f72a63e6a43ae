// An event that comes alone (docs/architecture.md, "A lone event"; decisions W10): taken, fanned out and handed over by one statement, or else
// by a batch; done once, whatever becomes of the answer.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import { takenAlone } from "../../support/takenAlone.ts"
import { behaviour } from "../actors/support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "../actors/support/harness.ts"
import { freshSetting } from "../actors/support/setting.ts"
import { append } from "../actors/support/testKind.ts"
import { makeLoneKind, type Taking } from "./support/loneKind.ts"

const awake = { lingerMillis: 30_000, activationMillis: 60_000, relayCountedMillis: 0 }

const done = (n: number) => eventually(`${n} done`, countWhere("test_done", "true"), (all) => all === n)

/** A worker whose actor 1 is awake, and has been given the rows of record 1. */
const spine = Effect.fnUntraced(function* (around?: Taking, tuning: object = {}) {
  const setting = yield* freshSetting({ ...awake, ...tuning })
  return <A, E>(use: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.gen(function* () {
      yield* append([{ app: 1, record: 1 }])
      yield* done(1)
      const before = takenAlone()
      yield* use
      assert.strictEqual(yield* countWhere("test_rows", "state <> 'done'"), 0)
      assert.strictEqual(yield* countWhere("outbox", "true"), 0)
      return takenAlone() - before
    }).pipe(Effect.provide(layerWorker(setting, makeLoneKind(behaviour, around))))
})

/** One after another, each once the one before is done. */
const oneByOne = (records: ReadonlyArray<number>, from = 1) =>
  Effect.forEach(records, (record, at) => Effect.andThen(append([{ app: 1, record }]), done(from + at + 1)), {
    discard: true
  })

/** One after another until one has come while the actor idles, and what is waited for has happened. @returns the last record */
const until = Effect.fnUntraced(function* (happened: () => boolean) {
  let sent = 1
  while (!happened() && sent < 100) yield* oneByOne([++sent], sent - 1)
  return sent
})

describe("an event that comes alone", () => {
  it.live("for an actor that idles is handed over by the statement that takes it", () =>
    Effect.gen(function* () {
      const run = yield* spine()
      assert.isAtLeast(yield* run(oneByOne([2, 3, 4, 5])), 3)
    }).pipe(Effect.scoped)
  )

  it.live("is fanned out in a batch where there is anything special about it, or another beside it", () =>
    Effect.gen(function* () {
      const run = yield* spine()
      const none = yield* run(
        Effect.gen(function* () {
          yield* append([{ app: 1, record: 2, behaviour: "special" }])
          yield* done(2)
          yield* append([
            { app: 1, record: 3 },
            { app: 2, record: 4 }
          ])
          yield* done(4)
        })
      )
      assert.strictEqual(none, 0)
    }).pipe(Effect.scoped)
  )

  it.live("for nobody is gone by it too, so that what it comes between is handed over as before", () =>
    Effect.gen(function* () {
      let nobody = 0
      const counting: Taking = (statement) =>
        Effect.tap(statement, ({ found }) =>
          Effect.sync(() => {
            if (found.nobody !== null) nobody++
          })
        )
      const run = yield* spine(counting)
      const between = Effect.gen(function* () {
        const before = takenAlone()
        for (let at = 2; at < 200 && (nobody < 3 || takenAlone() - before < 3); at++) {
          yield* append([{ app: 1, record: at }])
          yield* done(at)
          yield* append([{ app: 1, record: at, behaviour: "nobody" }])
          yield* eventually("it is gone", countWhere("outbox", "true"), (n) => n === 0)
        }
      })
      assert.isAtLeast(yield* run(between), 3)
      assert.isAtLeast(nobody, 3)
    }).pipe(Effect.scoped)
  )

  it.live("in a rhythm with others that are not to be taken so is handed over now and then", () =>
    Effect.gen(function* () {
      const run = yield* spine()
      const rhythm = Effect.gen(function* () {
        const before = takenAlone()
        for (let at = 2; at < 400 && takenAlone() - before < 4; at += 2) {
          yield* append([{ app: 1, record: at }])
          yield* done(at)
          yield* append([{ app: 1, record: at + 1, behaviour: "special" }])
          yield* done(at + 1)
        }
      })
      assert.isAtLeast(yield* run(rhythm), 4)
    }).pipe(Effect.scoped)
  )

  it.live("waits for its turn where its actor works, and for a process that began a moment ago", () =>
    Effect.gen(function* () {
      const run = yield* spine()
      const none = yield* run(
        Effect.gen(function* () {
          yield* append([
            { app: 1, record: 2, behaviour: "slow 400" },
            { app: 1, record: 3, behaviour: "slow 400" }
          ])
          yield* eventually("it works", countWhere("test_begun", "true"), (n) => n === 3)
          yield* append([{ app: 1, record: 4 }])
          yield* done(4)
        })
      )
      assert.strictEqual(none, 0)
      const fresh = yield* spine(undefined, { relayCountedMillis: 60_000 })
      assert.strictEqual(yield* fresh(oneByOne([2, 3])), 0)
    }).pipe(Effect.scoped)
  )

  it.live("that the database refuses to take so is fanned out in a batch, and so are those after it", () =>
    Effect.gen(function* () {
      let asked = 0
      const refusing: Taking = () =>
        Effect.suspend(() => {
          asked++
          return new SqlError({
            reason: new UnknownError({ cause: undefined, message: "refused", operation: "execute" })
          })
        })
      const run = yield* spine(refusing)
      const further = Effect.flatMap(
        until(() => asked > 0),
        (sent) => oneByOne([sent + 1, sent + 2], sent)
      )
      assert.strictEqual(yield* run(further), 0)
      assert.strictEqual(asked, 1)
    }).pipe(Effect.scoped)
  )

  it.live("of whose answer nothing can be made is done once, by the next activation; those after it by a batch", () =>
    Effect.gen(function* () {
      let made = 0
      const spoiling: Taking = (statement) =>
        Effect.map(statement, ({ answer, found }) => ({
          found,
          answer:
            answer === undefined
              ? undefined
              : () => {
                  made++
                  throw new Error("not to be read")
                }
        }))
      const run = yield* spine(spoiling)
      yield* run(
        Effect.flatMap(
          until(() => made > 0),
          (sent) => oneByOne([sent + 1, sent + 2], sent)
        )
      )
      assert.strictEqual(made, 1)
    }).pipe(Effect.scoped)
  )

  it.live("is asked for less and less while such events are not to be taken so, and again once one is", () =>
    Effect.gen(function* () {
      let vain = 0
      const counting: Taking = (statement) =>
        Effect.tap(statement, ({ answer, found }) =>
          Effect.sync(() => {
            if (answer === undefined && found.oldest !== null) vain++
          })
        )
      const run = yield* spine(counting)
      const taken = yield* run(
        Effect.gen(function* () {
          for (let sent = 2; sent <= 21; sent++) {
            yield* append([{ app: 1, record: sent, behaviour: "special" }])
            yield* done(sent)
          }
          const asked = vain
          assert.isAtLeast(asked, 1)
          assert.isAtMost(asked, 10)
          yield* oneByOne(
            Array.from({ length: 40 }, (_, i) => 100 + i),
            21
          )
          assert.isAtMost(vain, asked + 2)
        })
      )
      assert.isAtLeast(taken, 1)
    }).pipe(Effect.scoped)
  )

  it.live("whose answer is lost with its connection is done once, by the next activation", () =>
    Effect.gen(function* () {
      let lost = 0
      const gone = new SqlError({
        reason: new ConnectionError({ cause: undefined, message: "gone", operation: "query" })
      })
      const losing: Taking = (statement) =>
        Effect.flatMap(statement, (taken) =>
          taken.answer === undefined || lost++ > 0 ? Effect.succeed(taken) : Effect.fail(gone)
        )
      const setting = yield* freshSetting(awake)
      yield* Effect.gen(function* () {
        yield* append([{ app: 1, record: 1 }])
        yield* done(1)
        const fence = countWhere("actors", "fence > 1")
        const sent = yield* until(() => lost > 0)
        assert.strictEqual(yield* fence, 1)
        yield* oneByOne([sent + 1, sent + 2], sent)
        assert.strictEqual(yield* countWhere("test_begun", "true"), sent + 2)
        assert.strictEqual(yield* countWhere("outbox", "true"), 0)
      }).pipe(Effect.provide(layerWorker(setting, makeLoneKind(behaviour, losing))))
    }).pipe(Effect.scoped)
  )
})

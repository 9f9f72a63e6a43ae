// From effects to activities: results, errors by tag, interruption, heartbeats.

import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import {
  Context as ActivityContext,
  ApplicationFailure,
  asyncLocalStorage,
  CancelledFailure
} from "@temporalio/activity"
import { Context, Effect, Schema } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { attempt, CurrentActivity } from "../../../src/engine/temporal/bridge.ts"
import { Epoch, FIRST_EPOCH } from "../../../src/engine/temporal/Epoch.ts"
import { fixedEpoch } from "../../support/epochs.ts"

class Broken extends Schema.TaggedError<Broken>()("Broken", { message: Schema.String }) {}
class Hopeless extends Schema.TaggedError<Hopeless>()("Hopeless", { message: Schema.String }) {
  readonly retryable = false
}

/** Runs `f` as the SDK runs an activity. */
const inActivity = <A>(
  f: () => Promise<A>,
  options: { signal?: AbortSignal; beats?: Array<unknown>; info?: object } = {}
) => {
  const nothing = {} as never
  const cancelled = new Promise<never>(() => undefined)
  const signal = options.signal ?? new AbortController().signal
  const beat = (details: unknown) => void options.beats?.push(details)
  const context = new (ActivityContext as any)(
    options.info ?? nothing,
    cancelled,
    signal,
    beat,
    undefined,
    nothing,
    nothing,
    nothing
  )
  return asyncLocalStorage.run(context, f)
}

const failureOf = (f: () => Promise<unknown>, signal?: AbortSignal) =>
  inActivity(f, signal === undefined ? {} : { signal }).then(
    () => assert.fail("should have failed"),
    (error: unknown) => error
  )

const run = attempt(Context.make(Epoch, fixedEpoch(FIRST_EPOCH)))

describe("the activity bridge", () => {
  it("gives the result and the arguments through", async () => {
    assert.strictEqual(await inActivity(() => run((a: number, b: number) => Effect.succeed(a + b))(1, 2)), 3)
  })

  it("fails with the error's tag, to be tried again unless the error says otherwise", async () => {
    const broken = await failureOf(run(() => new Broken({ message: "for now" })))
    assert.instanceOf(broken, ApplicationFailure)
    assert.deepInclude(broken, { type: "Broken", message: "for now", nonRetryable: false })
    const hopeless = await failureOf(run(() => new Hopeless({ message: "for good" })))
    assert.deepInclude(hopeless, { type: "Hopeless", nonRetryable: true })
  })

  it("keeps statements and their values out of histories", async () => {
    const cause = new Error("INSERT … 'secret'")
    const error = new SqlError({ reason: new ConnectionError({ cause, message: "secret" }) })
    for (const failingEffect of [Effect.fail(error), Effect.die(error)]) {
      const failed = await failureOf(run(() => failingEffect))
      assert.deepInclude(failed, { type: "SqlError", message: "database: ConnectionError", nonRetryable: false })
      assert.notInclude(inspect(failed, { depth: null }), "secret")
    }
  })

  it("refuses activities of workflows of a former epoch for good, and leaves those of a later one to others", async () => {
    const second = attempt(Context.make(Epoch, fixedEpoch({ number: 2, key: "0123abcd" })))
    const startedIds: Array<string> = []
    const runActivity = (workflowId: string) =>
      inActivity(
        second(() => Effect.sync(() => startedIds.push(workflowId))),
        { info: { workflowExecution: { workflowId } } }
      ).catch((error: unknown) => error)
    const former = await runActivity("automations/12/runs/34")
    assert.deepInclude(former, { type: "FormerEpoch", nonRetryable: true })
    assert.include(String(former), "of the former epoch e1")
    assert.deepInclude(await runActivity("e3-0123abcd/automations/12/runs/34"), {
      type: "OtherEpoch",
      nonRetryable: false
    })
    assert.deepInclude(await runActivity("e2-fedcba98/automations/12/runs/34"), {
      type: "OtherEpoch",
      nonRetryable: false
    })
    await runActivity("e2-0123abcd/automations/12/runs/34")
    assert.deepStrictEqual(startedIds, ["e2-0123abcd/automations/12/runs/34"])
  })

  it("interrupts when the attempt is cancelled", async () => {
    const controller = new AbortController()
    let interrupted = false
    const never = run(() => Effect.never.pipe(Effect.onInterrupt(() => Effect.sync(() => (interrupted = true)))))
    setTimeout(() => controller.abort(), 20)
    assert.instanceOf(await failureOf(never, controller.signal), CancelledFailure)
    assert.isTrue(interrupted)
  })

  it("beats for its own attempt while others run on the same scheduler", async () => {
    const many = Array.from({ length: 5 }, (_, i) => {
      const beats: Array<unknown> = []
      const beating = run(() =>
        Effect.gen(function* () {
          const { heartbeat } = yield* CurrentActivity
          for (let n = 0; n < 5; n++) yield* Effect.andThen(heartbeat(i), Effect.yieldNow)
        })
      )
      return inActivity(beating, { beats }).then(() => beats)
    })
    const results = await Promise.all(many)
    assert.deepStrictEqual(
      results,
      results.map((_, i) => Array(5).fill(i))
    )
  })
})

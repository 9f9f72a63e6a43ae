// decisions W1: an execution fails where no answer has come within its time; not where the process was held up and has yet to read it, or to ask.
import { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import { type Policy, policies } from "../../../src/platform/outbound/policies.ts"
import { eventually } from "../../support/eventually.ts"
import { beating, standStill } from "../../support/standStill.ts"

const DEADLINE_MILLIS = 4_000
const policy: Policy = { ...policies.webhook, headers: Duration.millis(DEADLINE_MILLIS) }
/** What the receiver, a thread of its own, has come to. */
const ASKED = 1
const MAY_ANSWER = 2
const ANSWERED = 3

/** @param initial where it waits for nobody: `MAY_ANSWER` */
const receiver = (initial = 0) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const state = new Int32Array(new SharedArrayBuffer(4))
      Atomics.store(state, 0, initial)
      const code = `const { parentPort, workerData: state } = require("node:worker_threads")
      require("node:http").createServer((request, response) => {
        if (Atomics.compareExchange(state, 0, 0, ${ASKED}) === 0) Atomics.wait(state, 0, ${ASKED})
        response.writeHead(200, { "content-length": 2 }).end("ok", () => {
          Atomics.store(state, 0, ${ANSWERED})
          Atomics.notify(state, 0)
        })
      }).listen(0, "127.0.0.1", function () { parentPort.postMessage(this.address().port) })`
      const worker = new Worker(code, { eval: true, workerData: state })
      const port = await new Promise<number>((resolve) => worker.once("message", resolve))
      return { state, worker, port }
    }),
    ({ worker }) => Effect.promise(() => worker.terminate())
  )

/** Behind the sockets' turn of the event loop, so that timers are the next: the receiver answers, and nothing of this thread runs until the time is over. */
const heldUp = (state: Int32Array) =>
  Effect.callback<void>((resume) => {
    setImmediate(() => {
      Atomics.store(state, 0, MAY_ANSWER)
      Atomics.notify(state, 0)
      Atomics.wait(state, 0, MAY_ANSWER, DEADLINE_MILLIS)
      standStill(DEADLINE_MILLIS)
      resume(Effect.void)
    })
  })

describe("a process that is held up", () => {
  it.live("reads what was answered in time before it says that nothing was (W1)", () =>
    Effect.gen(function* () {
      const { port, state } = yield* receiver()
      const url = `http://127.0.0.1:${port}/`
      const post = Outbound.use((outbound) => outbound.request({ method: "POST", url, body: "{}", policy }))
      const response = yield* Effect.forkChild(
        Effect.provide(post, Outbound.layerWith({ allow: new Set([`127.0.0.1:${port}`]) }))
      )
      yield* eventually(
        "asked",
        Effect.sync(() => Atomics.load(state, 0)),
        (now) => now === ASKED
      )
      yield* heldUp(state)
      assert.strictEqual(Atomics.load(state, 0), ANSWERED)
      assert.strictEqual((yield* Fiber.join(response)).status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("gives who was not asked meanwhile the time for which it stood still (W1)", () =>
    Effect.gen(function* () {
      yield* beating
      const { port, state } = yield* receiver(MAY_ANSWER)
      const url = `http://127.0.0.1:${port}/`
      const post = Outbound.use((outbound) => outbound.request({ method: "POST", url, body: "{}", policy }))
      const response = yield* Effect.forkChild(
        Effect.provide(post, Outbound.layerWith({ allow: new Set([`127.0.0.1:${port}`]) })),
        { startImmediately: true }
      )
      // Its name is not even looked up.
      standStill(DEADLINE_MILLIS + 500)
      assert.strictEqual(Atomics.load(state, 0), MAY_ANSWER)
      assert.strictEqual((yield* Fiber.join(response)).status, 200)
    }).pipe(Effect.scoped)
  )
})

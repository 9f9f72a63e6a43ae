// decisions P8: a thread that breaks takes nobody with it, and the next job has a new one.
import { BroadcastChannel } from "node:worker_threads"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorkerThread } from "../../../src/platform/primitives/workerThread.ts"

const openChannel = Effect.acquireRelease(
  Effect.sync(() => new BroadcastChannel("straying")),
  (channel) => Effect.sync(() => channel.close())
)

it.live("a thread that breaks between two jobs is nobody's error", () =>
  Effect.gen(function* () {
    const run = makeWorkerThread<string, string>(new URL("./support/straying.ts", import.meta.url), 60_000)
    const channel = yield* openChannel
    assert.strictEqual(yield* run("one"), "one")
    yield* Effect.callback<void>((resume) => {
      channel.onmessage = () => resume(Effect.void)
      channel.postMessage("break")
    })
    // Asked before that is known here, a job ends with it.
    yield* Effect.promise(() => new Promise((turn) => setImmediate(turn)))
    assert.strictEqual(yield* Effect.retry(run("two"), { times: 1 }), "two")
    assert.strictEqual(yield* run("three"), "three")
  }).pipe(Effect.scoped)
)

// The embedded Temporal stands behind the service where processors are few (decisions P8).
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { getPriority } from "node:os"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { putBehind } from "../../bin/parts/priority.js"

const WEIGHED = "/proc/sys/kernel/sched_autogroup_enabled"

/** A session of its own, which says so when its threads run. */
const startChild = Effect.acquireRelease(
  Effect.callback<number>((resume) => {
    const child = spawn(process.execPath, ["-e", "console.log('begun'); setInterval(() => {}, 1000)"], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"]
    })
    child.stdout.once("data", () => resume(Effect.succeed(child.pid!)))
  }),
  (pid) => Effect.sync(() => process.kill(pid, "SIGKILL"))
)

it.live.skipIf(process.platform !== "linux")("all threads of a process stand behind others, and its session", () =>
  Effect.gen(function* () {
    const pid = yield* startChild
    const initialPriority = getPriority(pid)
    putBehind(pid)
    const threads = readdirSync(`/proc/${pid}/task`).map(Number)
    assert.isAbove(threads.length, 1)
    for (const thread of threads) assert.strictEqual(getPriority(thread), Math.max(initialPriority, 5))
    // Only where the system weighs sessions at all.
    if (existsSync(WEIGHED) && readFileSync(WEIGHED, "utf8").trim() === "1")
      assert.match(readFileSync(`/proc/${pid}/autogroup`, "utf8"), / nice 5$/m)
  })
)

it.effect("a process that is gone is no fault", () => Effect.sync(() => putBehind(2 ** 22 + 1)))

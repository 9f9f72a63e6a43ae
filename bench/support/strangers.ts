// The process that sends hostile inputs (peers/strangers.ts): where it listens, and volleys of a kind for as long as something else lasts.
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import { Effect } from "effect"
import type { Target } from "./hostile.ts"
import { root } from "./machine.ts"
import { BenchFailed } from "./Row.ts"

const next = <A>(child: ChildProcess) =>
  Effect.callback<A, BenchFailed>((resume) => {
    const failOnExit = () => resume(Effect.fail(new BenchFailed({ message: "who sends hostile inputs has ended" })))
    child.once("exit", failOnExit)
    child.once("message", (message) => {
      child.off("exit", failOnExit)
      resume(Effect.succeed(message as A))
    })
  })

/** Starts the process of hostile senders; it ends with the scope. */
export const strangers = Effect.gen(function* () {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => fork(join(root, "bench", "peers", "strangers.ts"), { detached: true })),
    (started) => Effect.sync(() => started.kill("SIGKILL"))
  )
  const { receiver } = yield* next<{ readonly receiver: string }>(child)
  /** Volleys of the kind beside the work; what the work gave, and how many there were. */
  const runBeside = Effect.fnUntraced(function* <A, E, R>(kind: string, target: Target, work: Effect.Effect<A, E, R>) {
    child.send({ kind, target })
    const stop = Effect.sync(() => child.send("stop"))
    const [given, { count }] = yield* Effect.all(
      [Effect.ensuring(work, stop), next<{ readonly count: number }>(child)],
      { concurrency: 2 }
    )
    return [given, count] as const
  })
  return { receiver, beside: runBeside }
})

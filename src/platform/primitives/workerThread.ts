// Runs work outside of the main thread (decisions P8): one thread for each program, started on first use and ended when idle. Jobs run one
// by one in the order of their arrival; a job that does not end in time is ended with its thread.
import { Worker } from "node:worker_threads"
import { Data, Effect, Semaphore } from "effect"
import type { ThreadDone, ThreadJob } from "./workerThreadJobs.ts"

const IDLE_MILLIS = 10_000

/** Failure of a job. `failed`: the work threw; `ended`: its thread did; `late`: it was ended. */
class NotDone extends Data.TaggedError("NotDone")<{
  readonly reason: "failed" | "ended" | "late"
  readonly message: string
}> {}

/** Makes a thread for a program. @param program its module calls `serve` */
export const makeWorkerThread = <In, Out>(program: URL, patienceMillis: number) => {
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let jobs = 0

  const stop = () => {
    void thread?.terminate()
    thread = undefined
  }

  const startWorker = () => {
    const worker = new Worker(program, { execArgv: [], env: {} })
    // Listens for errors between two jobs: an error without a listener ends the process.
    return worker.on("error", () => {
      if (thread === worker) stop()
    })
  }

  const started = () => {
    clearTimeout(idle)
    thread ??= startWorker()
    thread.unref()
    return thread
  }

  const run = (input: In) =>
    Effect.callback<Out, NotDone>((resume) => {
      const worker = started()
      const id = ++jobs
      const finishJob = (result: Effect.Effect<Out, NotDone>, healthy: boolean) => {
        worker.off("message", answered)
        worker.off("error", broke)
        worker.off("exit", broke)
        if (!healthy && thread === worker) stop()
        idle = setTimeout(stop, IDLE_MILLIS).unref()
        resume(result)
      }
      const answered = (done: ThreadDone<Out>) => {
        if (done.id !== id) return
        finishJob(
          "output" in done
            ? Effect.succeed(done.output)
            : Effect.fail(new NotDone({ reason: "failed", message: done.failure })),
          true
        )
      }
      const broke = () => finishJob(Effect.fail(new NotDone({ reason: "ended", message: "The thread ended." })), false)
      worker.on("message", answered)
      worker.on("error", broke)
      worker.on("exit", broke)
      worker.postMessage({ id, input } satisfies ThreadJob<In>)
      return Effect.sync(() => finishJob(Effect.never, false))
    }).pipe(
      Effect.timeoutOrElse({
        duration: patienceMillis,
        orElse: () => Effect.fail(new NotDone({ reason: "late", message: "The work took too long." }))
      })
    )

  const jobPermit = Semaphore.makeUnsafe(1)
  return (input: In): Effect.Effect<Out, NotDone> => jobPermit.withPermits(1)(run(input))
}

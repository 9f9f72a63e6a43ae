// A load's life: its workers step until the disturbance is over and the time is up, what they caused settles, and the end state is compared
// with the undisturbed one.
import { Connection, WorkflowClient } from "@temporalio/client"
import { Clock, Effect, Fiber, Ref, Schedule } from "effect"
import { GaveUp } from "../../demo/client.ts"
import type { Load, LoadContext, LoadFailure, Running } from "./Load.ts"

export interface Pace {
  readonly durationMillis: number
  readonly workers: number
  /** Steps that every worker does at least, however long the disturbance takes. */
  readonly leastSteps: number
  /** Steps of each worker and second, at most. */
  readonly rate: number
  /** Milliseconds without progress after which settling ends. */
  readonly patienceMillis: number
}

export interface Left {
  readonly steps: number
  readonly counts: Readonly<Record<string, number>>
  readonly settledMillis: number
  readonly differences: ReadonlyArray<string>
}

const work = (running: Running, { leastSteps, rate }: Pace, worker: number, over: Ref.Ref<boolean>) =>
  Effect.gen(function* () {
    const pause = 1000 / rate
    for (let n = 0; ; n++) {
      if (n >= leastSteps && (yield* Ref.get(over))) return n
      const began = yield* Clock.currentTimeMillis
      yield* running.step(worker, n)
      const stepMillis = (yield* Clock.currentTimeMillis) - began
      if (stepMillis < pause) yield* Effect.sleep(pause - stepMillis)
    }
  })

const awaitSettled = Effect.fnUntraced(function* (running: Running, patienceMillis: number) {
  const began = yield* Clock.currentTimeMillis
  let movedAt = began
  let previousDone = -1
  for (;;) {
    const { done, total } = yield* running.settled
    const nowMillis = yield* Clock.currentTimeMillis
    if (done >= total) return nowMillis - began
    if (done !== previousDone) movedAt = nowMillis
    previousDone = done
    if (nowMillis - movedAt > patienceMillis) return nowMillis - began
    yield* Effect.sleep("200 millis")
  }
})

/** `disturbed` ends when the last part works again. */
export const underLoad = Effect.fnUntraced(function* <E, R>(
  load: Load,
  context: LoadContext,
  pace: Pace,
  disturbed: Effect.Effect<unknown, E, R>
) {
  const running = yield* load.begin(context)
  const isOver = yield* Ref.make(false)
  const crew = yield* Effect.forkChild(
    Effect.all(
      Array.from({ length: pace.workers }, (_, worker) => work(running, pace, worker, isOver)),
      { concurrency: "unbounded" }
    )
  )
  yield* Effect.all([Effect.sleep(pace.durationMillis), disturbed], { concurrency: 2 })
  yield* Ref.set(isOver, true)
  const steps = (yield* Fiber.join(crew)).reduce((sum, n) => sum + n, 0)
  const settledMillis = yield* awaitSettled(running, pace.patienceMillis)
  const differences = yield* running.differences
  return { steps, counts: running.counts(), settledMillis, differences } satisfies Left as Left
})

/** History events of every execution of a type, by workflow id. Temporal may just be back. */
export const historiesOf = (env: Readonly<Record<string, string>>) => (workflowType: string) =>
  Effect.tryPromise({
    try: async () => {
      const connection = await Connection.connect({ address: env["TEMPORAL_ADDRESS"]! })
      try {
        const client = new WorkflowClient({ connection, namespace: env["TEMPORAL_NAMESPACE"]! })
        const lengthsById = new Map<string, Array<number>>()
        for await (const execution of client.list({ query: `WorkflowType = "${workflowType}"` })) {
          lengthsById.set(execution.workflowId, [
            ...(lengthsById.get(execution.workflowId) ?? []),
            Number(execution.historyLength ?? 0)
          ])
        }
        return lengthsById
      } finally {
        await connection.close()
      }
    },
    catch: (error) => new GaveUp({ message: `Temporal lists no ${workflowType}: ${(error as Error).message}` })
  }).pipe(Effect.retry({ times: 20, schedule: Schedule.spaced("1 second") })) satisfies Effect.Effect<
    ReadonlyMap<string, ReadonlyArray<number>>,
    LoadFailure
  >

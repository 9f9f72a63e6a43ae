// Measures of automations: a called run from the call to its end, and the same work as a peer's job.
import { Effect } from "effect"
import type { AppOf, Bed } from "./bed.ts"
import type { Machine } from "./machine.ts"
import { startPeer } from "./processes.ts"
import { BenchFailed, type Measure, type Sample } from "./Row.ts"

/** Runs of an automation that are over. */
export const over = ({ sql }: Bed, automationId: number) =>
  Effect.map(
    sql<{
      n: number
    }>`SELECT count(*)::int AS n FROM runs WHERE automation_id = ${automationId} AND completed_on IS NOT NULL`,
    ([row]) => row!.n
  )

/** A job of the peer's, by its name. */
export const peerOf = Effect.fnUntraced(function* (bed: Bed, script: string, kinds: string) {
  const peer = yield* startPeer(bed.machine, script, { PEERS: kinds })
  /** @param pause between two, in milliseconds, for works that have one */
  return (work: string, countOf: (seconds: number) => number, pause = 0): Measure =>
    (seconds) =>
      Effect.tryPromise({
        try: async () => {
          const response = await fetch(`${peer.url}/?work=${work}&count=${countOf(seconds)}&pause=${pause}`)
          const text = await response.text()
          if (!response.ok) throw new Error(text)
          return JSON.parse(text) as Sample
        },
        catch: (error) => new BenchFailed({ message: `${work}: ${(error as Error).message}` })
      })
})

/** Between two signals of the peer's and two events of ours, in milliseconds; and while both run warm. */
export const BETWEEN_SIGNALS = 500
export const BETWEEN_WARMING = 20

/** Measures, by the pause between two, the time from a signalWithStart to its activity's first line, with nothing else in Temporal. */
export const bareSignal = (machine: Machine) =>
  Effect.map(
    startPeer(machine, "signal.js", { TEMPORAL_QUEUE: "bench-bare" }),
    ({ url }) =>
      (pause: number): Measure =>
      (seconds) =>
        Effect.tryPromise({
          try: async () =>
            (await (await fetch(`${url}/measure?seconds=${seconds}&pause=${pause}`)).json()) as { p50: number },
          catch: (error) => new BenchFailed({ message: (error as Error).message })
        })
  )

/** A called run over a collection or a list of steps: from the call to its end. */
export const called = (bed: Bed, app: AppOf, actions: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const id = yield* bed.automation(app.appId, { trigger: { type: "automation_called", config: {} }, actions })
    const [recordId] = yield* bed.records(app, 1, false)
    let goal = 0
    const measure: Measure = () =>
      Effect.gen(function* () {
        goal++
        const body = { trigger_on_record_id: recordId }
        const call = bed.client.get("POST", `/v1/automation/${id}/trigger`, { body })
        yield* Effect.mapError(call, ({ message }) => new BenchFailed({ message }))
        yield* bed.until("the run", over(bed, id), goal, 20)
        const [row] = yield* bed.sql<{ status: string; seconds: number }>`
          SELECT status, extract(epoch FROM completed_on - started_on)::float8 AS seconds FROM runs
          WHERE automation_id = ${id} ORDER BY run_id DESC LIMIT 1`.pipe(
          Effect.mapError(({ message }) => new BenchFailed({ message }))
        )
        if (row?.status !== "completed") return yield* new BenchFailed({ message: `the run is ${row?.status}` })
        return { seconds: row.seconds }
      })
    return measure
  })

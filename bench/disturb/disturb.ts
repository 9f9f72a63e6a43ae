// One disturbance: a load runs, a part is killed at moments drawn from the seed and started again (the last time only after a
// while), the load ends, what it caused settles, and the end state is compared with the undisturbed one.
import { Connection, WorkflowClient } from "@temporalio/client"
import { Clock, Effect, Fiber, Ref, Schedule } from "effect"
import { GaveUp, makeClient } from "../../demo/client.ts"
import { makeTenant } from "../../demo/operator.ts"
import { startReceiver } from "../../demo/receiver.ts"
import { type Machine, type MachineFailed, makeMachine, operatorOf, type Part } from "../support/machine.ts"
import { momentsOf } from "./chance.ts"
import type { Load, LoadContext, LoadFailure, Running } from "./Load.ts"
import { cloneOf, RELEASE_BEFORE, takeTurns } from "./releases.ts"

export interface Disturbance {
  readonly load: Load
  /** `release`: nothing is killed; this release and the one before take turns. */
  readonly part: Part["name"] | "release"
  readonly seed: number
  readonly kills: number
  readonly durationMillis: number
  /** How long the part stays away after the last kill. */
  readonly awayMillis: number
  readonly workers: number
  /** What every worker does at least, however long the part takes to come back. */
  readonly leastSteps: number
  /** Steps of each worker and second, at most. */
  readonly rate: number
  /** Without progress for this long, settling ends. */
  readonly patienceMillis: number
  readonly size: LoadContext["size"]
  readonly env?: Record<string, string>
}

export interface Outcome {
  readonly steps: number
  readonly counts: Readonly<Record<string, number>>
  readonly moments: ReadonlyArray<number>
  readonly settledMillis: number
  readonly differences: ReadonlyArray<string>
}

const PLENTY = "1000000"

const work = (running: Running, { leastSteps, rate }: Disturbance, worker: number, over: Ref.Ref<boolean>) =>
  Effect.gen(function* () {
    const pause = 1000 / rate
    for (let n = 0; ; n++) {
      if (n >= leastSteps && (yield* Ref.get(over))) return n
      const began = yield* Clock.currentTimeMillis
      yield* running.step(worker, n)
      const took = (yield* Clock.currentTimeMillis) - began
      if (took < pause) yield* Effect.sleep(pause - took)
    }
  })

const disturbPart = Effect.fnUntraced(function* (
  machine: Machine,
  part: Part["name"],
  awayMillis: number,
  moments: ReadonlyArray<number>,
  say: (line: string) => void
) {
  const began = yield* Clock.currentTimeMillis
  for (const [i, moment] of moments.entries()) {
    const wait = began + moment - (yield* Clock.currentTimeMillis)
    if (wait > 0) yield* Effect.sleep(wait)
    const last = i === moments.length - 1
    yield* machine.parts[part].kill
    say(
      `${(moment / 1000).toFixed(1)} s: ${part} killed${last && awayMillis > 0 ? `, away for ${awayMillis / 1000} s` : ""}`
    )
    if (last) yield* Effect.sleep(awayMillis)
    yield* machine.parts[part].start
  }
})

/** Temporal may just be back. */
const histories = ({ env }: Machine, workflowType: string) =>
  Effect.tryPromise({
    try: async () => {
      const connection = await Connection.connect({ address: env["TEMPORAL_ADDRESS"]! })
      try {
        const client = new WorkflowClient({ connection, namespace: env["TEMPORAL_NAMESPACE"]! })
        const found = new Map<string, Array<number>>()
        for await (const one of client.list({ query: `WorkflowType = "${workflowType}"` })) {
          found.set(one.workflowId, [...(found.get(one.workflowId) ?? []), Number(one.historyLength ?? 0)])
        }
        return found
      } finally {
        await connection.close()
      }
    },
    catch: (error) => new GaveUp({ message: `Temporal lists no ${workflowType}: ${(error as Error).message}` })
  }).pipe(Effect.retry({ times: 20, schedule: Schedule.spaced("1 second") }))

const settle = Effect.fnUntraced(function* (running: Running, patienceMillis: number) {
  const began = yield* Clock.currentTimeMillis
  let movedAt = began
  let before = -1
  for (;;) {
    const { done, total } = yield* running.settled
    const now = yield* Clock.currentTimeMillis
    if (done >= total) return now - began
    if (done !== before) movedAt = now
    before = done
    if (now - movedAt > patienceMillis) return now - began
    yield* Effect.sleep("200 millis")
  }
})

export const disturb = Effect.fn("disturb")(function* (disturbance: Disturbance, say: (line: string) => void) {
  const { durationMillis, kills, load, part, patienceMillis, seed, workers } = disturbance
  const receiver = yield* startReceiver(0)
  const before = part === "release" ? yield* cloneOf(RELEASE_BEFORE) : undefined
  const machine = yield* makeMachine({
    name: "disturb",
    ...(before === undefined ? {} : { release: before }),
    durable: false,
    env: {
      OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}`,
      WEBHOOK_PER_MINUTE: PLENTY,
      WEBHOOK_FAILURES_ALLOWED: PLENTY,
      ...disturbance.env
    }
  })
  const tenant = yield* makeTenant("Disturbed", 1, Number(PLENTY)).pipe(Effect.provide(operatorOf(machine)))
  const client = makeClient({ baseUrl: machine.baseUrl, token: tenant.tokens[0]!, patienceMillis })
  const { workspaces } = yield* client.get("GET", "/v1/workspace/org")
  const running = yield* load.begin({
    client,
    workspaceId: workspaces[0].workspace_id,
    receiver,
    workers,
    durationMillis,
    size: disturbance.size,
    histories: (workflowType) => histories(machine, workflowType)
  })

  const moments = momentsOf(seed, kills, durationMillis)
  const disturbed =
    part === "release"
      ? takeTurns(machine, before!, moments, say)
      : disturbPart(machine, part, disturbance.awayMillis, moments, say)
  const over = yield* Ref.make(false)
  const crew = yield* Effect.forkChild(
    Effect.all(
      Array.from({ length: workers }, (_, worker) => work(running, disturbance, worker, over)),
      { concurrency: "unbounded" }
    )
  )
  yield* Effect.all([Effect.sleep(durationMillis), disturbed], { concurrency: 2 })
  yield* Ref.set(over, true)
  const steps = (yield* Fiber.join(crew)).reduce((sum, n) => sum + n, 0)
  yield* machine.ready
  const settledMillis = yield* settle(running, patienceMillis)
  const differences = yield* running.differences
  say(`${part}: ${steps} steps, settled after ${(settledMillis / 1000).toFixed(1)} s`)
  return { steps, counts: running.counts(), moments, settledMillis, differences } satisfies Outcome as Outcome
}, Effect.scoped) satisfies (
  d: Disturbance,
  say: (line: string) => void
) => Effect.Effect<Outcome, LoadFailure | MachineFailed | Error>

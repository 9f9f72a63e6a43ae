// Runs a disturbance: a load runs, a part is killed at moments drawn from the seed and started again (the last time only after a while),
// the load ends, its effects settle, and the end state is compared with the undisturbed one.
import { Clock, Effect } from "effect"
import { makeClient } from "../../demo/client.ts"
import { makeTenant } from "../../demo/operator.ts"
import { startReceiver } from "../../demo/receiver.ts"
import { type Machine, type MachineFailed, makeMachine, operatorOf, type Part } from "../support/machine.ts"
import { momentsOf } from "./chance.ts"
import type { Load, LoadContext, LoadFailure } from "./Load.ts"
import { cloneOf, RELEASE_BEFORE, takeTurns } from "./releases.ts"
import { historiesOf, type Left, type Pace, underLoad } from "./underLoad.ts"

export interface Disturbance extends Pace {
  readonly load: Load
  /** `release`: nothing is killed; this release and the one before take turns. */
  readonly part: Part["name"] | "release"
  readonly seed: number
  readonly kills: number
  /** Milliseconds that the part stays away after the last kill. */
  readonly awayMillis: number
  readonly size: LoadContext["size"]
  readonly env?: Record<string, string>
}

export interface Outcome extends Left {
  readonly moments: ReadonlyArray<number>
}

const PLENTY = "1000000"

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
    const isLast = i === moments.length - 1
    yield* machine.parts[part].kill
    say(
      `${(moment / 1000).toFixed(1)} s: ${part} killed${isLast && awayMillis > 0 ? `, away for ${awayMillis / 1000} s` : ""}`
    )
    if (isLast) yield* Effect.sleep(awayMillis)
    yield* machine.parts[part].start
  }
})

export const disturb = Effect.fn("disturb")(function* (disturbance: Disturbance, say: (line: string) => void) {
  const { durationMillis, kills, load, part, patienceMillis, seed, workers } = disturbance
  const receiver = yield* startReceiver(0)
  const previousRelease = part === "release" ? yield* cloneOf(RELEASE_BEFORE) : undefined
  const machine = yield* makeMachine({
    name: "disturb",
    ...(previousRelease === undefined ? {} : { release: previousRelease }),
    durable: false,
    env: {
      OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}`,
      WEBHOOK_PER_MINUTE: PLENTY,
      WEBHOOK_FAILURES_ALLOWED: PLENTY,
      // Schedules of a minute (waits.ts).
      SCHEDULE_MINIMUM_SECONDS: "60",
      ...disturbance.env
    }
  })
  const tenant = yield* makeTenant("Disturbed", 1, Number(PLENTY)).pipe(Effect.provide(operatorOf(machine)))
  const client = makeClient({ baseUrl: machine.baseUrl, token: tenant.tokens[0]!, patienceMillis })
  const { workspaces } = yield* client.get("GET", "/v1/workspace/org")
  const context: LoadContext = {
    client,
    workspaceId: workspaces[0].workspace_id,
    receiver,
    workers,
    durationMillis,
    size: disturbance.size,
    histories: historiesOf(machine.env)
  }
  const moments = momentsOf(seed, kills, durationMillis)
  const disturbed =
    part === "release"
      ? takeTurns(machine, previousRelease!, moments, say)
      : disturbPart(machine, part, disturbance.awayMillis, moments, say)
  const result = yield* underLoad(load, context, disturbance, Effect.andThen(disturbed, machine.ready))
  say(`${part}: ${result.steps} steps, settled after ${(result.settledMillis / 1000).toFixed(1)} s`)
  return { ...result, moments } satisfies Outcome as Outcome
}, Effect.scoped) satisfies (
  d: Disturbance,
  say: (line: string) => void
) => Effect.Effect<Outcome, LoadFailure | MachineFailed | Error>

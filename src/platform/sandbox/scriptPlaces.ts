// Shares slots for scripts fairly between organizations, each with a process of its own (decisions P9, A22).
import { Effect } from "effect"
import type { Limits } from "../config/sandboxLimits.ts"
import type { Confinement } from "../confinement/Confinement.ts"
import { makeProcesses } from "../confinement/Processes.ts"
import type { Owner } from "../fairness/FairPlaces.ts"
import { makeSlotMetrics } from "../fairness/slotMetrics.ts"
import { profileOf, starter } from "./program.ts"
import { makeWorker, SandboxUnavailable, type Worker } from "./ScriptProcess.ts"
import { programs } from "./scriptBundle.ts"

const SCRIPTS_PER_PROCESS = 2000

/** Slots beyond those that one organization may take, for others that hold none. */
const reserveOf = (places: number) => Math.max(2, Math.ceil(places / 2))

const unbuilt = (e: unknown) => new SandboxUnavailable({ message: `The script environment could not be built: ${e}` })

interface ScriptPlacesOptions {
  readonly slots: number
  /** Processes kept for organizations that may come again, for each slot. */
  readonly kept: number
  readonly scriptsPerIsolate: number
  /** True if a process is kept ready for an organization that has none. */
  readonly spare: boolean
}

/** Makes the slots, with a process for each organization that holds one. */
export const makeScriptPlaces = Effect.fnUntraced(function* (
  kind: string,
  confined: Confinement,
  limits: Limits,
  { slots, kept, scriptsPerIsolate, spare }: ScriptPlacesOptions
) {
  const start = Effect.gen(function* () {
    const { realm, runner } = yield* Effect.tryPromise({ try: programs, catch: unbuilt })
    const profile = yield* Effect.tryPromise({ try: () => profileOf(confined), catch: unbuilt })
    const init = { type: "init", code: realm, memoryMiB: limits.memoryMiB, scriptsPerIsolate } as const
    return yield* makeWorker(starter(confined, profile), runner, init)
  })
  const reserve = reserveOf(slots)
  const scriptSlots = yield* makeSlotMetrics(kind, { places: slots, reserve })
  const processes = yield* makeProcesses({
    start,
    alive: (worker) => worker.alive(),
    most: (slots + reserve) * kept,
    uses: SCRIPTS_PER_PROCESS,
    spare
  })
  return <A, E>(owner: Owner, use: (worker: Worker) => Effect.Effect<readonly [A, ended: boolean], E>) =>
    scriptSlots.use(owner)(processes.lend(owner, use))
})

// One schedule: its seed draws what is done and what goes wrong, and which of all that can happen happens next, until nothing is left to do.
import { Effect } from "effect"
import { takeOne } from "./choices.ts"
import { type DrawnWorld, drawWorld } from "./drawnWorld.ts"
import { makeDraws } from "./draws.ts"
import type { Plant } from "./GatedSession.ts"
import type { Request } from "./receivers.ts"
import { makeStage, type Stage } from "./stage.ts"
import { installTime, makeVirtualTime } from "./virtualTime.ts"
import { useTemporal } from "./workflowApi.ts"
import { HOOKS, RECORDS, type World } from "./world.ts"
import type { Written } from "./writer.ts"

/** Decisions after which a schedule has to be over, and the time that it may take: retries and takeovers take minutes. */
const STEPS = 30_000
const LONGEST_MILLIS = 3_600_000

/** What a schedule leaves to be judged. */
export interface Outcome {
  readonly seed: number
  readonly drawn: DrawnWorld
  readonly trace: ReadonlyArray<string>
  readonly written: ReadonlyArray<Written>
  readonly requests: ReadonlyArray<Request>
  /** How often something was cut off whose answer may have been lost with it. */
  readonly interruptions: number
  readonly isDrained: boolean
}

const play = async (stage: Stage): Promise<boolean> => {
  const { changes, drawn, gate, say, start, time, trace, world, writer } = stage
  for (let count = 0; count < drawn.processes; count++) await start()
  let seen = 0
  for (let step = 0; step < STEPS && time.elapsed() < LONGEST_MILLIS; step++) {
    await gate.settle()
    for (const line of gate.takeDeadlocks()) say(`deadlock: ${line}`)
    if (await takeOne(stage)) continue
    if (changes.length === 0 && !writer.isBusy() && trace.length > seen) {
      seen = trace.length
      if ((await Effect.runPromise(world.remaining)) === "") return true
    }
    time.advance()
  }
  return false
}

/** @param plant a change of the statements' text, by which a test plants a fault */
export const runSchedule = Effect.fnUntraced(function* (world: World, seed: number, plant?: Plant) {
  const draws = makeDraws(seed)
  const drawn = drawWorld(draws, { hooks: HOOKS, records: RECORDS })
  yield* world.reset(drawn)
  const time = makeVirtualTime()
  const stage = makeStage(world, time, draws, drawn, plant)
  const { receivers, state, temporal, trace, writer } = stage
  const restore = installTime(time)
  useTemporal(temporal)
  const isDrained = yield* Effect.promise(() => play(stage).finally(stage.close)).pipe(
    Effect.ensuring(Effect.sync(restore))
  )
  const { requests } = receivers
  const { interruptions } = state
  return { seed, drawn, trace, written: writer.written, requests, interruptions, isDrained } satisfies Outcome
})

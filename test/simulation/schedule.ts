// One schedule: its seed draws what is done and what goes wrong, and which of all that can happen happens next, until nothing is left to do.
import { Effect } from "effect"
import { takeOne } from "./choices.ts"
import type { DrawnWorld } from "./drawnWorld.ts"
import { makeDraws } from "./draws.ts"
import type { Outcome } from "./Outcome.ts"
import type { Plant } from "./sentBytes.ts"
import { makeStage, type Stage } from "./stage.ts"
import { installTime, makeVirtualTime } from "./virtualTime.ts"
import type { World } from "./World.ts"
import { useTemporal } from "./workflowApi.ts"

/** Decisions after which a schedule has to be over, and the time that it may take: retries and takeovers take minutes. */
const STEPS = 30_000
const LONGEST_MILLIS = 3_600_000

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

/** Plays it, and says what is wrong afterwards. @param plant a change of the statements' text, by which a test plants a fault */
export const runSchedule = Effect.fnUntraced(function* <Drawn extends DrawnWorld>(
  world: World<Drawn>,
  seed: number,
  plant?: Plant
) {
  const draws = makeDraws(seed)
  const drawn = world.draw(draws)
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
  const outcome: Outcome<Drawn> = { seed, drawn, trace, writer, requests, interruptions, isDrained }
  const wrong = trace.filter((line) => line.includes(" deadlock: "))
  if (!isDrained) wrong.push(`not all of it is done: ${yield* world.remaining}`)
  wrong.push(...(yield* world.violations(outcome)))
  return { trace, wrong: wrong.map((what) => `seed ${seed}: ${what}`) }
})

// The two disturbances of a cluster: its faults one after another, each under a load of its own that is checked; and kills at random, whoever
// they meet, in rounds that are checked each.
import { Clock, Effect } from "effect"
import { chanceOf, momentsOf } from "../chance.ts"
import type { Pace } from "../underLoad.ts"
import { faults } from "./faults.ts"
import { METS } from "./seen.ts"
import { makeSite } from "./site.ts"
import { faultsOf, type Judged, lineOf, seconds } from "./verdict.ts"

export interface OnCluster {
  readonly programs: string | undefined
  readonly pace: Pace
  readonly size: "full" | "small"
}

type Say = (line: string) => void

/** The load has begun before the fault comes. */
const BEFORE_MILLIS = 5_000

export const runFaults = Effect.fn("runFaults")(function* (
  options: OnCluster & { readonly only: ReadonlyArray<string> },
  say: Say
) {
  const { cluster, watch } = yield* makeSite({ ...options, patienceMillis: options.pace.patienceMillis }, say)
  const judged: Array<Judged> = []
  const selectedFaults = faults.filter(({ name }) => options.only.length === 0 || options.only.includes(name))
  for (const { about, allows, name, run } of selectedFaults) {
    const disturbed = Effect.gen(function* () {
      yield* Effect.sleep(BEFORE_MILLIS)
      const began = yield* Clock.currentTimeMillis
      yield* run(cluster, say)
      yield* cluster.ready
      say(`${name}: everybody is back after ${seconds((yield* Clock.currentTimeMillis) - began)}`)
    })
    const watched = yield* watch(options.pace, options.size, disturbed)
    const wrong = faultsOf(watched, allows ?? [])
    say(`${name}: ${lineOf(watched)}`)
    for (const fault of wrong) say(`  WRONG ${fault}`)
    judged.push({ name, about, watched, wrong })
  }
  return judged
}, Effect.scoped)

/** Kills of a round, after which the end state is looked at. */
const ROUND = 100

/** Draws process and time of each kill from the seed alone. All processes are equally likely, except the proxy, which is not ours. */
export const killsOf = (seed: number, names: ReadonlyArray<string>, count: number, everyMillis: number) => {
  const chance = chanceOf(seed + 1)
  return momentsOf(seed, count, count * everyMillis).map((at) => ({
    at,
    name: names[Math.floor(chance() * names.length)]!
  }))
}

export const runKills = Effect.fn("runKills")(function* (
  options: OnCluster & { readonly kills: number; readonly everyMillis: number; readonly seed: number },
  say: Say
) {
  const { cluster, watch } = yield* makeSite({ ...options, patienceMillis: options.pace.patienceMillis }, say)
  const targets = cluster.names.filter((name) => name !== "proxy")
  const judged: Array<Judged> = []
  let killed = 0
  for (let round = 0; killed < options.kills; round++) {
    const kills = killsOf(
      options.seed + 2 * round,
      targets,
      Math.min(ROUND, options.kills - killed),
      options.everyMillis
    )
    const disturbed = Effect.gen(function* () {
      const began = yield* Clock.currentTimeMillis
      for (const { at, name } of kills) {
        const wait = began + at - (yield* Clock.currentTimeMillis)
        if (wait > 0) yield* Effect.sleep(wait)
        const daemon = cluster.daemon(name)
        yield* Effect.andThen(daemon.kill, daemon.start)
      }
      yield* cluster.ready
    })
    const pace = { ...options.pace, durationMillis: kills.length * options.everyMillis }
    const watched = yield* watch(pace, options.size, disturbed)
    killed += kills.length
    const wrong = faultsOf(watched, METS)
    say(`${killed} of ${options.kills} kills: ${lineOf(watched)}`)
    for (const fault of wrong) say(`  WRONG ${fault}`)
    judged.push({ name: `kills ${killed - kills.length + 1} to ${killed}`, about: "at random", watched, wrong })
  }
  return judged
}, Effect.scoped)

// The mixed load on a cluster that nobody disturbs, for as long as wanted, in rounds that are checked each; beside it samples of what the cluster
// takes, which have to stay flat.
import { Console, Effect, Fiber, Schedule } from "effect"
import { MachineFailed } from "../../support/machine.ts"
import { coursesOf, courseTable } from "./flat.ts"
import type { OnCluster } from "./onCluster.ts"
import { makeSampler, type Sample } from "./sample.ts"
import { makeSite } from "./site.ts"
import { faultsOf, faultTable, type Judged, lineOf } from "./verdict.ts"

const ROUND_MILLIS = 300_000
const SAMPLE_SECONDS = 15

export const runSoak = Effect.fn("runSoak")(function* (options: OnCluster, say: (line: string) => void, json: boolean) {
  const { pace, size } = options
  const { cluster, watch } = yield* makeSite({ ...options, patienceMillis: pace.patienceMillis }, say)
  const sampler = yield* makeSampler(cluster)
  const samples: Array<Sample> = []
  const sampling = yield* Effect.forkChild(
    sampler.pipe(
      Effect.tap((sample) => Effect.sync(() => samples.push(sample))),
      Effect.repeat(Schedule.spaced(`${SAMPLE_SECONDS} seconds`))
    )
  )
  const rounds: Array<Judged> = []
  const courses = Effect.sync(() => (samples.length === 0 ? [] : coursesOf(samples)))
  const printReport = Effect.flatMap(courses, (all) =>
    Console.log(json ? JSON.stringify({ rounds, courses: all }) : `${faultTable(rounds)}\n\n${courseTable(all)}`)
  )
  // Cut short, it tells what it has seen so far.
  yield* Effect.addFinalizer(() => printReport)
  const until = Date.now() + pace.durationMillis
  for (let remainingMillis = pace.durationMillis; remainingMillis > 0; remainingMillis = until - Date.now()) {
    const durationMillis = Math.min(ROUND_MILLIS, remainingMillis)
    const watched = yield* watch({ ...pace, durationMillis }, size, Effect.void)
    const wrong = faultsOf(watched, [])
    rounds.push({ name: `round ${rounds.length + 1}`, about: "undisturbed", watched, wrong })
    const memory = Object.entries(samples.at(-1)?.memory ?? {}).map(([name, mib]) => `${name} ${mib.toFixed(0)}`)
    say(`${lineOf(watched)}; MiB: ${memory.join(", ")}`)
    for (const fault of wrong) say(`  WRONG ${fault}`)
  }
  yield* Fiber.interrupt(sampling)
  const grown = (yield* courses).filter(({ flat }) => !flat)
  const wrong = rounds.filter((one) => one.wrong.length > 0).length + grown.length
  if (wrong > 0) return yield* new MachineFailed({ message: `${wrong} figures are not as they have to be` })
}, Effect.scoped)

// Measures the throughput of eight processes against one, each held to a tenth of a processor, while Postgres, Temporal and the load have
// the rest (docs/scaling.md, "Processes add up"). The processes start and warm up without a bound, and are held while they are measured.
// The one is measured alone, and with seven that are held like it and do nothing useful, since processors that share caches and clocks do
// less each.
import { Clock, Effect, type Scope } from "effect"
import { freePort } from "../../bin/parts/os.js"
import type { Check, Reading } from "../support/Check.ts"
import { type Machine, type MachineFailed, root } from "../support/machine.ts"
import { ofProcess, processorOf, shareOf } from "../support/processor.ts"
import { busyBeside, holdEach } from "../support/processorHolds.ts"
import { BenchFailed } from "../support/Row.ts"
import { kindsOfWork, type Work, type WorkKind } from "../support/workToShare.ts"

const MANY = 8
const SHARE = 0.1
const AIM = 6.5
/** Processor time after which a process is warm: by then it runs what its compiler made of it. */
const WARM_SECONDS = 10
const WARM_ROUND_SECONDS = 3
const WARM_ROUNDS_AT_MOST = 40
const IDLE_SECONDS = 4
/** Held, before it counts: what it took upon itself while it was free is over by then, and it has learned how much it may take now. */
const SETTLE_SECONDS = 40

const processes = Effect.fnUntraced(function* (machine: Machine, role: string, count: number) {
  return yield* Effect.forEach(
    Array.from({ length: count }),
    Effect.fnUntraced(function* () {
      const port = yield* Effect.promise(() => freePort() as Promise<number>)
      const { pid } = yield* machine.startBeside(root, { env: { ROLE: role, PORT: String(port) }, port })
      return { pid, url: `http://127.0.0.1:${port}` }
    }),
    { concurrency: 2 }
  )
})

const shares = (each: ReadonlyArray<number>) => `${each.map((one) => (one * 100).toFixed(1)).join(", ")} %`

interface Given {
  readonly rate: number
  /** Processors in use, by all processes together. */
  readonly used: number
}

const givenBy = (
  work: Work,
  count: number,
  seconds: number,
  say: (line: string) => void,
  beside = 0
): Effect.Effect<Given, BenchFailed | MachineFailed> =>
  Effect.gen(function* () {
    const servingProcesses = yield* processes(work.machine, work.role, count)
    const pids = servingProcesses.map(({ pid }) => pid)
    const load = yield* work.on(servingProcesses.map(({ url }) => url))
    const idle = pids.map(ofProcess)
    yield* Effect.sleep(IDLE_SECONDS * 1000)
    const resting = pids.map((pid, i) => (ofProcess(pid) - idle[i]!) / IDLE_SECONDS)
    for (let round = 0; round < WARM_ROUNDS_AT_MOST && pids.some((pid) => ofProcess(pid) < WARM_SECONDS); round++)
      yield* load(WARM_ROUND_SECONDS)
    // Drains the backlog: work that the processes accepted while unbounded is more than they can do in time once they are held.
    yield* work.drained
    const measurement = yield* Effect.scoped(
      Effect.gen(function* () {
        yield* holdEach(pids, SHARE)
        yield* holdEach(yield* busyBeside(beside), SHARE)
        yield* load(SETTLE_SECONDS)
        const worked = () => pids.map(ofProcess)
        const [before, others, from] = [worked(), processorOf(work.machine), yield* Clock.currentTimeMillis]
        const rate = yield* load(seconds)
        const elapsedSeconds = ((yield* Clock.currentTimeMillis) - from) / 1000
        const each = worked().map((after, i) => (after - before[i]!) / elapsedSeconds)
        const { postgres, temporal } = shareOf(others, processorOf(work.machine), elapsedSeconds)
        say(
          `${count}${beside === 0 ? "" : `, beside ${beside}`}: ${rate.toFixed(1)} a second; of a processor: ${shares(each)} (at rest ${shares(resting)}), postgres ${postgres.toFixed(0)} %, temporal ${temporal.toFixed(0)} %`
        )
        return { rate, used: each.reduce((sum, one) => sum + one, 0) }
      })
    )
    yield* work.drained
    return measurement
  }).pipe(Effect.scoped)

const measured = (
  kind: WorkKind,
  seconds: number,
  say: (line: string) => void
): Effect.Effect<ReadonlyArray<Reading>, BenchFailed | MachineFailed, Scope.Scope> =>
  Effect.gen(function* () {
    say(`${kind}: one process, then ${MANY}`)
    const work = yield* kindsOfWork[kind]
    const singleOutput = yield* givenBy(work, 1, seconds, say)
    const busyOutput = yield* givenBy(work, 1, seconds, say, MANY - 1)
    const many = yield* givenBy(work, MANY, seconds, say)
    const { unit } = work
    return [
      { what: `${kind}: one process`, value: singleOutput.rate, unit },
      { what: `${kind}: ${MANY} processes`, value: many.rate, unit },
      { what: `${kind}: ${MANY} / one`, value: many.rate / singleOutput.rate, unit: "", atLeast: AIM },
      { what: `${kind}: one process, beside ${MANY - 1} busy ones`, value: busyOutput.rate, unit },
      { what: `${kind}: ${MANY} / one beside busy ones`, value: many.rate / busyOutput.rate, unit: "" },
      { what: `${kind}: used by the one`, value: singleOutput.used * 100, unit: "% of a processor" },
      { what: `${kind}: used by the ${MANY}`, value: many.used * 100, unit: "% of a processor" },
      {
        what: `${kind}: the same for equal processor time, times ${MANY}`,
        value: (MANY * (many.rate / many.used)) / (singleOutput.rate / singleOutput.used),
        unit: ""
      }
    ]
  })

export const workersAddUp: Check = {
  name: "workers-add-up",
  work: `what ${MANY} processes give beside one, each held to ${SHARE} of a processor`,
  seconds: 30,
  kinds: Object.keys(kindsOfWork),
  run: Effect.fnUntraced(function* (seconds, say, { kind }) {
    const selectedKinds = (Object.keys(kindsOfWork) as ReadonlyArray<WorkKind>).filter(
      (one) => kind === undefined || one === kind
    )
    if (selectedKinds.length === 0)
      return yield* new BenchFailed({ message: `${kind} is not a kind of workers-add-up` })
    const read = yield* Effect.forEach(selectedKinds, (one) => Effect.scoped(measured(one, seconds, say)))
    return read.flat()
  })
}

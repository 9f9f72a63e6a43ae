// npm run disturb [-- NAME]: kills the service, Postgres or Temporal at random moments under a load and checks what is left; on one
// machine with a process of each, or on a cluster.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Logger, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { faults } from "./cluster/faults.ts"
import { runFaults, runKills } from "./cluster/onCluster.ts"
import { runSoak } from "./cluster/soak.ts"
import { faultTable, type Judged } from "./cluster/verdict.ts"
import { names, runOnMachine } from "./onMachine.ts"

const CLUSTER = "cluster"
const SOAK = "soak"
const onCluster = [CLUSTER, SOAK, ...faults.map(({ name }) => `${CLUSTER}/${name}`)]

const integerFlag = (name: string, what: string) => Flag.Int(name).pipe(Flag.withDescription(what), Flag.optional)
const or = <A>(option: Option.Option<A>, fallback: A) => Option.getOrElse(option, () => fallback)

const config = {
  name: Argument.Literals("name", [...names, ...onCluster]).pipe(
    Argument.withDescription(
      "A load, or a load and the part that is killed (all of them without it); or a cluster: its faults, one of them, or soak"
    ),
    Argument.optional
  ),
  kills: integerFlag(
    "kills",
    "How often a part is killed (service 20, the others 2). Without a name: kills of any process of a cluster, under all loads"
  ),
  every: Flag.Int("every").pipe(
    Flag.withDescription("Milliseconds from kill to kill on a cluster, on average"),
    Flag.withDefault(2000)
  ),
  programs: Flag.String("programs").pipe(
    Flag.withDescription("Directory with temporal-server and temporal-sql-tool (else CLUSTER_PROGRAMS, PATH, Go)"),
    Flag.optional
  ),
  duration: integerFlag("duration", "Seconds that the load lasts (120; for each fault of a cluster 30; soak 3600)"),
  away: integerFlag("away", "Seconds that the part stays away after the last kill (30)"),
  workers: integerFlag("workers", "Workers side by side (8)"),
  rate: integerFlag("rate", "Steps of a worker and second, at most (10; on a cluster 2)"),
  seed: integerFlag("seed", "Seed of the moments; printed, so that a run can be repeated"),
  patience: integerFlag("patience", "Seconds without progress after which waiting ends (180)"),
  small: Flag.Boolean("small").pipe(
    Flag.withDescription("Runs of the sizes that the suite has time for, instead of the full ones"),
    Flag.withDefault(false)
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON for scripts"), Flag.withDefault(false))
}

const say = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)

const reportFaults = Effect.fnUntraced(function* (judged: ReadonlyArray<Judged>, json: boolean, seed?: number) {
  yield* Console.log(json ? JSON.stringify(judged, undefined, 2) : faultTable(judged))
  const wrong = judged.filter((one) => one.wrong.length > 0)
  if (wrong.length > 0)
    return yield* Effect.fail(
      new Error(
        `${wrong.length} of ${judged.length} are not as they have to be${seed === undefined ? "" : `; seed ${seed}`}`
      )
    )
})

const command = Command.make("disturb", config, (options) =>
  Effect.gen(function* () {
    const loadName = or(options.name, "")
    const kills = Option.getOrUndefined(options.kills)
    const seed = or(options.seed, Math.floor(Math.random() * 1_000_000))
    const clustered = onCluster.includes(loadName) || (loadName === "" && kills !== undefined)
    const pace = {
      durationMillis: or(options.duration, loadName === SOAK ? 3600 : clustered ? 30 : 120) * 1000,
      workers: or(options.workers, 8),
      leastSteps: 1,
      rate: or(options.rate, clustered ? 2 : 10),
      patienceMillis: or(options.patience, 180) * 1000
    }
    const size = options.small || clustered ? "small" : "full"
    const clusterSettings = { programs: Option.getOrUndefined(options.programs), pace, size } as const
    if (loadName === SOAK) return yield* runSoak(clusterSettings, say, options.json)
    if (clustered && loadName === "") {
      say(`${kills} kills, one every ${options.every / 1000} s, seed ${seed}`)
      return yield* reportFaults(
        yield* runKills({ ...clusterSettings, kills: kills!, everyMillis: options.every, seed }, say),
        options.json,
        seed
      )
    }
    if (clustered) {
      const only = faults.map(({ name }) => name).filter((name) => loadName === `${CLUSTER}/${name}`)
      return yield* reportFaults(yield* runFaults({ ...clusterSettings, only }, say), options.json)
    }
    const settings = { ...pace, seed, kills, awayMillis: or(options.away, 30) * 1000, size } as const
    return yield* runOnMachine(loadName, settings, options.json)
  })
).pipe(Command.withDescription("Kill parts of a working service at random moments and check the end state"))

Command.run(command, { version: "0.2.0" }).pipe(
  Effect.catch((error) =>
    Effect.andThen(
      Console.error(`disturb: ${(error as { message?: string }).message ?? String(error)}`),
      Effect.sync(() => {
        process.exitCode = 1
      })
    )
  ),
  Effect.provide(NodeServices.layer),
  Effect.provide(Logger.layer([])),
  NodeRuntime.runMain
)

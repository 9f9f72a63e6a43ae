// npm run disturb [-- NAME]: kills the service, Postgres or Temporal at random moments under a load and checks what is left.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Logger, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type Disturbance, disturb } from "./disturb.ts"
import { all, single } from "./loads/all.ts"

const loads = [...single, all]
const parts = ["service", "postgres", "temporal", "release"] as const satisfies ReadonlyArray<Disturbance["part"]>
/** In full: twenty kills of the service, one restart and one absence of the other parts. */
const defaultKills: Readonly<Record<Disturbance["part"], number>> = {
  service: 20,
  postgres: 2,
  temporal: 2,
  // This release beside the one before, forward, back, forward.
  release: 4
}
/** All loads at once while two releases take turns; asked for by name, since it needs the history of the clone. */
const UPGRADE = "upgrade"
const names = [UPGRADE, ...loads.flatMap((load) => [load.name, ...parts.map((part) => `${load.name}/${part}`)])]

const isWanted = (wanted: string, load: (typeof loads)[number], part: Disturbance["part"]) => {
  if (wanted === UPGRADE) return load === all && part === "release"
  if (wanted === `${load.name}/${part}`) return true
  return part !== "release" && (wanted === load.name || (wanted === "" && load !== all))
}

const whole = (name: string, what: string, fallback: number) =>
  Flag.Int(name).pipe(Flag.withDescription(what), Flag.withDefault(fallback))

const config = {
  name: Argument.Literals("name", names).pipe(
    Argument.withDescription("A load, or a load and the part that is killed; all of them without it"),
    Argument.optional
  ),
  kills: Flag.Int("kills").pipe(
    Flag.withDescription("How often a part is killed (service 20, the others 2)"),
    Flag.optional
  ),
  duration: whole("duration", "Seconds that the load lasts", 120),
  away: whole("away", "Seconds that the part stays away after the last kill", 30),
  workers: whole("workers", "Workers side by side", 8),
  rate: whole("rate", "Steps of a worker and second, at most", 10),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("Seed of the moments; printed, so that a run can be repeated"),
    Flag.optional
  ),
  patience: whole("patience", "Seconds without progress after which waiting ends", 180),
  small: Flag.Boolean("small").pipe(
    Flag.withDescription("Runs of the sizes that the suite has time for, instead of the full ones"),
    Flag.withDefault(false)
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON for scripts"), Flag.withDefault(false))
}

const command = Command.make("disturb", config, (options) =>
  Effect.gen(function* () {
    const wanted = Option.getOrElse(options.name, () => "")
    const seed = Option.getOrElse(options.seed, () => Math.floor(Math.random() * 1_000_000))
    const chosen = loads.flatMap((load) =>
      parts.filter((part) => isWanted(wanted, load, part)).map((part) => ({ load, part }))
    )
    const results: Array<object> = []
    let differing = 0
    for (const { load, part } of chosen) {
      const disturbance: Disturbance = {
        load,
        part,
        seed,
        kills: Option.getOrElse(options.kills, () => defaultKills[part]),
        durationMillis: options.duration * 1000,
        awayMillis: options.away * 1000,
        workers: options.workers,
        leastSteps: 1,
        rate: options.rate,
        patienceMillis: options.patience * 1000,
        size: options.small ? "small" : "full"
      }
      const say = (line: string) => process.stderr.write(`  ${line}\n`)
      process.stderr.write(`${load.name}/${part} (${load.about}), seed ${seed}\n`)
      const outcome = yield* disturb(disturbance, say)
      if (outcome.differences.length > 0) differing++
      results.push({ name: `${load.name}/${part}`, seed, ...outcome })
      const counts = Object.entries(outcome.counts).map(([what, n]) => `${n} ${what}`)
      const verdict =
        outcome.differences.length === 0 ? "as undisturbed" : `DIFFERS\n    ${outcome.differences.join("\n    ")}`
      if (!options.json)
        yield* Console.log(`${load.name}/${part}: ${outcome.moments.length} kills, ${counts.join(", ")}: ${verdict}`)
    }
    if (options.json) yield* Console.log(JSON.stringify(results, undefined, 2))
    if (differing > 0)
      return yield* Effect.fail(new Error(`${differing} of ${chosen.length} end states differ; seed ${seed}`))
  })
).pipe(Command.withDescription("Kill parts of a working service at random moments and check the end state"))

Command.run(command, { version: "0.1.0" }).pipe(
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

// Loads on a machine of their own with one process of everything: each with each part that is killed under it.
import { Console, Effect } from "effect"
import { type Disturbance, disturb } from "./disturb.ts"
import { all, isFresh, lasting, single } from "./loads/all.ts"

const loads = [...single, all]
const parts = ["service", "postgres", "temporal", "release"] as const satisfies ReadonlyArray<Disturbance["part"]>
/** Kills of a full disturbance: twenty of the service, one restart and one absence of the other parts. */
const defaultKills: Readonly<Record<Disturbance["part"], number>> = {
  service: 20,
  postgres: 2,
  temporal: 2,
  // Both releases run side by side, then serve in turn: forward, back, forward.
  release: 4
}
/** All loads at once while two releases take turns; asked for by name, since it needs the history of the clone. */
const UPGRADE = "upgrade"
const partsOf = (load: (typeof loads)[number]) => parts.filter((part) => part !== "release" || !isFresh(load))
export const names = [
  UPGRADE,
  ...loads.flatMap((load) => [load.name, ...partsOf(load).map((part) => `${load.name}/${part}`)])
]

const isWanted = (wanted: string, load: (typeof loads)[number], part: Disturbance["part"]) => {
  if (wanted === UPGRADE) return load === all && part === "release"
  if (wanted === `${load.name}/${part}`) return true
  return part !== "release" && (wanted === load.name || (wanted === "" && load !== all))
}

type Settings = Omit<Disturbance, "load" | "part" | "kills"> & { readonly kills: number | undefined }

export const runOnMachine = Effect.fnUntraced(function* (wanted: string, settings: Settings, json: boolean) {
  const selectedParts = loads.flatMap((load) =>
    partsOf(load)
      .filter((part) => isWanted(wanted, load, part))
      .map((part) => ({ load: part === "release" && load === all ? lasting : load, part }))
  )
  const { seed } = settings
  const results: Array<object> = []
  let differing = 0
  for (const { load, part } of selectedParts) {
    const say = (line: string) => process.stderr.write(`  ${line}\n`)
    process.stderr.write(`${load.name}/${part} (${load.about}), seed ${seed}\n`)
    const outcome = yield* disturb({ ...settings, load, part, kills: settings.kills ?? defaultKills[part] }, say)
    if (outcome.differences.length > 0) differing++
    results.push({ name: `${load.name}/${part}`, seed, ...outcome })
    const counts = Object.entries(outcome.counts).map(([what, n]) => `${n} ${what}`)
    const summary =
      outcome.differences.length === 0 ? "as undisturbed" : `DIFFERS\n    ${outcome.differences.join("\n    ")}`
    if (!json)
      yield* Console.log(`${load.name}/${part}: ${outcome.moments.length} kills, ${counts.join(", ")}: ${summary}`)
  }
  if (json) yield* Console.log(JSON.stringify(results, undefined, 2))
  if (differing > 0)
    return yield* Effect.fail(new Error(`${differing} of ${selectedParts.length} end states differ; seed ${seed}`))
})

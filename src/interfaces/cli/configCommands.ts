// Operator commands for the configuration (decisions P2, P15). They need no database, and show settings that are wrong too.
import { Effect } from "effect"
import { Command } from "effect/cli"
import { LAUNCHER } from "../../../bin/parts/environment.js"
import { effectiveSettings, type InForce } from "../../platform/config/effectiveSettings.ts"
import { type ProcessSettings, toldSettings } from "../../platform/config/sharedSettings.ts"
import { failWith, json, print } from "./output.ts"

export interface ShownSetting extends InForce {
  /** Process that has this value; given only where processes of the service differ. */
  readonly process?: string
  /** Value that is set now, if it differs; it takes effect at the next start. */
  readonly next?: string | null
}

const isSame = (a: InForce, b: InForce) => a.value === b.value && a.from === b.from

/** Settings that the processes have in force, once each where all agree, with the value that is set now. */
export const shownOf = (
  told: ReadonlyArray<ProcessSettings>,
  now: ReadonlyArray<InForce>
): ReadonlyArray<ShownSetting> => {
  const nextBySetting = new Map(now.map((row) => [row.setting, row]))
  const names = [...new Set(told.flatMap(({ settings }) => settings.map(({ setting }) => setting)))]
  return names.flatMap((name) => {
    const rows = told.flatMap(({ process, settings }) =>
      settings.flatMap((r) => (r.setting === name ? [{ ...r, process }] : []))
    )
    const [first] = rows
    const differ = rows.some((row) => first !== undefined && !isSame(row, first))
    const next = nextBySetting.get(name)
    return (differ ? rows : rows.slice(0, 1)).map(
      ({ process, ...row }): ShownSetting => ({
        ...row,
        ...(differ ? { process } : {}),
        // A setting of the launcher has no next value: the launcher sets it again at each start.
        ...(next === undefined || next.value === row.value || row.from === LAUNCHER ? {} : { next: next.value })
      })
    )
  })
}

/** Rows for a person: an empty cell would say that a setting which was cleared stays as it is. */
export const rowsOf = (settings: ReadonlyArray<ShownSetting>): ReadonlyArray<ShownSetting> =>
  settings.map((row) => (row.next === null ? { ...row, next: "not set" } : row))

const printCommand = Command.make("print", { json }, ({ json }) =>
  Effect.gen(function* () {
    const { settings, problems } = yield* effectiveSettings
    const processSettings = yield* toldSettings(
      settings.find(({ setting }) => setting === "DATA_DIR")?.value ?? ".data"
    )
    const rows = processSettings.length === 0 ? settings : shownOf(processSettings, settings)
    yield* print(json, json ? rows : rowsOf(rows))
    if (problems.length > 0) return yield* failWith({ message: problems.join("\n") })
  })
).pipe(
  Command.withDescription(
    "Each setting as the running service has it in force, else as a start would have it, and where it came from; what is secret is hidden"
  )
)

/** Run without the services of the other commands, which would not start with a mistake. */
export const configCommand = Command.make("config").pipe(
  Command.withDescription("The settings: environment, .env, files, defaults"),
  Command.withSubcommands([printCommand])
)

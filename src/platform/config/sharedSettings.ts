// Shares the settings in force of the running service with `config print` (decisions P15). Each process writes its own to the data
// directory, secrets hidden; readers ignore the files of processes that have ended.
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { identify, isAlive, readJson, writeWhole } from "../../../bin/parts/os.js"
import { AppConfig } from "./Config.ts"
import { effectiveSettings, type InForce } from "./effectiveSettings.ts"

export interface ProcessSettings {
  /** Name of the process, such as `worker 2`. */
  readonly process: string
  readonly settings: ReadonlyArray<InForce>
}

const FILE = /^settings-.*\.json$/

/**
 * Writes the settings of this process. A process that cannot write them works all the same: `config print` then shows the environment's.
 */
export const tellSettings = Effect.gen(function* () {
  const { dataDir, processNumber, role } = yield* AppConfig
  const { settings } = yield* effectiveSettings
  const run = join(dataDir, "run")
  const processSettings = { identity: identify(process.pid), process: `${role} ${processNumber}`, settings }
  yield* Effect.try(() => {
    mkdirSync(run, { recursive: true, mode: 0o700 })
    writeWhole(join(run, `settings-${role}-${processNumber}.json`), JSON.stringify(processSettings))
  })
}).pipe(Effect.catchCause((cause) => Effect.logWarning("the settings in force could not be written down", cause)))

/** Settings of the processes that run on the data directory now. */
export const toldSettings = (dataDir: string) =>
  Effect.sync((): ReadonlyArray<ProcessSettings> => {
    const run = join(dataDir, "run")
    const files = Effect.runSync(
      Effect.orElseSucceed(
        Effect.try(() => readdirSync(run).sort()),
        () => []
      )
    )
    return files.flatMap((file) => {
      const processSettings = FILE.test(file) ? readJson(join(run, file)) : undefined
      return processSettings !== undefined && isAlive(processSettings.identity)
        ? [{ process: processSettings.process, settings: processSettings.settings }]
        : []
    })
  })

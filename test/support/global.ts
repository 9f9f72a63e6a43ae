// Vitest's global setup: one real Postgres and one real Temporal for the whole run, on free ports in a temporary
// directory, so that a run goes on beside a running service and beside other runs. What a killed run left is removed.
// Postgres starts when the first test asks for it (databaseServer.ts): a file that needs none does not wait for it.
import { existsSync, type FSWatcher, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, watch } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Option, Redacted } from "effect"
import type { TestProject } from "vitest/node"
import { findTemporal } from "../../bin/parts/findTemporal.js"
import { freePort, identify, isAlive, readJson, stopRecorded, writeWhole } from "../../bin/parts/os.js"
import { startPostgres, superuserUrl } from "../../bin/parts/postgres.js"
import { programsFolder } from "../../bin/parts/programs.js"
import { startTemporal } from "../../bin/parts/temporal.js"
import { findChromium } from "../../src/platform/pdf/browser.ts"
import { prepareEmbedded } from "../../src/platform/sql/prepareDatabase.ts"
import { asService, createDatabase, TEMPLATE, urlOf } from "./database.ts"
import { type ServerState, STATE, WANTED } from "./databaseServer.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Of the administrative database, as the superuser; tests take one of their own by test/support/database.ts. */
    readonly databaseUrl: string
    /** Where a test says that it wants the server, and reads whether it is there. */
    readonly databaseFolder: string
    /** Host and port of the Temporal server. */
    readonly temporalAddress: string
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url))
const PREFIX = "millrace-test-"
/** Of the superuser. */
const PASSWORD = "test"

/** Every file's database is a copy of some 800 files, which are ten times cheaper to make in memory than on a disk. */
const MEMORY = "/dev/shm"
/** They take up to a quarter of it: databases of a few files at a time, 12 MB each, and a gigabyte of log. */
const ENOUGH_BYTES = 4 * 2 ** 30
const folders = existsSync(MEMORY) ? [tmpdir(), MEMORY] : [tmpdir()]
const freeBytesOf = (folder: string) => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
/** Linux makes it a file system in memory, as a rule of half of the machine's; a container's may be tiny. */
const folder = existsSync(MEMORY) && freeBytesOf(MEMORY) >= ENOUGH_BYTES ? MEMORY : tmpdir()

/** At once: what they hold is thrown away. */
const stopTemporal = [["SIGKILL", 3000]] as const
const stopPostgres = [
  ["SIGQUIT", 1000],
  ["SIGKILL", 2000]
] as const

const stopAll = async (dir: string) => {
  await Promise.all([
    stopRecorded(join(dir, "temporal.pid"), stopTemporal),
    stopRecorded(join(dir, "postgres.pid"), stopPostgres)
  ])
  rmSync(dir, { recursive: true, force: true })
}

const removeLeftovers = async () => {
  for (const parent of folders)
    for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
      const owner = readJson(join(parent, name, "owner.pid"))
      if (owner !== undefined && !isAlive(owner)) await stopAll(join(parent, name))
    }
}

/** Ends what a run has started that ends without its teardown, and removes its folder: it is up to a gigabyte of memory. */
const killRecorded = (dir: string) => {
  for (const [file, signal] of [
    ["temporal.pid", "SIGKILL"],
    ["postgres.pid", "SIGQUIT"]
  ] as const) {
    const identity = readJson(join(dir, file))
    if (identity !== undefined && isAlive(identity)) process.kill(identity.pid, signal)
  }
  // Postgres writes into it for a moment yet.
  rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

export default async function setup(project: TestProject) {
  await removeLeftovers()
  const dir = mkdtempSync(join(folder, PREFIX))
  writeWhole(join(dir, "owner.pid"), JSON.stringify(identify(process.pid)))
  mkdirSync(join(dir, "logs"))
  const onExit = () => killRecorded(dir)
  const onSignal = () => process.exit(143)
  process.once("exit", onExit)
  process.once("SIGTERM", onSignal)
  process.once("SIGHUP", onSignal)

  const say = (message: string) => console.log(message)
  const port = await freePort()
  const databaseFolder = join(dir, "server")
  mkdirSync(databaseFolder)
  project.provide("databaseUrl", superuserUrl(port, PASSWORD))
  project.provide("databaseFolder", databaseFolder)
  const postgres = async () => {
    const { url } = await startPostgres({
      root,
      dir: join(dir, "postgres"),
      port,
      password: PASSWORD,
      log: join(dir, "logs", "postgres.log"),
      pidFile: join(dir, "postgres.pid"),
      durable: false,
      settings: { max_connections: 400 }
    })
    await Effect.runPromise(createDatabase(url, TEMPLATE))
    const template = urlOf(url, TEMPLATE)
    await Effect.runPromise(prepareEmbedded(Redacted.make(template), Redacted.make(asService(template))))
  }
  const writeState = (state: ServerState) => writeWhole(join(databaseFolder, STATE), JSON.stringify(state))
  /** Undefined until a test has asked for it. */
  let database: Promise<void> | undefined
  const begin = () => {
    if (database !== undefined || !existsSync(join(databaseFolder, WANTED))) return
    database = postgres().then(
      () => writeState({ ready: true }),
      (error) => writeState({ ready: false, why: String(error) })
    )
  }
  const temporal = async () => {
    const { address } = await startTemporal({
      program: await findTemporal(say),
      port: await freePort(),
      log: join(dir, "logs", "temporal.log"),
      pidFile: join(dir, "temporal.pid")
    })
    project.provide("temporalAddress", address)
  }
  let watcher: FSWatcher | undefined
  const end = async () => {
    watcher?.close()
    await database
    await stopAll(dir)
  }
  try {
    watcher = watch(databaseFolder, begin)
    // Unpacked before the first test that prints, which would wait for it.
    const chromium = findChromium(Option.fromUndefinedOr(process.env["CHROMIUM_PATH"]))
    const programs = programsFolder(process.execPath).then((folder) => project.provide("programs", folder))
    await Promise.all([temporal(), chromium, programs])
  } catch (error) {
    await end()
    throw error
  }
  return async () => {
    await end()
    process.off("exit", onExit)
    process.off("SIGTERM", onSignal)
    process.off("SIGHUP", onSignal)
  }
}

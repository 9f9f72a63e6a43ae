// npm start: starts Postgres and Temporal concurrently, then the service, keeps them running, stops service, Temporal and Postgres one
// after another.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { consoleFolder } from "./console.js"
import { prepareDatabase, SERVICE_ROLE, urlAs } from "./database.js"
import { makeDemo } from "./demo-seed.js"
import {
  commandLine,
  dataDirOf,
  demoReceiver,
  envFileProblems,
  environmentWithSources,
  makeDataDir,
  mayDemo,
  ownTemporal,
  postgresPassword,
  readState,
  root,
  secretKey,
  servicePassword,
  sourcesOf,
  writeState
} from "./environment.js"
import { findTemporal, versionsOf } from "./findTemporal.js"
import { alert, forMachines, say, warn } from "./lines.js"
import { takeLock } from "./lock.js"
import { installPackages, pickNode } from "./node.js"
import { freePort, identify, isTaken, stopRecorded, writeWhole } from "./os.js"
import { askParts } from "./partsAsked.js"
import { startPostgres, STOP_SIGNALS as stopPostgres } from "./postgres.js"
import { processesOf, processPlaces } from "./processes.js"
import { putTogether } from "./programs.js"
import { ALERT, recordRestart } from "./restarts.js"
import { baseUrlOf, endGroup, startService, stopSignals } from "./service.js"
import { SettingsInvalid } from "./settings.js"
import { checkSettings } from "./settingValues.js"
import { Supervisor } from "./supervisor.js"
import { startTemporal, STOP_SIGNALS as stopTemporal, uiAddressOf } from "./temporal.js"
import { fitDatabase } from "./temporalStore.js"
import { restartMillis, Watch } from "./watch.js"

/** Size of a log (bytes) beyond which it is renamed at a start, replacing the one renamed before. */
const LOG_LIMIT = 20_000_000

/** Most Postgres connections of one process of the service, with its default pools. */
const CONNECTIONS = 40

export class AlreadyRunning extends Error {}

/**
 * Next command for the person who has just started it: the last line of the output.
 * @param {Record<string, string>} env @param {boolean} demo
 */
const nextStep = (env, demo) =>
  demo && env["ROLE"] !== "worker"
    ? `${commandLine("demo")} (a public data set through the API, with webhooks and an automation on)`
    : `${commandLine("cli", "--help")} (organizations, people, clients)`

export class Launcher {
  /** @type {Supervisor[]} in the order of their starts */
  #parts = []
  /** @type {Supervisor[]} processes of the service */
  #services = []
  #locked = false
  #demo = false
  /** @type {ReturnType<typeof makeDemo> | undefined} */
  #demoMade
  #stopped = false
  /** @type {Promise<void> | undefined} */
  #ended
  #stopping = new AbortController()
  /** @type {import("./watch.js").Watched[]} embedded parts */
  #watched = []
  /** @type {Watch | undefined} */
  #watch

  constructor() {
    const problems = envFileProblems()
    if (problems.length > 0) throw new SettingsInvalid(problems)
    this.env = environmentWithSources({})
    this.dataDir = dataDirOf(this.env)
    this.processes = processesOf(this.env)
    restartMillis(this.env)
    this.main = this.env["MILLRACE_MAIN"] ?? "src/main.ts"
  }

  /** @param {string} name */
  #pidFile(name) {
    return join(this.dataDir, "run", `${name}.json`)
  }

  /** @param {string} name */
  #log(name) {
    const file = join(this.dataDir, "logs", `${name}.log`)
    if (existsSync(file) && statSync(file).size > LOG_LIMIT) renameSync(file, `${file}.1`)
    return file
  }

  #goOn() {
    if (this.#stopped) throw new Error("stopped")
  }

  /** Resolves when everything works and has been announced. */
  async start() {
    makeDataDir(this.dataDir)
    this.#lock()
    const node = await pickNode()
    this.#goOn()
    await installPackages(node)
    this.#goOn()
    await checkSettings({ node, env: this.env, signal: this.#stopping.signal })
    this.#goOn()
    // Builds both while the others start. The service works without the console, and says so on its page.
    putTogether(node)
    const consoleBuilt = consoleFolder(node).catch((error) => warn(`the console cannot be built: ${error.message}`))
    await this.#stopLeftovers()
    await this.#portFree()
    const lastPorts = readState(this.dataDir).ports ?? {}
    this.env["DATA_DIR"] = this.dataDir
    this.env["SECRET_KEY"] ??= secretKey(this.dataDir)
    this.#demo = mayDemo(this.env)
    const usesOwnTemporal = ownTemporal(this.env)
    Object.assign(this.env, demoReceiver(this.env))
    // Postgres is called first, so that it is the last to be stopped.
    const startedPorts = await Promise.all([
      this.#startDatabase(node, lastPorts["postgres"]),
      usesOwnTemporal ? {} : this.#startTemporal(lastPorts["temporal"], lastPorts["temporalUi"])
    ])
    this.#goOn()
    const ports = Object.assign(lastPorts, ...startedPorts)
    const names = [
      "DATABASE_URL",
      "SECRET_KEY",
      ...("DEMO_RECEIVER" in this.env ? ["DEMO_RECEIVER"] : []),
      ...Object.keys(this.env).filter((name) => name.startsWith("TEMPORAL_"))
    ]
    const shared = Object.fromEntries(names.map((name) => [name, this.env[name] ?? ""]))
    writeState(this.dataDir, { ports, baseUrl: baseUrlOf(this.env), env: shared })
    this.#watchParts(node)
    if (this.#demo) this.#demoMade = makeDemo({ node, env: this.env, dataDir: this.dataDir })
    await this.#startService(node)
    await consoleBuilt
    this.#goOn()
    /** @type {import("./demo-seed.js").Made} */
    const { fault, lines, there } = (await this.#demoMade) ?? { lines: [] }
    if (fault !== undefined) warn(fault)
    this.#goOn()
    this.#announce(lines)
    if (there) writeState(this.dataDir, { seeded: true })
  }

  #lock() {
    const holder = takeLock(this.#pidFile("launcher"))
    if (holder !== undefined) {
      const { baseUrl = "on its way up" } = readState(this.dataDir)
      throw new AlreadyRunning(`Millrace runs already on ${this.dataDir} (pid ${holder.pid}, ${baseUrl}).`)
    }
    this.#locked = true
    writeState(this.dataDir, { launcher: identify(process.pid) })
  }

  /** Stops processes that outlived a killed launcher, service first, so that no old service works next to the new parts. */
  async #stopLeftovers() {
    const services = readdirSync(join(this.dataDir, "run")).filter((file) => /^service(-\d+)?\.json$/.test(file))
    /** @type {(readonly [string, import("./os.js").Signals])[]} */
    const leftovers = [
      ...services.map((file) => /** @type {const} */ ([basename(file, ".json"), stopSignals(this.env)])),
      ["temporal", stopTemporal],
      ["postgres", stopPostgres]
    ]
    for (const [name, signals] of leftovers) {
      const pid = await stopRecorded(this.#pidFile(name), signals)
      if (pid !== undefined) say(`stopped a ${name} process left over from an earlier start (pid ${pid})`)
    }
  }

  /** Fails if the port is taken, before anything is started: another program's responses there would be taken for the service's own. */
  async #portFree() {
    const { HOST: host = "127.0.0.1", PORT: port = "8080" } = this.env
    // Skips a port that is not valid: the service itself refuses it by name.
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535 || !(await isTaken(Number(port), host))) return
    throw new Error(`Another program listens on port ${port} of ${host}. Stop it, or set PORT to a port that is free.`)
  }

  /** @param {Supervisor} part */
  async #add(part) {
    this.#parts.push(part)
    await part.start()
  }

  /**
   * Starts with the ports of the last start if they are free, else with others: another program may take one between the check and the
   * start. After a successful start the ports stay, because the service knows them.
   * @template {{ child: import("node:child_process").ChildProcess }} T
   * @param {string} name @param {string} pidFile @param {import("./os.js").Signals} signals
   * @param {(number | undefined)[]} wanted @param {(ports: number[]) => Promise<T>} start
   * @returns {Promise<{ ports: number[], started: T }>}
   */
  async #startOnPorts(name, pidFile, signals, wanted, start) {
    /** @type {{ ports: number[], started: T } | undefined} */
    let lastStart
    const attempt = async () => {
      for (let attemptsLeft = 3; ; attemptsLeft--) {
        const ports =
          lastStart?.ports ?? (await Promise.all(wanted.map((port) => freePort(attemptsLeft === 3 ? port : 0))))
        try {
          lastStart = { ports, started: await start(ports) }
          return lastStart.started.child
        } catch (error) {
          if (lastStart !== undefined || attemptsLeft === 1 || this.#stopped) throw error
        }
      }
    }
    const part = name.toLowerCase()
    const supervisor = new Supervisor({
      name,
      pidFile,
      signals,
      start: attempt,
      onRestart: () => this.#count(name, part)
    })
    await this.#add(supervisor)
    this.#watched.push({ part, restart: (why) => supervisor.restart(why) })
    if (lastStart === undefined) throw new Error("stopped")
    return lastStart
  }

  /** Counts a restart, and alerts the operator if there have been too many (decisions P12). @param {string} name @param {string} part */
  #count(name, part) {
    try {
      const times = recordRestart(this.dataDir, part, Date.now())
      if (times < ALERT.restarts) return
      alert(
        `${name} has been restarted ${times} times within ten minutes. Read ${join(this.dataDir, "logs", `${part}.log`)}; \`${commandLine("cli", "doctor")}\` looks at everything.`
      )
    } catch (error) {
      warn(`the restart of ${name} cannot be written down: ${/** @type {Error} */ (error).message}`)
    }
  }

  /**
   * Restarts embedded parts that do not work, as the service reports, or as our own check finds if the service says nothing.
   * @param {string} node
   */
  #watchParts(node) {
    const limitMillis = restartMillis(this.env)
    if (this.#watched.length === 0 || limitMillis === 0) return
    const { signal } = this.#stopping
    const ask = () => askParts({ node, env: this.env, signal })
    const watch = new Watch({ parts: this.#watched, limitMillis, now: () => performance.now(), ask })
    this.#watch = watch
    const looking = async () => {
      while (!signal.aborted) {
        await delay(watch.every, undefined, { signal }).catch(() => undefined)
        if (!signal.aborted) await watch.look()
      }
    }
    looking().catch((error) => warn(`the parts are not watched any more: ${error.message}`))
  }

  /**
   * Starts the embedded database, or uses the configured one, and prepares it for the service.
   * @param {string} node @param {number} [lastPort]
   */
  async #startDatabase(node, lastPort) {
    const ports = this.env["DATABASE_URL"] === undefined ? { postgres: await this.#startPostgres(lastPort) } : {}
    this.#goOn()
    await this.#prepareDatabase(node)
    return ports
  }

  /** @param {number} [lastPort] */
  async #startPostgres(lastPort) {
    say("starting Postgres")
    const pidFile = this.#pidFile("postgres")
    const password = postgresPassword(this.dataDir)
    const dir = join(this.dataDir, "postgres")
    const settings = { max_connections: Math.max(200, CONNECTIONS * this.processes) }
    const options = { root, dir, password, log: this.#log("postgres"), pidFile, say, settings }
    const { ports, started } = await this.#startOnPorts("Postgres", pidFile, stopPostgres, [lastPort], ([port = 0]) =>
      startPostgres({ ...options, port })
    )
    this.env["DATABASE_SUPERUSER_URL"] = started.url
    this.env["DATABASE_URL"] = urlAs(started.url, SERVICE_ROLE, servicePassword(this.dataDir))
    return ports[0] ?? 0
  }

  /**
   * Prepares roles and schema, if there is more than one role; with one role for everything the service migrates itself.
   * @param {string} node
   */
  async #prepareDatabase(node) {
    if ("DATABASE_OWNER_URL" in this.env || "DATABASE_SUPERUSER_URL" in this.env) {
      await prepareDatabase({ node, env: this.env, signal: this.#stopping.signal })
    }
    // Removed before the service starts; Temporal's addresses are added concurrently.
    delete this.env["DATABASE_OWNER_URL"]
    delete this.env["DATABASE_SUPERUSER_URL"]
  }

  /** @param {number} [lastPort] @param {number} [lastUiPort] */
  async #startTemporal(lastPort = 7233, lastUiPort = 8233) {
    const program = await findTemporal(say)
    this.#goOn()
    say("starting Temporal")
    const pidFile = this.#pidFile("temporal")
    const database = join(this.dataDir, "temporal", "temporal.db")
    fitDatabase(database, versionsOf(program)?.server ?? "unknown", say)
    const options = { program, database, behind: true, log: this.#log("temporal"), pidFile }
    const wantedPorts = [lastPort, lastUiPort]
    const { ports, started } = await this.#startOnPorts(
      "Temporal",
      pidFile,
      stopTemporal,
      wantedPorts,
      ([port = 0, uiPort]) => startTemporal({ ...options, port, ...(uiPort === undefined ? {} : { uiPort }) })
    )
    this.env["TEMPORAL_ADDRESS"] = started.address
    // Uses a file of our own: a profile of the person who starts us, for some other server, must not add its certificates to this one.
    this.env["TEMPORAL_CONFIG_FILE"] = join(this.dataDir, "temporal", "client.toml")
    writeWhole(this.env["TEMPORAL_CONFIG_FILE"], "[profile.default]\n")
    this.env["TEMPORAL_UI_URL"] ??= started.ui ?? ""
    return { temporal: ports[0] ?? 0, temporalUi: ports[1] ?? 0 }
  }

  /** Starts the processes of the service, the first alone: it migrates, and the others find that done. @param {string} node */
  async #startService(node) {
    say(this.processes === 1 ? "starting the service" : `starting the service: ${this.processes} processes`)
    const signals = stopSignals(this.env)
    const processConfigs = await processPlaces(this.processes)
    const parts = processConfigs.map(({ env, file, name, port }) => {
      const pidFile = this.#pidFile(file)
      const onParts = (/** @type {Record<string, import("./watch.js").Verdict>} */ parts) =>
        this.#watch?.tell(file, parts)
      const serviceEnv = { ...this.env, ...sourcesOf(this.env), ...env }
      const start = () => startService({ node, main: this.main, env: serviceEnv, pidFile, port, onParts })
      return new Supervisor({ name, pidFile, signals, start, onEnd: endGroup })
    })
    const [first, ...others] = parts
    this.#services.push(...parts)
    await first?.start()
    this.#goOn()
    await Promise.all(others.map((part) => part.start()))
  }

  /** @param {string[]} demo */
  #announce(demo) {
    const base = baseUrlOf(this.env)
    const ui = uiAddressOf(this.env)
    const next = nextStep(this.env, this.#demo)
    const demoSaid = demo.map((line) => line.trim()).filter((line) => line !== "")
    if (forMachines()) {
      const more = {
        base_url: base,
        console: `${base}/console`,
        docs: `${base}/docs`,
        temporal_ui: ui,
        data: this.dataDir,
        demo: demoSaid[0],
        next
      }
      return say("Millrace is ready.", more)
    }
    const lines = [
      "",
      "Millrace is ready.",
      `  Base URL     ${base}`,
      `  Console      ${base}/console`,
      `  API docs     ${base}/docs`,
      `  Temporal UI  ${ui ?? "set TEMPORAL_UI_URL to show it here"}`,
      `  Data         ${this.dataDir}`,
      ...demo,
      "",
      `Ctrl-C stops it. Next, in another terminal: ${next}`
    ]
    console.log(lines.join("\n"))
  }

  /** Stops everything in reverse order, and releases the lock. A second call waits for the same end. */
  stop() {
    this.#ended ??= this.#end()
    return this.#ended
  }

  async #end() {
    this.#stopped = true
    this.#stopping.abort()
    /** @param {Supervisor} part */
    const end = (part) => part.stop().catch((error) => warn(`${part.part.name}: ${error.message}`))
    await Promise.all(this.#services.map(end))
    // Waits for the demo data: either complete in its file, or not made at all.
    await this.#demoMade
    for (const part of [...this.#parts].reverse()) await end(part)
    if (!this.#locked) return
    // Removes addresses and the key, which are for commands next to a running service only.
    try {
      writeState(this.dataDir, { env: {} })
    } catch (error) {
      warn(`run/state.json is removed, since it cannot be written: ${/** @type {Error} */ (error).message}`)
      rmSync(join(this.dataDir, "run", "state.json"), { force: true })
    }
    rmSync(this.#pidFile("launcher"), { force: true })
  }
}

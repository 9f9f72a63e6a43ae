// Chromium: found or brought along, started confined and without a network, one document at a time (decisions P9).
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { Effect, Option, Result, Schema } from "effect"
import type { Browser, LaunchOptions } from "puppeteer-core"
import { confinement, endConfined, type Mode } from "../confinement/Confinement.ts"
import { type Attempt, attempts, launchOf, toldOf } from "./launch.ts"
import { unpackChromium } from "./unpack.ts"

/** No Chromium could be started, or it went away while printing. */
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
/** The Chromium from npm, unpacked once. */
const fromPackage = async (): Promise<string> => {
  packed ??= unpackChromium().catch((error: unknown) => {
    packed = undefined
    throw error
  })
  return packed
}

/** No network: requests are answered by the service or not at all. */
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

/** The Chromium to start, and whether it does without a sandbox of its own where nothing else is around it. */
export const findChromium = async (chromiumPath: Option.Option<string>) => {
  const found = Option.getOrUndefined(chromiumPath) ?? installed()
  return {
    executablePath: found ?? (await fromPackage()),
    unsandboxed: found === undefined || process.getuid?.() === 0
  }
}

const OURS = ["--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none"]

const ENV = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", LANG: "C.UTF-8", TZ: "UTC" }

const options = (executablePath: string, args: ReadonlyArray<string>, extra: LaunchOptions = {}): LaunchOptions => ({
  executablePath,
  headless: "shell",
  pipe: true,
  timeout: 20_000,
  protocolTimeout: 70_000,
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
  env: ENV,
  args: [...args],
  ...extra
})

const attempt = <A>(f: () => Promise<A>) =>
  Effect.tryPromise({
    try: f,
    catch: (e) =>
      new BrowserFailed({ message: `Chromium did not start: ${e instanceof Error ? e.message.slice(0, 500) : e}` })
  })

interface Started {
  readonly browser: Browser
  readonly end: () => void
}

/** One with a network of its own choosing: for tests, which look at pages. */
const launchPlainly = (chromiumPath: Option.Option<string>, network: ReadonlyArray<string>) =>
  attempt(async (): Promise<Started> => {
    const { executablePath, unsandboxed } = await findChromium(chromiumPath)
    const { default: puppeteer } = await import("puppeteer-core")
    const args = [...network, ...OURS, ...(unsandboxed ? ["--no-sandbox", "--no-zygote"] : [])]
    return { browser: await puppeteer.launch(options(executablePath, args)), end: () => {} }
  })

const launchConfined = (executable: string, by: Attempt) =>
  attempt(async (): Promise<Started> => {
    const { default: puppeteer } = await import("puppeteer-core")
    const { before, end, program, scratch, switches } = launchOf(by, executable)
    const args = [...OFFLINE, ...OURS, ...switches, "--remote-debugging-pipe"]
    const all = [...before, ...(await puppeteer.defaultArgs({ headless: "shell", args }))]
    try {
      return {
        browser: await puppeteer.launch(
          options(program, all, { ignoreDefaultArgs: true, env: { ...ENV, TMPDIR: scratch } })
        ),
        end
      }
    } catch (error) {
      end()
      throw error
    }
  })

/** What worked for an executable. */
const known = new Map<string, Attempt>()

const launch = (chromiumPath: Option.Option<string>, mode: Mode) =>
  Effect.gen(function* () {
    const confined = yield* Effect.orDie(confinement(mode))
    const { executablePath } = yield* attempt(() => findChromium(chromiumPath))
    const before = known.get(executablePath)
    if (before !== undefined) return yield* launchConfined(executablePath, before)
    let failed = new BrowserFailed({ message: "Chromium did not start" })
    for (const by of attempts(confined, mode)) {
      const started = yield* Effect.result(Effect.retry(launchConfined(executablePath, by), { times: 1 }))
      if (Result.isFailure(started)) {
        failed = started.failure
        // A machine that is slow for a moment is no reason to do with less.
        if (/timed out/i.test(failed.message)) break
        continue
      }
      known.set(executablePath, by)
      yield* Effect.logInfo(toldOf(confined, by))
      return started.success
    }
    return yield* failed
  })

const kill = ({ browser, end }: Started) =>
  Effect.promise(async () => {
    const child = browser.process()
    if (child !== null) endConfined(child)
    await browser.close().catch(() => {})
    end()
  })

const opened = <R>(start: Effect.Effect<Started, BrowserFailed, R>) =>
  Effect.map(Effect.acquireRelease(Effect.retry(start, { times: 1 }), kill), ({ browser }) => browser)

/** Scoped: the process ends with the scope. Confined; with `network`, switches in place of those that cut it off, it is not. */
export const openBrowser = (
  chromiumPath: Option.Option<string>,
  network?: ReadonlyArray<string>,
  mode: Mode = "auto"
) => opened(network === undefined ? launch(chromiumPath, mode) : launchPlainly(chromiumPath, network))

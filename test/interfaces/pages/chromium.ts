// A real Chromium without a screen, before a real listening service; scripts are off in its pages, as ours have none.
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Browser, CDPSession, Page } from "puppeteer-core"
import { openBrowser } from "../../../src/platform/pdf/browser.ts"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { BOUND } from "../../support/eventually.ts"
import { passwordHash } from "../../support/passwordHash.ts"
import { type ServiceProcess, startService } from "../../support/processes.ts"
import { type Callback, callback } from "./callback.ts"
import { remember } from "./polled.ts"

export const EMAIL = "owner@harbor.example"
export const PASSWORD = "seven wet herons"

export class Scene extends Context.Service<
  Scene,
  {
    readonly service: ServiceProcess
    readonly browser: Browser
    readonly website: Callback
    readonly loopback: Callback
    readonly userId: number
    readonly orgId: number
  }
>()("test/Scene") {}

/** What a scene plays on: it costs seconds of a processor to start. */
export interface Stage {
  readonly url: string
  readonly service: ServiceProcess
  readonly browser: Browser
  readonly website: Callback
  readonly loopback: Callback
}

/** One service, one browser. @param env what the service has beside its usual settings */
export const openStage = Effect.fnUntraced(function* (url: string, env: Record<string, string>) {
  const website = yield* callback(true)
  const loopback = yield* callback(false)
  const service = yield* startService(url, env)
  const { browser } = yield* openBrowser(Option.fromUndefinedOr(process.env["CHROMIUM_PATH"]), [
    "--no-first-run",
    "--ignore-certificate-errors",
    // Colors are judged as they end up, not on their way there.
    "--force-prefers-reduced-motion",
    `--host-resolver-rules=MAP client.example:443 127.0.0.1:${website.port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`
  ])
  return { url, service, browser, website, loopback } satisfies Stage
})

/** One person in two organizations. */
const seedPeople = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [person] = yield* sql<{ person_id: number }>`
    INSERT INTO people (email, name, password_hash, created_on)
    VALUES (${EMAIL}, 'Harbor Owner', ${yield* passwordHash(PASSWORD)}, now()) RETURNING person_id`
  const join = Effect.fnUntraced(function* (name: string, role: string) {
    const [org] = yield* sql<{ org_id: number }>`
      INSERT INTO organizations (name, slug, created_on) VALUES (${name}, ${name.toLowerCase()}, now()) RETURNING org_id`
    yield* sql`
      INSERT INTO workspaces (org_id, name, slug, type, created_on)
      VALUES (${org!.org_id}, 'General', 'general', 'default', now())`
    const [user] = yield* sql<{ user_id: number }>`
      INSERT INTO users (org_id, person_id, name, role, status, created_on)
      VALUES (${org!.org_id}, ${person!.person_id}, 'Harbor Owner', ${role}, 'active', now()) RETURNING user_id`
    return { orgId: org!.org_id, userId: user!.user_id }
  })
  const owner = yield* join("Harbor Works", "owner")
  yield* join("Lighthouse", "guest")
  return owner
})

/** A scene of its own people. */
export const sceneOn = (stage: Stage) =>
  Layer.effect(
    Scene,
    Effect.map(seedPeople, (owner) => Scene.of({ ...stage, ...owner }))
  ).pipe(Layer.provideMerge(layerOn(stage.url, 2)))

/** One service, one browser, one person in two organizations. @param env what the service has beside its usual settings */
export const sceneWith = (env: Record<string, string>) =>
  Layer.unwrap(
    Effect.map(
      Effect.flatMap(freshDatabaseUrl, (url) => openStage(url, env)),
      sceneOn
    )
  )

export const SceneLive = sceneWith({})

export interface Tab {
  readonly page: Page
  /** Console errors, blocked loads, failed requests: none is expected. */
  readonly complaints: Array<string>
  /** `Location` of every redirect. */
  readonly redirects: Array<string>
}

/** A tab in a browser profile of its own. */
export const openTab = Effect.fnUntraced(function* (browser: Browser, width = 1280, height = 800, dark = false) {
  const context = yield* Effect.acquireRelease(
    Effect.promise(() => browser.createBrowserContext()),
    (c) => Effect.promise(() => c.close().catch(() => {}))
  )
  const page = yield* Effect.promise(() => context.newPage())
  const complaints: Array<string> = []
  const redirects: Array<string> = []
  remember(page, complaints)
  yield* Effect.promise(async () => {
    page.setDefaultTimeout(BOUND)
    await page.setViewport({ width, height, deviceScaleFactor: 1 })
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }])
    await page.setJavaScriptEnabled(false)
    const cdp: CDPSession = await page.createCDPSession()
    await cdp.send("Log.enable")
    await cdp.send("Network.enable")
    // As they come from the wire: a redirect to a scheme that nobody serves may be aborted before the page tells of it.
    cdp.on("Network.responseReceivedExtraInfo", ({ headers }) => {
      const name = Object.keys(headers).find((header) => header.toLowerCase() === "location")
      if (name !== undefined) redirects.push(headers[name]!)
    })
    cdp.on("Log.entryAdded", ({ entry }) => {
      if (entry.level === "error" || entry.source === "security") complaints.push(entry.text)
    })
  })
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warn") complaints.push(message.text())
  })
  page.on("requestfailed", (request) =>
    complaints.push(`${request.failure()?.errorText} ${request.url().slice(0, 80)}`)
  )
  return { page, complaints, redirects } satisfies Tab as Tab
})

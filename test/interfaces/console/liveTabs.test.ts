// docs/console.md, "One connection for all tabs", in real Chromium: seven tabs on one stream, its handover, and what a page asks as it loads.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContext, HTTPRequest, Page } from "puppeteer-core"
import { BOUND } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { polled } from "../pages/polled.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, led, until } from "../pages/waiting.ts"
import { callerOfScene, seedRuns } from "./consoleSeeds.ts"
import { openConsoleTab, opened, promise } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const isStream = (request: HTTPRequest) => new URL(request.url()).pathname === "/v1/events"

interface Counted {
  readonly page: Page
  /** Streams of changes that are open. */
  readonly streams: Set<HTTPRequest>
  /** Every request to the API but streams, as `METHOD path body`. */
  readonly requests: Array<string>
  /** `Last-Event-ID` of every stream, undefined where a stream had none. */
  readonly cursors: Array<string | undefined>
}

const countRequests = (page: Page): Counted => {
  const counts: Counted = { page, streams: new Set(), requests: [], cursors: [] }
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url())
    if (isStream(request)) {
      counts.streams.add(request)
      counts.cursors.push(request.headers()["last-event-id"])
    } else if (pathname.startsWith("/v1/"))
      counts.requests.push(`${request.method()} ${pathname}${search} ${request.postData() ?? ""}`)
  })
  for (const name of ["requestfinished", "requestfailed"] as const)
    page.on(name, (request) => counts.streams.delete(request))
  return counts
}

const openCounted = (context: BrowserContext, address: string) =>
  promise(async () => {
    const page = await context.newPage()
    page.setDefaultTimeout(BOUND)
    const counts = countRequests(page)
    await page.goto(address)
    return counts
  })

const openStreams = (tabs: ReadonlyArray<Counted>) => tabs.reduce((sum, { streams }) => sum + streams.size, 0)

/** Waits until exactly one tab has a stream. */
const listenerOf = (tabs: ReadonlyArray<Counted>) =>
  promise(() =>
    polled(tabs[0]!.page, "one tab listens", async () =>
      openStreams(tabs) === 1 ? tabs.find(({ streams }) => streams.size === 1) : undefined
    )
  )

/** Lets the page believe that nobody sees it, or that somebody does. */
const setHidden = (page: Page, hidden: boolean) =>
  promise(() =>
    page.evaluate((value) => {
      const { document } = globalThis as any
      Object.defineProperty(document, "hidden", { configurable: true, get: () => value })
      Object.defineProperty(document, "visibilityState", {
        configurable: true,
        get: () => (value ? "hidden" : "visible")
      })
      document.dispatchEvent(new (globalThis as any).Event("visibilitychange", { bubbles: true }))
    }, hidden)
  )

layer(SharedScene, { excludeTestServices: true })("tabs of the console", (it) => {
  it.effect("seven share one connection, all answer, and another takes over when its tab closes or is hidden", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { record_id } = yield* seedRuns
      const call = yield* callerOfScene
      const address = `${service.origin}/console/records/${record_id}`
      const firstTab = yield* openConsoleTab(browser)
      const firstCounts = countRequests(firstTab.page)
      yield* openSignedIn(firstTab, address, "Harbor Works")
      yield* opened(firstCounts.page, "The Tern")
      const context = firstCounts.page.browserContext()
      const otherTabs = yield* Effect.forEach(Array.from({ length: 6 }), () =>
        Effect.tap(openCounted(context, address), ({ page }) => opened(page, "The Tern"))
      )
      const tabs = [firstCounts, ...otherTabs]
      const rename = Effect.fnUntraced(function* (name: string, among: ReadonlyArray<Counted>) {
        yield* call("PUT", `/record/${record_id}`, { fields: { name } })
        yield* Effect.forEach(among, ({ page }) => opened(page, name))
      })
      assert.strictEqual((yield* listenerOf(tabs)).page, firstCounts.page)
      yield* rename("The Gull", tabs)
      assert.strictEqual(openStreams(tabs), 1)
      // Closed: the next one continues behind what all have heard.
      yield* promise(() => firstCounts.page.close())
      const second = yield* listenerOf(otherTabs)
      assert.isString(second.cursors[0])
      const askedBefore = otherTabs.map(({ requests }) => requests.length)
      yield* rename("The Petrel", otherTabs)
      for (const [at, { requests }] of otherTabs.entries()) {
        const userRequests = requests.slice(askedBefore[at]).filter((request) => request.startsWith("GET /v1/user/me"))
        assert.deepStrictEqual(userRequests, [], "what did not change is not read again")
      }
      // Hidden: it lets another one that is seen take over, and hears from it.
      yield* setHidden(second.page, true)
      const third = otherTabs.find(({ page }) => page !== second.page)!
      yield* setHidden(third.page, false)
      const restTabs = otherTabs.filter(({ page }) => page !== second.page)
      const next = yield* listenerOf(restTabs)
      assert.isString(next.cursors[0])
      assert.strictEqual(openStreams(otherTabs), 1)
      yield* rename("The Heron", restTabs)
      yield* setHidden(second.page, false)
      yield* opened(second.page, "The Heron")
      assert.strictEqual(openStreams(otherTabs), 1)
    }).pipe(Effect.scoped)
  )

  it.effect("without one that is seen the stream ends; the next one continues behind the last event", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { record_id } = yield* seedRuns
      const call = yield* callerOfScene
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      // A hidden tab waits for half a minute, here for no time.
      yield* promise(() =>
        page.evaluateOnNewDocument(() => {
          const { setTimeout } = globalThis
          const quick = (callback: () => void, millis?: number) => setTimeout(callback, millis === 30_000 ? 0 : millis)
          Object.assign(globalThis, { setTimeout: quick })
        })
      )
      const counts = countRequests(page)
      yield* openSignedIn(tab, `${service.origin}/console/records/${record_id}`, "Harbor Works")
      yield* opened(page, "The Tern")
      yield* listenerOf([counts])
      // Shown by an event of the stream, which has its id: the stream goes on behind it.
      yield* call("PUT", `/record/${record_id}`, { fields: { name: "The Heron" } })
      yield* opened(page, "The Heron")
      yield* setHidden(page, true)
      yield* promise(() => polled(page, "no stream", async () => (counts.streams.size === 0 ? true : undefined)))
      yield* call("PUT", `/record/${record_id}`, { fields: { name: "The Gull" } })
      yield* setHidden(page, false)
      yield* opened(page, "The Gull")
      yield* listenerOf([counts])
      assert.deepStrictEqual(
        counts.cursors.map((cursor) => typeof cursor),
        ["undefined", "string"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("follow at once where another organization is chosen, or the session ends", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const tab = yield* openConsoleTab(browser)
      yield* openSignedIn(tab, `${service.origin}/console/apps`, "Harbor Works")
      yield* opened(tab.page, "Apps")
      const context = tab.page.browserContext()
      const { page: second } = yield* openCounted(context, `${service.origin}/console/apps`)
      yield* opened(second, "Apps")
      const { page: other } = yield* openCounted(context, `${service.origin}/organization?next=/console`)
      yield* promise(() => led(other, () => clicked(other, `button[aria-label="Go on in Lighthouse"]`)))
      for (const page of [tab.page, second])
        yield* promise(() => until(page, `document.querySelector(".self-org strong")?.textContent === "Lighthouse"`))
      yield* promise(async () => {
        await other.goto(`${service.origin}/`)
        await led(other, () => clicked(other, "::-p-aria([name='Sign out'][role='button'])"))
      })
      for (const page of [tab.page, second]) yield* promise(() => until(page, `location.pathname === "/sign-in"`))
    }).pipe(Effect.scoped)
  )

  it.effect("ask nothing twice as they load", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { automation, failed, record_id } = yield* seedRuns
      const call = yield* callerOfScene
      const { app, app_id } = yield* call("GET", `/record/${record_id}`)
      const tab = yield* openConsoleTab(browser)
      yield* openSignedIn(tab, `${service.origin}/console/apps`, "Harbor Works")
      yield* opened(tab.page, "Apps")
      const context = tab.page.browserContext()
      yield* promise(() => tab.page.close())
      const pages = [
        ["/console", "Home"],
        ["/console/apps", "Apps"],
        [`/console/apps/${app_id}`, app.name],
        ["/console/automations", "Automations"],
        [`/console/automations/${automation.id}/edit`, `Edit ${automation.name}`],
        [`/console/runs/${failed}`, automation.name],
        [`/console/records/${record_id}`, "The Tern"],
        ["/console/webhooks", "Webhooks"]
      ] as const
      for (const [path, heading] of pages) {
        const counts = yield* openCounted(context, `${service.origin}${path}`)
        yield* opened(counts.page, heading)
        yield* listenerOf([counts])
        console.log(`${path}: ${counts.requests.length} requests`)
        assert.deepStrictEqual(
          counts.requests.filter((one, at) => counts.requests.indexOf(one) < at),
          [],
          path
        )
        yield* promise(() => counts.page.close())
      }
    }).pipe(Effect.scoped)
  )
})

// docs/console.md, "Without the service", in real Chromium: what a page does when its code or its answers do not come.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { HTTPRequest, Page } from "puppeteer-core"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { seedApps } from "./consoleSeeds.ts"
import { gone, judgedAsItIs, judgedInAllSizes, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const openApps = Effect.gen(function* () {
  const { browser, service } = yield* Scene
  yield* seedApps
  const tab = yield* openConsoleTab(browser)
  yield* openSignedIn(tab, `${service.origin}/console/apps`, "Harbor Works")
  yield* opened(tab.page, "Apps")
  return tab.page
})

/** Answers requests in place of the service where it has an answer. */
const intercept = (page: Page, answer: (request: HTTPRequest) => Parameters<HTTPRequest["respond"]>[0] | undefined) =>
  promise(async () => {
    await page.setRequestInterception(true)
    page.on("request", (request) => {
      const response = answer(request)
      void (response === undefined ? request.continue() : request.respond(response))
    })
  })

const isCodeOf = (request: HTTPRequest, page: string) => new URL(request.url()).pathname.includes(`/assets/${page}-`)

layer(SharedScene, { excludeTestServices: true })("the console without its service", (it) => {
  it.effect("a page that is opened meanwhile says so, and opens by itself when the service is back", () =>
    Effect.gen(function* () {
      const page = yield* openApps
      yield* promise(() => page.setOfflineMode(true))
      yield* press(page, "Automations", "link")
      yield* opened(page, "This page is not loaded yet")
      yield* shows(page, "No connection to the service.")
      yield* judgedInAllSizes(page, "service-away")
      yield* promise(() => page.setOfflineMode(false))
      yield* opened(page, "Automations")
      yield* gone(page, ".notices .note")
      assert.strictEqual(yield* promise(() => page.evaluate("sessionStorage.length")), 0)
    }).pipe(Effect.scoped)
  )

  it.effect("a part of a page that a deploy has replaced reloads it once; one that is missing for good is told", () =>
    Effect.gen(function* () {
      const page = yield* openApps
      // Another page for each case, as browsers keep what they have once loaded.
      const missing = { AutomationsPage: 1, RunsPage: 100 }
      let documents = 0
      yield* intercept(page, (request) => {
        if (request.isNavigationRequest()) documents++
        for (const name of ["AutomationsPage", "RunsPage"] as const)
          if (isCodeOf(request, name) && request.resourceType() === "script" && missing[name]-- > 0)
            return { status: 404, body: "" }
        return undefined
      })
      // The keyboard loads nothing before it is pressed.
      const openPage = (name: string) =>
        promise(async () => {
          await page.focus(`nav a[href="/console/${name}"]`)
          await page.keyboard.press("Enter")
        })
      yield* openPage("automations")
      yield* opened(page, "Automations")
      assert.strictEqual(documents, 1)
      documents = 0
      yield* openPage("runs")
      yield* shows(page, "A part of the page is missing on the service.")
      assert.strictEqual(documents, 1)
      yield* judgedInAllSizes(page, "page-missing")
    }).pipe(Effect.scoped)
  )

  it.effect("a refusal for too many requests is told with its time, waited for, and the answer shown", () =>
    Effect.gen(function* () {
      const page = yield* openApps
      let refusals = 1
      yield* intercept(page, (request) => {
        if (new URL(request.url()).pathname !== "/v1/app" || refusals-- <= 0) return undefined
        const body = { status_code: 429, endpoint: "/v1/app", error_code: "too_many_requests", error_message: "Wait." }
        return {
          status: 429,
          headers: { "retry-after": "2" },
          contentType: "application/json",
          body: JSON.stringify({ ...body, retry_after: 2 })
        }
      })
      yield* promise(() => page.reload())
      yield* shows(page, "Too many requests.")
      yield* judgedAsItIs(page, "too-many-requests")
      yield* shows(page, "Berths")
      yield* gone(page, ".notices .note")
    }).pipe(Effect.scoped)
  )
})

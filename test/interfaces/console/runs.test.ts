// docs/console.md, runs in real Chromium: found by status and error, read from top to bottom, why one waits and what cancelling does; on a
// phone and a desktop, in both themes, judged by axe; live.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, found, selectIn, typeInto, until } from "../pages/waiting.ts"
import { callerOfScene, seedRuns } from "./consoleSeeds.ts"
import { complaintsOf, judged, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

/** In pixels of the window. */
type Rectangle = Record<"bottom" | "left" | "right" | "top", number>

layer(SharedScene, { excludeTestServices: true })("runs in the console", (it) => {
  it.effect("are found by status and by a part of the error; a run says what failed, with attempts and values", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { failed, waiting } = yield* seedRuns
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/runs`, "Harbor Works")
      yield* opened(page, "Runs")
      const cards = () => page.$$eval(".run-row", (all) => all.length)
      assert.strictEqual(yield* promise(cards), 3)
      yield* promise(() => typeInto(page, "input[type=search]", "PIER IS"))
      yield* promise(() => until(page, `document.querySelectorAll(".run-row").length === 1`))
      yield* press(page, "Tells the pier", "link")
      yield* opened(page, "Tells the pier")
      assert.strictEqual(page.url(), `${service.origin}/console/runs/${failed}`)
      yield* shows(page, "3 attempts")
      const steps = () => page.$$eval(".step h3", (all) => all.map((one) => one.textContent))
      assert.deepStrictEqual(yield* promise(steps), ["Record created", "Find the berth", "Tell the pier"])
      yield* promise(() => selectIn(page, "#which-steps", "failed"))
      yield* promise(() => until(page, `document.querySelectorAll(".step").length === 1`))
      assert.deepStrictEqual(yield* promise(steps), ["Tell the pier"])
      assert.deepStrictEqual(complaintsOf(tab), [])
      const cookies = yield* promise(() => page.browserContext().cookies())
      const judgePage = (path: string, heading: string, name: string) =>
        judged(browser, { address: `${service.origin}/console${path}`, heading, name, cookies })
      yield* judgePage("/runs", "Runs", "runs")
      yield* judgePage(`/runs/${failed}`, "Tells the pier", "run")
      yield* judgePage(`/runs/${waiting}`, "Tells the pier", "run-waiting")
    }).pipe(Effect.scoped)
  )

  it.effect("are narrowed to any number of automations, each found by a part of its name", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { automation } = yield* seedRuns
      const call = yield* callerOfScene
      const create = (name: string) =>
        Effect.map(
          call("POST", `/automation/app/${automation.app_id}`, {
            name,
            trigger: { type: "record_created", config: {} },
            actions: []
          }),
          (answer) => answer.automation.id
        )
      const [bell, horn] = [yield* create("Rings the bell"), yield* create("Sounds the horn")]
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/runs?automation=${automation.id}`, "Harbor Works")
      yield* opened(page, "Runs")
      yield* promise(() => until(page, `document.querySelectorAll(".run-row").length === 3`))
      yield* press(page, "Remove Tells the pier")
      const pick = (part: string, name: string) =>
        promise(async () => {
          await typeInto(page, "input[role=combobox]", part)
          await until(page, `document.querySelector("[role=option]:only-child")?.textContent.startsWith("${name}")`)
          await page.keyboard.press("Enter")
        })
      yield* pick("the BELL", "Rings the bell")
      yield* shows(page, "No runs")
      yield* pick("horn", "Sounds the horn")
      yield* promise(() => until(page, `decodeURIComponent(location.search) === "?automation=[${bell},${horn}]"`))
      yield* press(page, "Remove Rings the bell")
      yield* promise(() => until(page, `decodeURIComponent(location.search) === "?automation=[${horn}]"`))
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("filters are one row that stays in view, and wrap on a phone", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      yield* seedRuns
      const tab = yield* openConsoleTab(browser, { width: 1440, height: 900 })
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/runs`, "Harbor Works")
      yield* opened(page, "Runs")
      yield* promise(() => found(page, ".run-row"))
      /** Rectangles of the bar and of the controls in it that are seen. */
      const bar = promise(
        () =>
          page.evaluate(`(() => {
            const bar = document.querySelector(".filter-bar")
            const rectangleOf = (one) => {
              const rectangle = one.getBoundingClientRect()
              return { bottom: rectangle.bottom, left: rectangle.left, right: rectangle.right, top: rectangle.top }
            }
            const controls = [...bar.querySelectorAll("select, input, button")].filter(
              // A list that is searched has an input of its own for forms, which nobody sees.
              (one) => one.checkVisibility() && !one.matches("[aria-hidden]")
            )
            return { bar: rectangleOf(bar), controls: controls.map(rectangleOf), scrollTop: document.scrollingElement.scrollTop }
          })()`) as Promise<{ bar: Rectangle; controls: ReadonlyArray<Rectangle>; scrollTop: number }>
      )
      const wideBar = yield* bar
      assert.isAtLeast(wideBar.controls.length, 5)
      const middles = wideBar.controls.map(({ bottom, top }) => (top + bottom) / 2)
      assert.isBelow(Math.max(...middles) - Math.min(...middles), 8, "one row")
      // A page that is longer than the screen: the bar is below the head, wherever it is scrolled.
      yield* promise(() =>
        page.evaluate(`document.querySelector(".page").style.minHeight = "3000px"; scrollTo(0, 1200)`)
      )
      const barBelow = yield* bar
      assert.strictEqual(barBelow.scrollTop, 1200)
      assert.isAtLeast(barBelow.bar.top, 0)
      assert.isAtMost(barBelow.bar.bottom, 200)
      yield* promise(() => page.setViewport({ width: 360, height: 740, deviceScaleFactor: 1 }))
      yield* promise(() => page.evaluate("scrollTo(0, 0)"))
      const narrowBar = yield* bar
      for (const rectangle of narrowBar.controls) {
        assert.isAtLeast(rectangle.left, 0)
        assert.isAtMost(rectangle.right, 360)
      }
      const overlaps = narrowBar.controls.filter((one, n) =>
        narrowBar.controls.some(
          (other, m) =>
            m > n &&
            one.left < other.right - 1 &&
            other.left < one.right - 1 &&
            one.top < other.bottom - 1 &&
            other.top < one.bottom - 1
        )
      )
      assert.lengthOf(overlaps, 0)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("a run that waits says why and until when; cancelling says what it does, and does it", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { waiting } = yield* seedRuns
      const tab = yield* openConsoleTab(browser, { width: 360, height: 740 })
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/runs/${waiting}`, "Harbor Works")
      yield* opened(page, "Tells the pier")
      yield* shows(page, "It waits because a step of it says so.")
      // No event tells of it.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE runs SET wait_why = 'credits' WHERE run_id = ${waiting}::bigint`
      yield* shows(page, "It waits for credits")
      yield* press(page, "Cancel")
      yield* shows(page, "What it has done stays done.")
      yield* press(page, "Cancel the run")
      yield* promise(() => until(page, `document.querySelector("dialog") === null`))
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "all that are found are retried, cancelled or deleted as a job, which shows how it stands and can be cancelled",
    () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Scene
        yield* seedRuns
        const tab = yield* openConsoleTab(browser)
        const { page } = tab
        yield* openSignedIn(tab, `${service.origin}/console/runs?status=failed`, "Harbor Works")
        yield* opened(page, "Runs")
        yield* promise(() => clicked(page, "#all-runs"))
        const offered = () => page.$$eval(".tools button", (all) => all.map((one) => one.textContent))
        assert.includeMembers([...(yield* promise(offered))], ["Retry runs", "Delete runs"])
        assert.notInclude(yield* promise(offered), "Cancel runs")
        yield* press(page, "Retry runs found")
        yield* shows(page, "One that was retried already is left out.")
        yield* press(page, "Retry runs")
        yield* shows(page, "Waiting to start")
        yield* press(page, "Cancel job")
        yield* promise(() => until(page, `document.querySelector("#jobs + ul .tag").textContent === "Cancelled"`))
        assert.deepStrictEqual(complaintsOf(tab), [])
      }).pipe(Effect.scoped)
  )

  it.effect("a change made elsewhere is on the screen within a second or two, without a reload", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { record_id } = yield* seedRuns
      const call = yield* callerOfScene
      const tab = yield* openConsoleTab(browser)
      yield* openSignedIn(tab, `${service.origin}/console/records/${record_id}`, "Harbor Works")
      yield* opened(tab.page, "The Tern")
      yield* call("PUT", `/record/${record_id}`, { fields: { name: "The Gull" } })
      yield* opened(tab.page, "The Gull")
    }).pipe(Effect.scoped)
  )

  it.effect("the first look says what fails, what waits, and is a press away from the run that failed", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      yield* seedRuns
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console`, "Harbor Works")
      yield* opened(page, "Home")
      yield* shows(page, "Waiting in a delay.")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* judged(browser, { address: `${service.origin}/console`, heading: "Home", name: "home", cookies })
      yield* press(page, "Tells the pier", "link")
      yield* opened(page, "Tells the pier")
      yield* shows(page, "The pier is shut.")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "an automation shows its flow and what is wrong with it; one without steps is not activated, and why is said",
    () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Scene
        const { automation } = yield* seedRuns
        const tab = yield* openConsoleTab(browser)
        const { page } = tab
        yield* openSignedIn(tab, `${service.origin}/console/automations`, "Harbor Works")
        yield* opened(page, "Automations")
        const cookies = yield* promise(() => page.browserContext().cookies())
        const judgePage = (path: string, heading: string, name: string) =>
          judged(browser, { address: `${service.origin}/console${path}`, heading, name, cookies })
        yield* judgePage("/automations", "Automations", "automations")
        yield* judgePage(`/automations/${automation.id}`, "Tells the pier", "automation")
        yield* promise(() => page.goto(`${service.origin}/console/automations/${automation.id}`))
        yield* shows(page, "It has no steps yet.")
        yield* press(page, "Activate")
        yield* shows(page, "It was not activated.")
      }).pipe(Effect.scoped)
  )
})

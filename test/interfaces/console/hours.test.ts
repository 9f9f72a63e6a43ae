// docs/console.md, the last day by the hour in real Chromium: its bars told by mouse, by the arrow keys and as numbers; in both themes.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { found, until } from "../pages/waiting.ts"
import { seedRuns } from "./consoleSeeds.ts"
import { complaintsOf, judgedAsItIs, openConsoleTab, opened, promise } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const CHART = `.hours[aria-label="Runs by the hour"]`

layer(SharedScene, { excludeTestServices: true })("a day by the hour", (it) => {
  for (const dark of [false, true])
    it.effect(`is told hour by hour, by keys and by mouse, and as numbers: ${dark ? "dark" : "light"}`, () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Scene
        yield* seedRuns
        const tab = yield* openConsoleTab(browser, { width: dark ? 360 : 1280, dark })
        const { page } = tab
        yield* openSignedIn(tab, `${service.origin}/console`, "Harbor Works")
        yield* opened(page, "Home")
        yield* promise(() => found(page, CHART))
        const chartText = () => promise(() => page.$eval(CHART, (chart) => chart.getAttribute("aria-valuetext") ?? ""))
        const tells = (words: string) =>
          promise(() =>
            until(
              page,
              (chart, text) => (globalThis as any).document.querySelector(chart).ariaValueText.includes(text),
              CHART,
              words
            )
          )
        yield* promise(() => page.focus(CHART))
        yield* promise(() => page.keyboard.press("Home"))
        yield* tells("Runs 0, Failed 0")
        // The runs are a minute old: of the last hour that there is, or of the one before.
        yield* promise(() => page.keyboard.press("End"))
        if (/Runs 0,/.test(yield* chartText())) yield* promise(() => page.keyboard.press("ArrowLeft"))
        const lastText = yield* chartText()
        assert.match(lastText, /^\d.*: Runs [1-9]\d*, Failed [1-9]\d*$/)
        const rows = yield* promise(() =>
          page.$$eval("section[aria-labelledby=runs-by-hour] tbody tr", (all) =>
            all.map((row) => [...row.children].map((cell) => cell.textContent).join(" "))
          )
        )
        assert.include(rows, lastText.replace(": Runs", "").replace(", Failed", ""))
        yield* judgedAsItIs(page, `home-hours-${dark ? "dark" : "light"}`)
        const box = (yield* promise(async () => (await page.$(CHART))!.boundingBox()))!
        yield* promise(() => page.mouse.move(box.x + box.width / 2, box.y + box.height / 2))
        yield* tells("Runs 0, Failed 0")
        assert.deepStrictEqual(complaintsOf(tab), [])
      }).pipe(Effect.scoped)
    )
})

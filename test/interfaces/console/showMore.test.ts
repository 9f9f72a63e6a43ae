// docs/console.md, long lists in real Chromium: the next page is asked for by a button that keeps the keyboard; how many came is said, and so
// is the end.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "puppeteer-core"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { until } from "../pages/waiting.ts"
import { seedRuns } from "./consoleSeeds.ts"
import { complaintsOf, judgedAsItIs, openConsoleTab, opened, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

/** Beside the three that are seeded anyway. */
const MORE = 107

/** What has the keyboard, by its words. */
const focused = (page: Page) => promise(() => page.evaluate("document.activeElement.textContent"))

layer(SharedScene, { excludeTestServices: true })("a long list in the console", (it) => {
  it.effect("goes on by keyboard: the button keeps it, what came is said, the end takes it", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const sql = yield* SqlClient.SqlClient
      const { failed } = yield* seedRuns
      yield* sql`
        INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, record_id, created_on,
          started_on, completed_on)
        SELECT org_id, app_id, automation_id, revision_id, 1000 + n, type, 'completed', durable, depth, chain, record_id, created_on,
          started_on, completed_on FROM runs, generate_series(1, ${MORE}::int) AS n WHERE run_id = ${failed}`
      const tab = yield* openConsoleTab(browser, { width: 360, height: 740 })
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/runs`, "Harbor Works")
      yield* opened(page, "Runs")
      const runs = (count: number) =>
        promise(() => until(page, `document.querySelectorAll(".run-row").length === ${count}`))
      yield* runs(50)
      yield* promise(() => page.focus(".show-more button"))
      yield* promise(() => page.keyboard.press("Enter"))
      yield* runs(100)
      yield* shows(page, "50 more, 100 are shown.")
      assert.strictEqual(yield* focused(page), "Show older runs")
      yield* promise(() => page.keyboard.press("Enter"))
      yield* runs(MORE + 3)
      yield* shows(page, "10 more. All 110 are shown.")
      yield* promise(() => until(page, `document.activeElement.textContent.startsWith("10 more.")`))
      assert.isNull(yield* promise(() => page.$(".show-more button")))
      yield* judgedAsItIs(page, "show-more")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})

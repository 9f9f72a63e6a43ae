// docs/console.md, "A run" and "Runs": what went in and came out of a step as a tree that is searched and copied, megabytes included; how
// long each step took; runs ticked one by one and with Shift, for a job.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "puppeteer-core"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, found, until } from "../pages/waiting.ts"
import { callerOfScene, seedRuns } from "./consoleSeeds.ts"
import { complaintsOf, judgedInAllSizes, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

/** Value of about two megabytes: 20,000 lines, one of them with a text of its own. */
const bigValue = {
  lines: Array.from({ length: 20_000 }, (_, n) => ({
    sku: `rope-${n}`,
    note: n === 17_345 ? "Needs a SPLICE" : "x".repeat(60)
  }))
}

const rowsOf = (page: Page) => promise(() => page.$$eval(".run-row", (all) => all.length))

layer(SharedScene, { excludeTestServices: true })("values and ticks of runs", (it) => {
  it.effect("two megabytes of values are a tree that is searched and copied, beside bars of the steps' times", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { failed } = yield* seedRuns
      const sql = yield* SqlClient.SqlClient
      const detail = JSON.stringify({
        inputs: { name: "The Tern" },
        outputs: { order: bigValue },
        duration_ms: 12,
        attempts: 1
      })
      yield* sql`
        UPDATE run_logs l SET detail = CASE WHEN seq <= 2 THEN ${detail}::jsonb ELSE detail END,
          logged_on = started_on + CASE WHEN seq <= 2 THEN interval '5 seconds' ELSE '45 seconds' END
        FROM runs r WHERE r.run_id = l.run_id AND l.run_id = ${failed}::bigint`
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* promise(() =>
        page.browserContext().overridePermissions(service.origin, ["clipboard-read", "clipboard-sanitized-write"])
      )
      yield* openSignedIn(tab, `${service.origin}/console/runs/${failed}`, "Harbor Works")
      yield* opened(page, "Tells the pier")
      const bars = () => page.$$eval(".step-bar", (all) => all.map((one) => one.getAttribute("aria-label")))
      const [, berth, pier] = yield* promise(bars)
      assert.match(String(berth), /^began after .*, took 12 ms/)
      assert.match(String(pier), /took 2\.4 s, after a wait of 37\.6 s$/)
      yield* promise(() => clicked(page, ".step:nth-child(2) summary"))
      yield* promise(() =>
        found(page, "::-p-aria([name='Search what came out'])").then((field) => field.type("splice"))
      )
      yield* shows(page, "1 match")
      yield* shows(page, "order.lines.17345.note")
      yield* press(page, "Copy JSON of what came out")
      yield* shows(page, "Copied.")
      const copiedText = yield* promise(() => page.evaluate("navigator.clipboard.readText()") as Promise<string>)
      assert.deepStrictEqual(JSON.parse(copiedText), { order: bigValue })
      yield* promise(() => page.$eval("input[type=search]", (field: any) => field.select()))
      yield* promise(() => page.keyboard.press("Backspace"))
      yield* promise(() => until(page, `document.querySelector(".json-matches") === null`))
      const drawn = yield* promise(() => page.$$eval(".json-tree li", (all) => all.length))
      assert.isBelow(drawn, 400)
      yield* judgedInAllSizes(page, "run-values")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("ticked runs, one by one and with Shift, are cancelled or retried as a job, and no others", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { automation, failed } = yield* seedRuns
      const call = yield* callerOfScene
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/runs?automation=${automation.id}`, "Harbor Works")
      yield* opened(page, "Runs")
      yield* promise(() => until(page, `document.querySelectorAll(".run-row").length === 3`))
      const box = (n: number) => clicked(page, `.run-row:nth-child(${n}) input`)
      yield* promise(() => box(3))
      yield* shows(page, "1 selected")
      yield* promise(async () => {
        await page.keyboard.down("Shift")
        await box(1)
        await page.keyboard.up("Shift")
      })
      yield* shows(page, "3 selected")
      yield* judgedInAllSizes(page, "runs-ticked")
      yield* promise(() => box(1))
      yield* promise(() => box(3))
      yield* shows(page, "1 selected")
      const offered = yield* promise(() => page.$$eval(".bulk button", (all) => all.map((one) => one.textContent)))
      assert.deepStrictEqual(offered, ["Cancel runs", "Clear selection"])
      yield* press(page, "Cancel runs selected")
      yield* shows(page, "Cancel 1 run?")
      yield* press(page, "Cancel runs")
      yield* promise(() => until(page, `document.querySelector(".bulk") === null`))
      const { jobs } = yield* call("GET", "/job")
      assert.deepStrictEqual(
        jobs.map(({ kind, progress }: any) => [kind, progress.total]),
        [["run_cancel", 1]]
      )
      const status = (id: number) =>
        Effect.map(call("GET", `/automation-run/${id}`), (answer: any) => answer.automation_run.status as string)
      assert.deepStrictEqual([yield* status(failed), yield* rowsOf(page)], ["failed", 3])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})

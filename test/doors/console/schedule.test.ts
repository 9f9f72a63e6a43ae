// docs/console.md, the editor of automations in real Chromium: the next times of a schedule, beside its form, before it is saved.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene, sceneWith } from "../pages/chromium.ts"
import { seedApps } from "./consoleSeeds.ts"
import { complaintsOf, openConsoleTab, promise, shows, signInTo } from "./consoleTab.ts"

layer(sceneWith({ RATE_BUDGET: "1000000" }), { excludeTestServices: true })("the editor: schedules", (it) => {
  it.effect("show their next times on the clock of the automation", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedApps
      const config = { schedule_type: "monthly", month_days: [1], time_of_day: "08:00", starts_at: "2099-01-15 00:00" }
      const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
        name: "Counts the ships",
        timezone: "Europe/Vienna",
        trigger: { type: "periodic", config },
        actions: [{ type: "exit", config: { exit_type: "success" } }]
      })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* signInTo(tab, `${service.origin}/console/automations/${automation.id}/edit`, "Harbor Works")
      yield* promise(() => page.waitForSelector(`[data-step="trigger"]`))
      yield* promise(() => page.click(`[data-step="trigger"]`))
      yield* shows(page, "Next times (Europe/Vienna)")
      yield* shows(page, "2099-02-01 08:00:00")
      yield* shows(page, "2099-11-01 08:00:00")
      assert.deepStrictEqual(complaintsOf(tab), [])
    })
  )
})

// docs/console.md, the editor of automations in real Chromium: the next times of a schedule, beside its form, before it is saved.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, typeInto, until } from "../pages/waiting.ts"
import { seedApps } from "./consoleSeeds.ts"
import { complaintsOf, openConsoleTab, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

layer(SharedScene, { excludeTestServices: true })("the editor: schedules", (it) => {
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
      yield* openSignedIn(tab, `${service.origin}/console/automations/${automation.id}/edit`, "Harbor Works")
      yield* promise(() => page.waitForSelector(`[data-step="trigger"]`))
      yield* promise(() => clicked(page, `[data-step="trigger"]`))
      yield* shows(page, "Next times (Europe/Vienna)")
      yield* shows(page, "2099-02-01 08:00:00")
      yield* shows(page, "2099-11-01 08:00:00")
      assert.deepStrictEqual(complaintsOf(tab), [])
    })
  )

  it.effect("takes weekdays of a month and dates to skip, and hours for further attempts", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedApps
      const config = { schedule_type: "monthly", month_days: [1], time_of_day: "08:00", starts_at: "2099-01-15 00:00" }
      const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
        name: "Asks the harbor",
        trigger: { type: "periodic", config },
        actions: [
          {
            id: "ask",
            type: "http_call",
            config: { http_call_type: "get", http_call_url: "https://harbor.example.com/" },
            retry: { attempts: 3, first_ms: 1000, factor: 2, at_most_ms: 60_000 }
          }
        ]
      })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/automations/${automation.id}/edit`, "Harbor Works")
      yield* promise(() => page.waitForSelector(`[data-step="trigger"]`))
      yield* promise(() => clicked(page, `[data-step="trigger"]`))
      yield* press(page, "Add: Weekdays of the month")
      yield* shows(page, "2099-02-02 08:00:00")
      const [nth, weekDay] = yield* promise(() => page.$$(`fieldset[aria-label="Weekdays of the month 1"] select`))
      yield* promise(() => nth!.select("-1"))
      yield* promise(() => weekDay!.select("friday"))
      yield* shows(page, "2099-02-27 08:00:00")
      yield* promise(() => clicked(page, "details.rare > summary"))
      yield* promise(() => typeInto(page, "textarea[id$=skip_dates]", "2099-02-27\n"))
      yield* promise(() => clicked(page, "h2"))
      yield* promise(() => until(page, `!document.body.innerText.includes("2099-02-27 08:00:00")`))
      yield* shows(page, "2099-03-27 08:00:00")
      yield* promise(() => clicked(page, `[data-step="ask"]`))
      yield* promise(() => until(page, `document.getElementById("step-retry-window") !== null`))
      yield* promise(() => page.evaluate(`document.getElementById("step-retry-window").click()`))
      const storedSchedule = Effect.map(call("GET", `/automation/${automation.id}`), ({ automation: now }) => [
        now.trigger.config.month_weekdays,
        now.trigger.config.skip_dates,
        now.actions[0].retry.window
      ])
      yield* press(page, "Save")
      const saved = yield* eventually("is saved", storedSchedule, ([, , hours]) => hours !== undefined)
      assert.deepStrictEqual(saved, [[{ nth: -1, week_day: "friday" }], ["2099-02-27"], { from: "08:00", to: "18:00" }])
      assert.deepStrictEqual(complaintsOf(tab), [])
    })
  )

  it.effect("senders that were refused stand on the automation's page", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedApps
      yield* call("POST", "/secret/org", { name: "sender_key", value: "sender-key-7f3a91", allowed: "all" })
      const verification = { type: "bearer", secret: "sender_key" }
      const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
        name: "Hears the harbor",
        trigger: { type: "webhook_received", config: { verification } },
        actions: [{ type: "exit", config: { exit_type: "success" } }]
      })
      const { pathname } = new URL(automation.trigger.config.webhook_url)
      const refusal = yield* promise(() => fetch(`${service.origin}${pathname}`, { method: "POST", body: "{}" }))
      assert.strictEqual(refusal.status, 401)
      const read = yield* call("GET", `/automation/${automation.id}`)
      assert.strictEqual(read.automation.refused_senders?.count, 1)
      const tab = yield* openConsoleTab(browser)
      yield* openSignedIn(tab, `${service.origin}/console/automations/${automation.id}`, "Harbor Works")
      yield* shows(tab.page, "Its inbound address has refused 1 request since")
      assert.deepStrictEqual(complaintsOf(tab), [])
    })
  )
})

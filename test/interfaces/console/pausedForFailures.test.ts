// docs/console.md, in real Chromium: an automation that was paused for failures in a row.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { eventually } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, found } from "../pages/waiting.ts"
import { seedApps } from "./consoleSeeds.ts"
import { complaintsOf, gone, openConsoleTab, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

layer(SharedScene, { excludeTestServices: true })("an automation paused for failures", (it) => {
  it.effect("says why on its page and in the editor, where saved steps start it again", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedApps
      const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
        name: "Fails at once",
        pause_after_failures: 1,
        trigger: { type: "record_created", config: {} },
        actions: [{ id: "end", type: "exit", config: { exit_type: "failure" } }]
      })
      yield* call("POST", `/automation/${automation.id}/activate`)
      const reason = {
        code: "failures_in_a_row",
        message: "1 run failed, with: No berth is free.",
        failures: 1,
        run_id: "7",
        paused_at: "2027-01-04 08:00:00"
      }
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        UPDATE automations SET paused = true, paused_reason = ${JSON.stringify(reason)}::jsonb
        WHERE automation_id = ${automation.id}`
      const storedAutomation = Effect.map(call("GET", `/automation/${automation.id}`), (read) => read.automation)
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/automations/${automation.id}`, "Harbor Works")
      yield* shows(page, "It was paused:")
      yield* press(page, "Edit", "link")
      yield* promise(() => clicked(page, `[data-step="end"]`))
      yield* shows(page, "Fix its steps and save them")
      yield* promise(() => found(page, `select[id$="-exit_type"]`).then((list) => list!.select("success")))
      yield* press(page, "Save")
      yield* eventually("is active again", storedAutomation, ({ status }) => status === "active")
      yield* gone(page, "::-p-text(It was paused:)")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})

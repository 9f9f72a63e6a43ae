// docs/console.md, Search: commands that begin something, as far as the reader's rights go.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "puppeteer-core"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { until } from "../pages/waiting.ts"
import { callerOfScene, field } from "./consoleSeeds.ts"
import { complaintsOf, fill, gone, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const SEARCH = "Search everything"

const titles = (page: Page, expected: ReadonlyArray<string>) =>
  promise(() =>
    until(
      page,
      (list) => {
        const { document } = globalThis as any
        const options = [...document.querySelectorAll("[role=option] strong")].map((one: any) => one.textContent).sort()
        return document.querySelector("dialog [role=listbox]")?.ariaBusy === "false" && JSON.stringify(options) === list
      },
      JSON.stringify(expected)
    )
  )

layer(SharedScene, { excludeTestServices: true })("commands of the search", (it) => {
  it.effect("begin a record in an app, and invite, as far as the reader's rights go", () =>
    Effect.gen(function* () {
      const { browser, service, userId } = yield* Scene
      const call = yield* callerOfScene
      const sql = yield* SqlClient.SqlClient
      const { workspaces } = yield* call("GET", "/workspace/org")
      const fairway = yield* call("POST", "/workspace", { name: "Fairway", type: "open" })
      const createApp = (workspace_id: number, name: string, item_name: string) =>
        call("POST", "/app", { workspace_id, name, item_name, fields: [field("single_text", "Name")] })
      yield* createApp(workspaces[0].workspace_id, "Moorings", "Mooring")
      yield* createApp(workspaces[0].workspace_id, "Pilotage", "Trip")
      yield* createApp(fairway.workspace_id, "Buoys", "Buoy")
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps`, "Harbor Works")
      yield* opened(page, "Apps")
      yield* press(page, "Search Ctrl K")
      // The name of an app alone finds the app; with a word of the command, the command.
      yield* fill(page, SEARCH, "pilotage")
      yield* titles(page, ["Pilotage"])
      yield* fill(page, SEARCH, "new record")
      yield* titles(page, ["New record in Buoys", "New record in Moorings", "New record in Pilotage"])
      yield* fill(page, SEARCH, "new trip")
      yield* titles(page, ["New record in Pilotage"])
      yield* promise(() => page.keyboard.press("Enter"))
      yield* opened(page, "New trip")
      // The dialog is at an address: Back leaves it, and closing it gives the page's own.
      yield* press(page, "Search Ctrl K")
      yield* fill(page, SEARCH, "invite colleague")
      yield* titles(page, ["Invite a colleague"])
      yield* promise(() => page.keyboard.press("Enter"))
      yield* opened(page, "Members")
      yield* shows(page, "Send invitation")
      assert.strictEqual(new URL(page.url()).search, "?invite=true")
      yield* press(page, "Close")
      yield* gone(page, "dialog[open]")
      yield* promise(() => until(page, `location.search === ""`))
      // A member looks at the records of an open workspace, and invites nobody.
      yield* sql`UPDATE users SET role = 'member' WHERE user_id = ${userId}`
      yield* sql`DELETE FROM workspace_members WHERE user_id = ${userId}`
      yield* promise(() => page.goto(`${service.origin}/console/apps`))
      yield* opened(page, "Apps")
      yield* press(page, "Search Ctrl K")
      yield* fill(page, SEARCH, "new record")
      yield* titles(page, ["New record in Moorings", "New record in Pilotage"])
      yield* fill(page, SEARCH, "invite colleague")
      yield* shows(page, "Nothing found.")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})

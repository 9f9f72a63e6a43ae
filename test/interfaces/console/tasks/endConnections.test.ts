// docs/console.md, "Tasks": end all connections of an app.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Scene } from "../../pages/chromium.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { until } from "../../pages/waiting.ts"
import { seedConnections } from "../connectionSeeds.ts"
import { complaintsOf, judged, openConsoleTab, opened, promise, shows } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { counting } from "./clicks.ts"

layer(SharedScene, { excludeTestServices: true })("all connections of an app", (it) => {
  it.effect("are ended in 4 clicks; those of other apps go on", () =>
    Effect.gen(function* () {
      const { browser, orgId, service } = yield* Scene
      const sql = yield* SqlClient.SqlClient
      yield* seedConnections("tide", "Tide tables", 12)
      yield* seedConnections("crane", "Crane", 2)
      const tab = yield* openConsoleTab(browser)
      yield* openSignedIn(tab, `${service.origin}/console`, "Harbor Works")
      yield* opened(tab.page, "Home")
      const { clicks, press } = counting(tab.page)
      yield* press("Administration", "link")
      yield* opened(tab.page, "Administration")
      yield* press("Connected apps", "link")
      yield* opened(tab.page, "Connected apps")
      const cookies = yield* promise(() => tab.page.browserContext().cookies())
      const address = `${service.origin}/console/admin/apps`
      yield* judged(browser, { address, heading: "Connected apps", name: "admin-apps", cookies })
      yield* press("End all connections of Tide tables")
      yield* shows(tab.page, "for 12 people")
      yield* press("End all 12")
      yield* shows(tab.page, "Connected by 2 people")
      yield* promise(() => until(tab.page, () => !(globalThis as any).document.body.innerText.includes("Tide tables")))
      const remainingConnections = yield* sql<{ client_id: string; ended_by: string | null; n: number }>`
        SELECT client_id, ended_by, count(*)::int AS n FROM connections WHERE org_id = ${orgId} GROUP BY 1, 2 ORDER BY 1`
      assert.deepStrictEqual(
        remainingConnections.map(({ client_id, ended_by, n }) => [client_id, ended_by, n]),
        [
          ["crane", null, 2],
          ["tide", "organization", 12]
        ]
      )
      assert.strictEqual(clicks(), 4)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})

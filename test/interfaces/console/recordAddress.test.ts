// developer-api.md 4.1 in real Chromium: `record_url` leads, over the sign-in, to the record's page in the console: title, fields as people read
// them, comments and replies, as texts, edited by who may.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { callerOfScene, field } from "./consoleSeeds.ts"
import { complaintsOf, judgedInAllSizes, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const TITLE = 'Timber <script>alert(1)</script> "4"'

layer(SharedScene, { excludeTestServices: true })("the address of a record", (it) => {
  it.effect("4.1: shows the record where it can be edited, with nothing that its texts could do", () =>
    Effect.gen(function* () {
      const { browser, service, userId } = yield* Scene
      const call = yield* callerOfScene
      const { workspaces } = yield* call("GET", "/workspace/org")
      const app = yield* call("POST", "/app", {
        workspace_id: workspaces[0].workspace_id,
        name: "Timbers",
        fields: [
          field("single_text", "Reference"),
          field("number", "Weight", { decimals: 1, unit: "kg", unit_location: "suffix" }),
          field("multi_text", "Notes"),
          field("single_date", "Day"),
          field("multi_link", "Links"),
          field("single_text", "Berth"),
          field("created_at", "Made"),
          field("created_by", "Maker"),
          { field_type: "single_text", config: { label: "Secret", always_hidden: true } }
        ]
      })
      const record = yield* call("POST", `/record/app/${app.app_id}`, {
        fields: {
          reference: TITLE,
          weight: 12,
          notes: "<p>Ask <b>twice</b></p><script>alert(1)</script>",
          day: "2026-12-03",
          links: ["https://harbor.example/x"],
          secret: "not for pages"
        }
      })
      const comment = yield* call("POST", `/comment/record/${record.record_id}`, {
        value: `@[Owner](user:${userId}) see <i>this</i>`
      })
      yield* call("POST", `/comment/${comment.comment_id}/reply`, { value: "Seen." })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console`, "Harbor Works")
      yield* opened(page, "Home")
      yield* promise(() => page.goto(`${service.origin}/record/${record.record_id}`))
      yield* opened(page, TITLE)
      assert.strictEqual(new URL(page.url()).pathname, `/console/records/${record.record_id}`)
      yield* shows(page, "@Owner see <i>this</i>")
      const pageText = String(yield* promise(() => page.evaluate("document.querySelector('main').innerText")))
      for (const text of ["12.0 kg", "Ask twice", "Dec 3, 2026", "Berth", "Made", "Maker", "Harbor Owner"])
        assert.include(pageText, text)
      const links = yield* promise(() => page.evaluate("[...document.querySelectorAll('main a')].map((a) => a.href)"))
      assert.include(links, "https://harbor.example/x")
      assert.notInclude(pageText, "not for pages")
      yield* press(page, "1 reply")
      yield* shows(page, "Seen.")
      const scripts = yield* promise(() => page.evaluate("document.querySelectorAll('main script, main i').length"))
      assert.strictEqual(scripts, 0)
      yield* judgedInAllSizes(page, "record-address")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})

// docs/console.md, "What is not saved yet", in real Chromium: a page with typed text that is not saved asks before it is left, and a search
// over an edited cell gives the keyboard back to it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { found, until } from "../pages/waiting.ts"
import { fill, gone, judgedInAllSizes, opened, press, promise, shows } from "./consoleTab.ts"
import { clickCell, keys, openGrid, reads, seedBoats } from "./grid/gridTab.ts"

layer(SharedScene, { excludeTestServices: true })("text that is not saved", (it) => {
  it.effect("a comment, a field's form and a new record's form ask before their page is left", () =>
    Effect.gen(function* () {
      const { app, call, ids } = yield* seedBoats(3, "Skiffs")
      const { service } = yield* Scene
      const { page } = yield* openGrid(app)
      const to = (path: string) => promise(() => page.goto(`${service.origin}/console${path}`))
      yield* to(`/records/${ids[0]}`)
      yield* opened(page, "Boat 1")
      yield* fill(page, "Comment", "Who has the keys?", "textbox")
      yield* press(page, "Runs", "link")
      yield* shows(page, "Leave without saving?")
      yield* judgedInAllSizes(page, "leave-unsaved")
      yield* press(page, "Stay")
      yield* gone(page, "dialog[open]")
      // Once it is sent, nothing is asked.
      yield* press(page, "Comment")
      yield* eventually("it is said", call("GET", `/comment/record/${ids[0]}`), ({ total }: any) => total === 1)
      yield* promise(() => until(page, `document.querySelector(".say textarea").value === ""`))
      yield* press(page, "Runs", "link")
      yield* opened(page, "Runs")
      yield* to(`/records/${ids[0]}`)
      yield* opened(page, "Boat 1")
      yield* press(page, "Edit Port")
      yield* fill(page, "Port", "Riga", "textbox")
      yield* press(page, "Apps", "link")
      yield* press(page, "Leave without saving")
      yield* opened(page, "Apps")
      yield* to(`/apps/${app.app_id}/new`)
      yield* opened(page, "New boat")
      yield* fill(page, "Name", "Boat 9", "textbox")
      yield* press(page, "Runs", "link")
      yield* press(page, "Stay")
      yield* press(page, "Save")
      yield* opened(page, "Boat 9")
    }).pipe(Effect.scoped)
  )

  it.effect("Ctrl+K over an edited cell neither saves it nor loses the keyboard's place", () =>
    Effect.gen(function* () {
      const { app, read } = yield* seedBoats(3, "Yawls")
      const { page } = yield* openGrid(app)
      yield* clickCell(page, 1, 2)
      yield* promise(() => page.keyboard.type("Ri"))
      yield* keys(page, "Control+k")
      yield* promise(() => found(page, "dialog[open]"))
      yield* keys(page, "Escape")
      yield* gone(page, "dialog[open]")
      const kept = yield* promise(() =>
        until(page, () => {
          const { activeElement } = (globalThis as any).document
          return (
            activeElement?.closest(".cell-editor") !== null && activeElement.selectionStart === 2 && activeElement.value
          )
        })
      )
      assert.strictEqual(kept, "Ri")
      yield* promise(() => page.keyboard.type("ga"))
      assert.strictEqual((yield* read(1)).port, "Kiel")
      yield* keys(page, "Enter")
      yield* reads(page, 1, 2, "Riga", null)
      yield* eventually("it is saved", read(1), ({ port }) => port === "Riga")
    }).pipe(Effect.scoped)
  )
})

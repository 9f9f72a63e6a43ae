// docs/console.md, "Board, calendar, gallery, form", in real Chromium: a calendar, a form that adds a record with a picture, and the gallery that
// shows it (developer-api.md 11.6).
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ElementHandle } from "puppeteer-core"
import { Scene } from "../../pages/chromium.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { found, until } from "../../pages/waiting.ts"
import { choose, complaintsOf, fill, gone, judgedInAllSizes, opened, press, promise, shows } from "../consoleTab.ts"
import { keys } from "../grid/gridTab.ts"
import { cardOf, dragCard, focusCard, openLayout, seedFleet, standsIn, tells } from "./layoutTab.ts"

const ships = [
  { name: "Tern", kind: "Sail", length: 21, arrives: "2026-12-03 09:30", leaves: "2026-12-08" },
  { name: "Gull", kind: "Motor", length: 40.5, arrives: "2026-12-05" },
  ...Array.from({ length: 6 }, (_, index) => ({ name: `Barge ${index}`, arrives: "2026-12-17 12:00" })),
  { name: "Petrel", arrives: "2027-01-12" },
  { name: "Skua" }
]
/** A picture of one red point. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

layer(SharedScene, { excludeTestServices: true })("layouts of an app", (it) => {
  it.effect(
    "a calendar shows records on their days, moves them by drag and keyboard at the same time of day, and adds",
    () =>
      Effect.gen(function* () {
        const { app, fieldId, read } = yield* seedFleet(ships)
        const tab = yield* openLayout(app, "?layout=calendar&day=2026-12-01")
        const { page } = tab
        yield* shows(page, "December 2026")
        yield* standsIn(page, "Gull", "2026-12-05")
        yield* standsIn(page, "Tern", "2026-12-03")
        yield* judgedInAllSizes(page, "calendar")

        const formerDate = String(yield* read("Tern", "arrives"))
        yield* dragCard(page, "Tern", "2026-12-10")
        yield* standsIn(page, "Tern", "2026-12-10", "saved")
        assert.strictEqual(yield* read("Tern", "arrives"), formerDate.replace("-03 ", "-10 "))

        // Into the next year by the keyboard.
        yield* focusCard(page, "Gull")
        yield* keys(page, " ", "ArrowRight", ...Array.from({ length: 5 }, () => "ArrowDown"))
        yield* shows(page, "January 2027")
        yield* tells(page, "On Sunday, January 10, 2027.")
        yield* keys(page, "Enter")
        yield* standsIn(page, "Gull", "2027-01-10", "saved")
        assert.strictEqual(yield* read("Gull", "arrives"), "2027-01-10 00:00:00")
        yield* standsIn(page, "Petrel", "2027-01-12")

        yield* press(page, "Previous month")
        yield* press(page, "3 more on Thursday, December 17, 2026")
        yield* promise(() => until(page, "document.querySelectorAll('dialog .card-link').length === 6"))
        yield* press(page, "Close")

        yield* choose(page, "Ends on", "Leaves")
        yield* keys(page, "Escape")
        yield* promise(() => until(page, `location.search.includes("end=${fieldId("leaves")}")`))

        yield* press(page, "Add on Wednesday, December 23, 2026")
        yield* fill(page, "Name", "Albatross")
        yield* keys(page, "Enter")
        yield* gone(page, "dialog")
        yield* standsIn(page, "Albatross", "2026-12-23")
        yield* choose(page, "Show", "Week")
        yield* promise(() => until(page, "document.querySelectorAll('table.calendar tbody tr').length === 1"))
        assert.deepStrictEqual(complaintsOf(tab), [])
      }).pipe(Effect.scoped)
  )

  it.effect("a span of two fields covers its days and moves as a whole, by its menu too", () =>
    Effect.gen(function* () {
      const { app, fieldId, read } = yield* seedFleet(ships)
      const tab = yield* openLayout(
        app,
        `?layout=calendar&day=2026-12-01&start=${fieldId("arrives")}&end=${fieldId("leaves")}`
      )
      const { page } = tab
      yield* standsIn(page, "Tern, Thursday, December 3, 2026 to Tuesday, December 8, 2026", "2026-12-03")
      const parts = yield* promise(() => page.$$eval("[data-long]", (all) => all.length))
      assert.strictEqual(parts, 2)
      yield* judgedInAllSizes(page, "calendar-spans")
      yield* focusCard(page, "Tern, Thursday, December 3, 2026 to Tuesday, December 8, 2026")
      yield* keys(page, "Shift+F10")
      yield* press(page, "Move to a day…", "menuitem")
      yield* promise(async () => {
        const input = await found(page, "dialog input[type=date]")
        await input.type("12102026")
      })
      yield* press(page, "Move")
      yield* standsIn(page, "Tern, Thursday, December 10, 2026 to Tuesday, December 15, 2026", "2026-12-10", "saved")
      assert.strictEqual(yield* read("Tern", "leaves"), "2026-12-15 00:00:00")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "shows both values where somebody else moved a record while it was dragged, carried or asked for a day",
    () =>
      Effect.gen(function* () {
        const { app, call, ids, read } = yield* seedFleet(ships)
        const { page } = yield* openLayout(app, "?layout=calendar&day=2026-12-01")
        const moveTern = (arrives: string) => call("PUT", `/record/${ids["Tern"]}`, { fields: { arrives } })
        yield* dragCard(
          page,
          "Tern",
          "2026-12-10",
          Effect.andThen(moveTern("2026-12-12 07:30"), standsIn(page, "Tern", "2026-12-12"))
        )
        yield* shows(page, "changed Arrives of Tern while you edited it.")
        assert.strictEqual(yield* read("Tern", "arrives"), "2026-12-12 07:30:00")
        yield* press(page, "Keep theirs: Arrives of Tern")
        yield* standsIn(page, "Tern", "2026-12-12", "saved")

        yield* focusCard(page, "Tern")
        yield* keys(page, " ", "ArrowRight")
        yield* tells(page, "On Sunday, December 13, 2026.")
        yield* moveTern("2026-12-15 07:30")
        yield* call("PUT", `/record/${ids["Gull"]}`, { fields: { name: "Great gull" } })
        yield* shows(page, "Great gull")
        yield* keys(page, " ")
        yield* shows(page, "changed Arrives of Tern while you edited it.")
        yield* press(page, "Save mine: Arrives of Tern")
        yield* standsIn(page, "Tern", "2026-12-13", "saved")
        assert.strictEqual(yield* read("Tern", "arrives"), "2026-12-13 07:30:00")
      }).pipe(Effect.scoped)
  )

  it.effect(
    "the form of a view asks for its visible columns, adds a record and another one; the gallery shows its picture",
    () =>
      Effect.gen(function* () {
        const { service } = yield* Scene
        const { app, call, fieldId } = yield* seedFleet(ships)
        const { view } = yield* call("POST", `/view/app/${app.app_id}`, {
          name: "Report a ship",
          layout: "gallery",
          cover_field_id: fieldId("pictures"),
          columns: [
            { field_id: fieldId("pictures") },
            ...["kind", "arrives", "leaves", "length"].map((name) => ({ field_id: fieldId(name), hidden: true }))
          ]
        })
        const tab = yield* openLayout(app, `?view=${view.view_id}`)
        const { page } = tab
        yield* cardOf(page, "Tern")
        yield* press(page, "Form", "link")
        yield* opened(page, "Report a ship")
        assert.strictEqual(page.url(), `${service.origin}/console/apps/${app.app_id}/form?view=${view.view_id}`)
        const labels = yield* promise(() =>
          page.$$eval("main form :is(label, legend)", (all) => all.map((one: any) => one.textContent.trim()))
        )
        assert.deepStrictEqual(labels.slice(0, 3), ["Name", "Pictures", "State (required)"])
        yield* judgedInAllSizes(page, "form")
        const picture = join(mkdtempSync(join(tmpdir(), "picture-")), "fulmar.png")
        writeFileSync(picture, Buffer.from(PICTURE, "base64"))
        yield* fill(page, "Name", "Fulmar")
        yield* promise(async () => {
          const input = (await found(page, "input[type=file]")) as ElementHandle<any>
          await input.uploadFile(picture)
        })
        yield* shows(page, "Remove")
        yield* press(page, "Add")
        yield* shows(page, "was added to Fleet.")
        yield* press(page, "Add another")
        yield* fill(page, "Name", "Kittiwake")
        yield* press(page, "Add")
        yield* shows(page, "was added to Fleet.")

        yield* press(page, "Fleet", "link")
        yield* opened(page, "Fleet")
        yield* cardOf(page, "Kittiwake")
        yield* promise(() =>
          until(page, `[...document.querySelectorAll(".gallery-card img")].some((one) => one.naturalWidth === 1)`)
        )
        yield* judgedInAllSizes(page, "gallery")
        yield* focusCard(page, "Fulmar")
        yield* keys(page, "Enter")
        yield* promise(() => found(page, "::-p-aria([name='Fulmar'][role='heading'])"))
        assert.deepStrictEqual(complaintsOf(tab), [])
      }).pipe(Effect.scoped)
  )
})

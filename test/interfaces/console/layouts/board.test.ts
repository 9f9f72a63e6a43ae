// docs/console.md, "Board, calendar, gallery, form", in real Chromium: a board whose cards are dragged, carried by the keyboard and moved by
// their menu (developer-api.md 11.6).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../../pages/chromium.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { found, until } from "../../pages/waiting.ts"
import { choose, complaintsOf, fill, gone, judgedInAllSizes, opened, press, promise, shows } from "../consoleTab.ts"
import { keys } from "../grid/gridTab.ts"
import { cardOf, dragCard, focusCard, openLayout, seedFleet, standsIn, tells } from "./layoutTab.ts"

const ships = [
  ...Array.from({ length: 70 }, (_, index) => ({ name: `Barge ${String(index).padStart(2, "0")}`, state: "Left" })),
  { name: "Tern", kind: "Sail", length: 21, arrives: "2026-12-03 07:30", state: "In port" },
  { name: "Gull", kind: "Motor", length: 40.5, state: "Expected" },
  { name: "Petrel", state: "Expected", arrives: "2026-12-05 10:00" }
]
const column = (page: any, text: string) =>
  promise(() =>
    until(
      page,
      (words) =>
        [...(globalThis as any).document.querySelectorAll(".board-column")].find((one: any) =>
          one.ariaLabel.startsWith(words)
        )?.dataset.drop ?? false,
      text
    ).then(String)
  )
const counts = (page: any, ...labels: ReadonlyArray<string>) =>
  promise(() =>
    until(
      page,
      (expected) =>
        [...(globalThis as any).document.querySelectorAll(".board-column")]
          .map((one: any) => one.ariaLabel)
          .join("; ") === expected,
      labels.join("; ")
    )
  )

layer(SharedScene, { excludeTestServices: true })("a board", (it) => {
  it.effect("groups by a status, is dragged, carried by the keyboard, moved by a menu, and undone", () =>
    Effect.gen(function* () {
      const { app, read } = yield* seedFleet(ships)
      const tab = yield* openLayout(app, "")
      const { page } = tab
      yield* press(page, "Board")
      yield* counts(page, "Expected, 2", "In port, 1", "Left, 70")
      yield* promise(() => until(page, `location.search.includes("layout=board")`))
      const [expected, inPort, left] = [
        yield* column(page, "Expected"),
        yield* column(page, "In port"),
        yield* column(page, "Left")
      ]
      yield* judgedInAllSizes(page, "board")
      yield* dragCard(page, "Gull", inPort)
      yield* standsIn(page, "Gull", inPort, "saved")
      assert.strictEqual(yield* read("Gull", "state"), "In port")
      yield* counts(page, "Expected, 1", "In port, 2", "Left, 70")
      // The press that ended the drag opened nothing; Escape ends a drag where it began.
      assert.notInclude(page.url(), "record=")
      yield* dragCard(page, "Petrel", left, keys(page, "Escape"))
      yield* standsIn(page, "Petrel", expected, "saved")

      yield* focusCard(page, "Petrel")
      yield* keys(page, " ")
      yield* tells(page, "Petrel picked up from Expected.")
      yield* keys(page, "ArrowRight", "ArrowRight")
      yield* standsIn(page, "Petrel", left)
      yield* keys(page, "Escape")
      yield* standsIn(page, "Petrel", expected)
      yield* keys(page, " ", "ArrowRight", " ")
      yield* tells(page, "Dropped in In port.")
      yield* standsIn(page, "Petrel", inPort, "saved")
      assert.strictEqual(yield* read("Petrel", "state"), "In port")
      yield* promise(() =>
        until(page, `document.activeElement?.textContent === "Petrel" && document.activeElement.isConnected`)
      )
      yield* keys(page, "Control+z")
      yield* standsIn(page, "Petrel", expected, "saved")
      assert.strictEqual(yield* read("Petrel", "state"), "Expected")

      yield* press(page, "Actions on Petrel")
      yield* press(page, "Move to Left", "menuitem")
      yield* standsIn(page, "Petrel", left, "saved")
      yield* counts(page, "Expected, 0", "In port, 2", "Left, 71")
      assert.strictEqual(yield* read("Petrel", "state"), "Left")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "pages each column as it is scrolled, adds a card in one, opens cards beside it, follows others and filters",
    () =>
      Effect.gen(function* () {
        const { app, call, fieldId, ids } = yield* seedFleet(ships)
        const tab = yield* openLayout(app, `?layout=board&board=${fieldId("state")}`)
        const { page } = tab
        yield* counts(page, "Expected, 2", "In port, 1", "Left, 70")
        const leftColumn = yield* column(page, "Left")
        const cards = `[data-drop="${leftColumn}"] [data-card]`
        yield* promise(() => until(page, `document.querySelectorAll('${cards}').length === 30`))
        yield* promise(async () => {
          for (const many of [60, 70]) {
            await page.$eval(`[data-drop="${leftColumn}"] .cards`, (list: any) => list.scrollTo(0, list.scrollHeight))
            await until(page, `document.querySelectorAll('${cards}').length >= ${many}`)
          }
        })

        yield* press(page, "Add to In port")
        yield* fill(page, "Name", "Albatross")
        yield* keys(page, "Enter")
        yield* gone(page, "dialog")
        yield* counts(page, "Expected, 2", "In port, 2", "Left, 70")
        yield* standsIn(page, "Albatross", yield* column(page, "In port"))

        yield* focusCard(page, "Tern")
        yield* keys(page, "Enter")
        yield* promise(() => found(page, "::-p-aria([name='Tern'][role='heading'])"))
        assert.include(page.url(), `record=${ids["Tern"]}`)
        yield* keys(page, "Escape")
        yield* gone(page, ".record-panel")
        yield* promise(() => until(page, `document.activeElement?.textContent === "Tern"`))

        // Somebody else moves one: it follows by itself.
        yield* call("PUT", `/record/${ids["Tern"]}`, { fields: { state: "Left" } })
        yield* counts(page, "Expected, 2", "In port, 1", "Left, 71")

        yield* choose(page, "Columns by", "Kind")
        yield* counts(page, "Sail, 1", "Motor, 1", "No kind, 72")
        yield* dragCard(page, "Gull", "0")
        yield* counts(page, "Sail, 1", "Motor, 0", "No kind, 73")
        yield* fill(page, "Search by title", "Tern")
        yield* counts(page, "Sail, 1", "Motor, 0", "No kind, 0")
        yield* cardOf(page, "Tern")
        assert.deepStrictEqual(complaintsOf(tab), [])
      }).pipe(Effect.scoped)
  )

  it.effect(
    "a card that was moved stays drawn where its order puts it beyond the first ones, and the move is undone",
    () =>
      Effect.gen(function* () {
        const { app, call, ids } = yield* seedFleet([{ name: "Auk", state: "Expected" }, ...ships.slice(0, 40)])
        const { page } = yield* openLayout(app, "?layout=board")
        yield* counts(page, "Expected, 1", "In port, 0", "Left, 40")
        yield* dragCard(page, "Auk", yield* column(page, "Left"))
        yield* counts(page, "Expected, 0", "In port, 0", "Left, 41")
        const leftColumn = yield* column(page, "Left")
        yield* standsIn(page, "Auk", leftColumn, "saved")
        // The newest come first, of which thirty are drawn: Auk is the last of the column, which is read again with the new length.
        yield* call("PUT", `/record/${ids["Barge 39"]}`, { fields: { length: 44.5 } })
        yield* shows(page, "44.5")
        yield* standsIn(page, "Auk", leftColumn)
        yield* counts(page, "Expected, 0", "In port, 0", "Left, 41")
        yield* keys(page, "Control+z")
        yield* counts(page, "Expected, 1", "In port, 0", "Left, 40")
      }).pipe(Effect.scoped)
  )

  it.effect("keeps a move while the service is away, and shows both values where somebody else was first", () =>
    Effect.gen(function* () {
      const { app, call, ids, read } = yield* seedFleet(ships.slice(-3))
      const tab = yield* openLayout(app, "?layout=board")
      const { page } = tab
      yield* counts(page, "Expected, 2", "In port, 1", "Left, 0")
      const inPort = yield* column(page, "In port")
      yield* promise(() => page.setOfflineMode(true))
      yield* dragCard(page, "Gull", inPort)
      yield* standsIn(page, "Gull", inPort)
      yield* call("PUT", `/record/${ids["Gull"]}`, { fields: { state: "Left" } })
      yield* promise(() => page.setOfflineMode(false))
      yield* shows(page, "changed State of Gull while you edited it.")
      yield* press(page, "Save mine: State of Gull")
      yield* standsIn(page, "Gull", inPort, "saved")
      assert.strictEqual(yield* read("Gull", "state"), "In port")

      // So it is where somebody else was first while the card was carried.
      const expected = yield* column(page, "Expected")
      yield* focusCard(page, "Petrel")
      yield* keys(page, " ", "ArrowRight")
      yield* call("PUT", `/record/${ids["Petrel"]}`, { fields: { state: "Left", length: 7.5 } })
      yield* shows(page, "7.5")
      yield* keys(page, " ")
      yield* shows(page, "changed State of Petrel while you edited it.")
      yield* press(page, "Keep theirs: State of Petrel")
      yield* standsIn(page, "Petrel", yield* column(page, "Left"), "saved")
      yield* call("PUT", `/record/${ids["Petrel"]}`, { fields: { state: "Expected" } })
      yield* standsIn(page, "Petrel", expected, "saved")
      yield* dragCard(
        page,
        "Petrel",
        inPort,
        Effect.andThen(
          call("PUT", `/record/${ids["Petrel"]}`, { fields: { state: "Left", length: 9.5 } }),
          shows(page, "9.5")
        )
      )
      yield* shows(page, "changed State of Petrel while you edited it.")
    }).pipe(Effect.scoped)
  )

  it.effect("a view narrows it, and keeps it as its layout", () =>
    Effect.gen(function* () {
      const { service } = yield* Scene
      const { app, call, fieldId } = yield* seedFleet(ships.slice(-3))
      const { view } = yield* call("POST", `/view/app/${app.app_id}`, {
        name: "Long ones",
        layout: "table",
        filters: [{ field_id: fieldId("length"), type: "number", match_type: "larger", values: [{ value: 1 }] }]
      })
      const tab = yield* openLayout(app, `?view=${view.view_id}`)
      const { page } = tab
      yield* press(page, "Board")
      yield* counts(page, "Expected, 1", "In port, 1", "Left, 0")
      yield* choose(page, "Columns by", "Kind")
      yield* counts(page, "Sail, 1", "Motor, 1", "No kind, 0")
      yield* press(page, "Save layout to the view")
      yield* promise(() => until(page, "!location.search.includes('layout=')"))
      const { view: saved } = yield* call("GET", `/view/${view.view_id}`)
      assert.deepStrictEqual([saved.layout, saved.board_field_id], ["board", fieldId("kind")])
      yield* promise(() => page.goto(`${service.origin}/console/apps/${app.app_id}?view=${view.view_id}`))
      yield* opened(page, "Fleet")
      yield* counts(page, "Sail, 1", "Motor, 1", "No kind, 0")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})

// docs/console.md, "Edited cells", in real Chromium: shown at once, kept while the service cannot be reached and over a reload, sent in order;
// what is refused or was changed by somebody else waits for its author.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { eventually } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, until } from "../pages/waiting.ts"
import { callerOfScene, field } from "./consoleSeeds.ts"
import { fill, judgedInAllSizes, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const seedBoats = Effect.gen(function* () {
  const call = yield* callerOfScene
  const { workspaces } = yield* call("GET", "/workspace/org")
  const app = yield* call("POST", "/app", {
    workspace_id: workspaces[0].workspace_id,
    name: "Boats",
    item_name: "Boat",
    fields: [field("single_text", "Name"), field("number", "Length"), field("single_text", "Port")]
  })
  const { records } = yield* call("POST", `/record/app/batch/${app.app_id}`, {
    inputs: ["Tern", "Gull", "Heron"].map((name) => ({ fields: { name, length: 5, port: "Kiel" } }))
  })
  const ids: ReadonlyArray<number> = records.map(({ record_id }: any) => record_id)
  /** Values of a boat as the API has them. @param row as the grid shows it, the newest first */
  const read = (row: number) =>
    Effect.map(call("GET", `/record/${ids.at(-1 - row)}`), ({ fields }: any) =>
      Object.fromEntries(fields.map(({ external_id, values }: any) => [external_id, values[0]?.value ?? null]))
    )
  const change = (row: number, fields: object) => call("PUT", `/record/${ids.at(-1 - row)}`, { fields })
  return { app, change, ids, read }
})

/** Opens the grid of the boats. */
const openBoats = Effect.gen(function* () {
  const { browser, service } = yield* Scene
  const boats = yield* seedBoats
  const tab = yield* openConsoleTab(browser)
  yield* openSignedIn(tab, `${service.origin}/console/apps/${boats.app.app_id}`, "Harbor Works")
  yield* opened(tab.page, "Boats")
  return { ...boats, page: tab.page }
})

const cell = (row: number, column: number) => `[data-row="${row}"][data-column="${column}"]`

/** Types over a cell, which the keyboard is not at, and keeps it. */
const type = (page: Page, row: number, column: number, text: string) =>
  promise(async () => {
    await clicked(page, cell(row, column))
    await page.keyboard.type(text)
    await page.keyboard.press("Enter")
  })

const holds = (page: Page, row: number, column: number, text: string, state: string | null) =>
  promise(() =>
    until(
      page,
      (selector, words, kind) => {
        const element = (globalThis as any).document.querySelector(selector)
        return element?.textContent?.trim() === words && element.getAttribute("data-write") === kind
      },
      cell(row, column),
      text,
      state
    )
  )

layer(SharedScene, { excludeTestServices: true })("edited cells", (it) => {
  it.effect("are shown at once, kept while the service cannot be reached and over a reload, and saved in order", () =>
    Effect.gen(function* () {
      const { page, read } = yield* openBoats
      const updates: Array<string> = []
      let areUpdatesCut = true
      page.on("dialog", (dialog) => void dialog.accept())
      yield* promise(() => page.setOfflineMode(true))
      yield* type(page, 0, 1, "12")
      yield* holds(page, 0, 1, "12", "waiting")
      yield* type(page, 1, 2, "Malmö")
      yield* type(page, 0, 1, "13")
      yield* holds(page, 0, 1, "13", "waiting")
      yield* holds(page, 1, 2, "Malmö", "waiting")
      yield* shows(page, "No connection to the service.")
      yield* judgedInAllSizes(page, "cells-offline")
      assert.deepStrictEqual(yield* Effect.map(read(0), ({ length }) => length), 5)
      // The page comes from the service again, and what it saves does not reach it yet.
      yield* promise(async () => {
        await page.setRequestInterception(true)
        page.on("request", (request) => {
          const isUpdate = request.method() === "PUT"
          if (isUpdate && areUpdatesCut) return void request.abort("connectionrefused")
          if (isUpdate) updates.push(request.postData() ?? "")
          void request.continue()
        })
        await page.setOfflineMode(false)
        await page.reload()
      })
      yield* opened(page, "Boats")
      yield* holds(page, 0, 1, "13", "waiting")
      yield* holds(page, 1, 2, "Malmö", "waiting")
      areUpdatesCut = false
      yield* holds(page, 0, 1, "13", null)
      yield* holds(page, 1, 2, "Malmö", null)
      // What has waited goes in one request; a value that was on its way is followed by the one that came after it.
      const [batch] = updates.map((body) => JSON.parse(body))
      assert.deepStrictEqual(
        batch.inputs.map(({ fields }: any) => Object.keys(fields)),
        [["length"], ["port"]]
      )
      assert.isAtMost(updates.length, 2)
      assert.deepStrictEqual([(yield* read(0)).length, (yield* read(1)).port], [13, "Malmö"])
      assert.strictEqual(yield* promise(() => page.evaluate("sessionStorage.length")), 0)
    }).pipe(Effect.scoped)
  )

  it.effect("that are refused keep what was typed and say why, to be corrected or discarded", () =>
    Effect.gen(function* () {
      const { page, read } = yield* openBoats
      yield* type(page, 0, 1, "wide")
      yield* shows(page, "Length of Heron was not saved.")
      yield* holds(page, 0, 1, "wide", "refused")
      yield* judgedInAllSizes(page, "cells-refused")
      yield* type(page, 2, 1, "broad")
      yield* holds(page, 2, 1, "broad", "refused")
      yield* type(page, 0, 1, "14")
      yield* holds(page, 0, 1, "14", null)
      yield* press(page, "Discard: Length of Tern")
      yield* holds(page, 2, 1, "5", null)
      assert.deepStrictEqual([(yield* read(0)).length, (yield* read(2)).length], [14, 5])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "that somebody else changed meanwhile are shown with both values and a choice; other cells are no conflict",
    () =>
      Effect.gen(function* () {
        const { change, page, read } = yield* openBoats
        /** Edits a cell while it is changed elsewhere. */
        const editMeanwhile = Effect.fnUntraced(function* (column: number, text: string, fields: object) {
          yield* promise(async () => {
            await clicked(page, cell(0, column))
            await page.keyboard.type(text)
          })
          yield* change(0, fields)
          yield* promise(() => page.keyboard.press("Enter"))
        })
        yield* editMeanwhile(1, "20", { port: "Oslo" })
        yield* holds(page, 0, 1, "20", null)
        yield* holds(page, 0, 2, "Oslo", null)
        yield* editMeanwhile(2, "Riga", { port: "Visby" })
        yield* shows(page, "Harbor Owner changed Port of Heron while you edited it.")
        yield* holds(page, 0, 2, "Riga", "conflict")
        const values = yield* promise(() => page.$$eval(".both-values dd", (all) => all.map((one) => one.textContent)))
        assert.deepStrictEqual(values, ["Visby", "Riga"])
        yield* judgedInAllSizes(page, "cells-conflict")
        assert.strictEqual((yield* read(0)).port, "Visby")
        yield* press(page, "Save mine: Port of Heron")
        yield* eventually("mine is saved", read(0), ({ port }) => port === "Riga")
        yield* holds(page, 0, 2, "Riga", null)
        // Also where the change has come to the grid before the edit ends.
        yield* promise(async () => {
          await clicked(page, cell(0, 2))
          await page.keyboard.type("Turku")
        })
        yield* change(0, { port: "Narva", length: 21 })
        yield* holds(page, 0, 1, "21", null)
        yield* promise(() => page.keyboard.press("Enter"))
        yield* press(page, "Keep theirs: Port of Heron")
        yield* holds(page, 0, 2, "Narva", null)
        // Of two cells of a record, the one that nobody else changed is saved.
        yield* promise(() => page.setOfflineMode(true))
        yield* type(page, 0, 1, "22")
        yield* type(page, 0, 2, "Aarhus")
        yield* change(0, { port: "Skagen" })
        yield* promise(() => page.setOfflineMode(false))
        yield* holds(page, 0, 1, "22", null)
        yield* holds(page, 0, 2, "Aarhus", "conflict")
        assert.deepStrictEqual([(yield* read(0)).port, (yield* read(0)).length], ["Skagen", 22])
      }).pipe(Effect.scoped)
  )

  it.effect("of a record's page ask in the same way", () =>
    Effect.gen(function* () {
      const { change, ids, page, read } = yield* openBoats
      yield* promise(() => page.goto(`${new URL(page.url()).origin}/console/records/${ids.at(-1)}`))
      yield* opened(page, "Heron")
      yield* press(page, "Edit Port")
      yield* fill(page, "Port", "Riga", "textbox")
      yield* change(0, { length: 30 })
      yield* press(page, "Save")
      yield* eventually("another field is no conflict", read(0), ({ length, port }) => port === "Riga" && length === 30)
      yield* press(page, "Edit Port")
      yield* fill(page, "Port", "Turku", "textbox")
      yield* change(0, { port: "Visby" })
      yield* press(page, "Save")
      yield* shows(page, "Harbor Owner changed Port while you edited it.")
      yield* judgedInAllSizes(page, "form-conflict")
      assert.strictEqual((yield* read(0)).port, "Visby")
      yield* press(page, "Save mine")
      yield* eventually("mine is saved", read(0), ({ port }) => port === "Turku")
    }).pipe(Effect.scoped)
  )
})

// docs/console.md, "Copy and paste" and "Undo", in real Chromium: blocks are copied, pasted with a report, cleared, filled, undone and redone.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { eventually } from "../../../support/eventually.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { found } from "../../pages/waiting.ts"
import { gone, judgedInAllSizes, promise, shows } from "../consoleTab.ts"
import { cell, clickCell, keys, openGrid, reads, reports, seedBoats, selects } from "./gridTab.ts"

const putOnClipboard = (page: Page, text: string) =>
  promise(() => page.evaluate((words) => (globalThis as any).navigator.clipboard.writeText(words), text))
const clipboard = (page: Page) =>
  promise(() => page.evaluate(() => (globalThis as any).navigator.clipboard.readText() as Promise<string>))

/** Requests that change records, while the page makes them. */
const watchWrites = (page: Page) => {
  const watchedWrites: Array<string> = []
  page.on("request", (request) => {
    if (
      /\/v1\/record\//.test(request.url()) &&
      ["PUT", "POST"].includes(request.method()) &&
      !/\/filter\//.test(request.url())
    )
      watchedWrites.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  return watchedWrites
}

layer(SharedScene, { excludeTestServices: true })("copying and pasting cells", (it) => {
  it.effect("a block is copied as a spreadsheet takes it and pasted again without loss, undone and redone", () =>
    Effect.gen(function* () {
      const { app, call, ids, read } = yield* seedBoats()
      const sail = app.fields[3].config.settings.options[0]
      yield* call("PUT", `/record/${ids[0]}`, {
        fields: { kind: sail.id, built: "2024-05-01", port: 'Kiel "new"\there' }
      })
      const { page } = yield* openGrid(app)
      yield* reads(page, 0, 3, "Sail")
      yield* keys(page, "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown")
      yield* selects(page, "2 by 4 cells selected")
      yield* keys(page, "Control+c")
      yield* reports(page, "8 cells copied.")
      assert.strictEqual(
        (yield* clipboard(page)).replaceAll("\r", ""),
        '1\t"Kiel ""new""\there"\tSail\t2024-05-01\n2\tKiel\t\t'
      )
      yield* clickCell(page, 3, 1)
      yield* keys(page, "Control+v")
      yield* reports(page, "8 cells pasted.")
      yield* reads(page, 3, 3, "Sail", null)
      yield* reads(page, 4, 1, "2", null)
      assert.deepStrictEqual(yield* read(3), {
        name: "Boat 4",
        length: 1,
        port: 'Kiel "new"\there',
        kind: "Sail",
        built: "2024-05-01"
      })
      yield* keys(page, "Control+z")
      yield* reports(page, "Undone: paste.")
      yield* reads(page, 3, 3, "", null)
      yield* reads(page, 4, 1, "5", null)
      yield* keys(page, "Control+y")
      yield* reads(page, 3, 3, "Sail", null)
      yield* eventually("it is pasted again", read(4), ({ length }) => length === 2)
    }).pipe(Effect.scoped)
  )

  it.effect("texts of a spreadsheet are read by field; what does not fit is reported with place and reason", () =>
    Effect.gen(function* () {
      const { app, read, total } = yield* seedBoats(6, "Barges")
      const { page } = yield* openGrid(app)
      yield* reads(page, 0, 0, "Boat 1")
      yield* putOnClipboard(page, "€ 1,234\tLübeck\tmotor\nwide\t\tSteam\n7\tRiga\tSail\n")
      yield* keys(page, "ArrowRight", "Control+v")
      yield* reports(page, "7 of 9 cells pasted; 2 did not fit.")
      yield* reports(page, "Length, row 2: “wide” is no number")
      yield* judgedInAllSizes(page, "grid-paste-report")
      yield* reads(page, 0, 1, "1,234", null)
      yield* reads(page, 0, 3, "Motor", null)
      yield* reads(page, 1, 2, "", null)
      assert.deepStrictEqual(yield* read(1), { name: "Boat 2", length: 2 })
      // Rows beyond the end become new records, in one change with the cells.
      yield* clickCell(page, 5, 0)
      yield* putOnClipboard(page, "Old\t60\nNew A\t61\nNew B\t62")
      yield* keys(page, "Control+v")
      yield* reports(page, "6 cells pasted. 2 new records.")
      yield* reads(page, 0, 0, "New A", null)
      yield* reads(page, 1, 0, "New B", null)
      yield* reads(page, 7, 0, "Old", null)
      assert.strictEqual(yield* total, 8)
      yield* keys(page, "Control+z")
      yield* reads(page, 5, 0, "Boat 6", null)
      yield* eventually("the new records are gone", total, (count) => count === 6)
      // One value fills the whole selection.
      yield* clickCell(page, 0, 2)
      yield* keys(page, "Shift+ArrowDown", "Shift+ArrowDown")
      yield* putOnClipboard(page, "Visby")
      yield* keys(page, "Control+v")
      yield* reads(page, 2, 2, "Visby", null)
      yield* reads(page, 0, 2, "Visby", null)
    }).pipe(Effect.scoped)
  )

  it.effect("cells are cleared, filled down by keys and by the handle; 500 cells go in two requests", () =>
    Effect.gen(function* () {
      const { app, read } = yield* seedBoats(100, "Ferries")
      const { page } = yield* openGrid(app)
      yield* reads(page, 0, 0, "Boat 1")
      const pageWrites = watchWrites(page)
      yield* keys(page, "ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown", "Delete")
      yield* reads(page, 1, 2, "", null)
      assert.deepStrictEqual(yield* read(0), { name: "Boat 1" })
      yield* keys(page, "Control+z")
      yield* reads(page, 1, 2, "Kiel", null)
      // The title has to stay: it is reported.
      yield* clickCell(page, 4, 1)
      yield* keys(page, "Shift+ArrowDown", "Shift+ArrowDown", "Control+d")
      yield* reads(page, 6, 1, "5", null)
      yield* keys(page, "ArrowDown", "Control+d")
      yield* reads(page, 5, 1, "5", null)
      yield* clickCell(page, 0, 2)
      yield* promise(() => page.keyboard.type("Oslo"))
      yield* keys(page, "Enter", "ArrowUp")
      yield* promise(async () => {
        const [handle, to] = await Promise.all([found(page, "[data-fill]"), found(page, cell(3, 2))])
        const [a, b] = [(await handle.boundingBox())!, (await to.boundingBox())!]
        await page.mouse.move(a.x + 4, a.y + 4)
        await page.mouse.down()
        await page.mouse.move(b.x + 20, b.y + 10, { steps: 5 })
        await page.mouse.up()
      })
      yield* reads(page, 3, 2, "Oslo", null)
      yield* reads(page, 4, 2, "Kiel", null)
      // A large block goes in batches of fifty records.
      yield* gone(page, "[data-write]")
      pageWrites.length = 0
      yield* clickCell(page, 0, 0)
      const block = Array.from({ length: 100 }, (_, row) =>
        [`Ferry ${row}`, row + 1_000, "Tallinn", "Sail", "2025-01-02"].join("\t")
      )
      yield* putOnClipboard(page, block.join("\n"))
      yield* keys(page, "Control+v")
      yield* reports(page, "500 cells pasted.")
      yield* reads(page, 0, 0, "Ferry 0", null)
      yield* gone(page, "[data-write]")
      yield* eventually("all are saved", read(99), ({ length, name }) => name === "Ferry 99" && length === 1_099)
      assert.deepStrictEqual(pageWrites, Array(2).fill(`PUT /v1/record/app/batch/${app.app_id}`))
      yield* putOnClipboard(page, Array(1_001).fill("x").join("\n"))
      yield* keys(page, "Control+v")
      yield* reports(page, "At most 1,000 rows and 50 columns are changed at once")
      yield* putOnClipboard(page, "x\n".repeat(200_000))
      yield* keys(page, "Control+v")
      yield* reports(page, "At most 1,000 rows and 50 columns are changed at once; these are 200,000")
      // A clipboard without a text changes nothing.
      pageWrites.length = 0
      yield* promise(() =>
        page.evaluate(async () => {
          const { ClipboardItem, document, navigator } = globalThis as any
          const canvas = document.createElement("canvas")
          const picture = await new Promise((done) => canvas.toBlob(done))
          await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })])
        })
      )
      yield* keys(page, "Control+v")
      yield* reports(page, "The clipboard holds no text.")
      assert.deepStrictEqual(pageWrites, [])
    }).pipe(Effect.scoped)
  )

  it.effect("an undo leaves what somebody else has changed since", () =>
    Effect.gen(function* () {
      const { app, call, ids, read } = yield* seedBoats(6, "Tugs")
      const { page } = yield* openGrid(app)
      yield* reads(page, 0, 0, "Boat 1")
      yield* putOnClipboard(page, "Oslo\nRiga\nTurku")
      yield* clickCell(page, 0, 2)
      yield* keys(page, "Control+v")
      yield* reads(page, 2, 2, "Turku", null)
      yield* call("PUT", `/record/${ids[1]}`, { fields: { port: "Visby" } })
      yield* reads(page, 1, 2, "Visby")
      yield* keys(page, "Control+z")
      yield* reports(page, "1 cell stayed as it is: it was changed by somebody else since.")
      yield* reads(page, 0, 2, "Kiel", null)
      yield* reads(page, 2, 2, "Kiel", null)
      assert.strictEqual((yield* read(1)).port, "Visby")
      // Where the change is not seen yet, the service refuses and both values are shown.
      yield* keys(page, "Control+y")
      yield* reads(page, 0, 2, "Oslo", null)
      yield* reads(page, 2, 2, "Turku", null)
      // A request that is cut off makes the page ask whether the service is away, and that may still get through.
      yield* promise(() => page.waitForNetworkIdle({ concurrency: 2 }))
      yield* promise(() => page.setOfflineMode(true))
      yield* keys(page, "Control+z")
      yield* reads(page, 0, 2, "Kiel", "waiting")
      yield* call("PUT", `/record/${ids[0]}`, { fields: { port: "Narva" } })
      yield* promise(() => page.setOfflineMode(false))
      yield* shows(page, "changed Port of Boat 1 while you edited it.")
      yield* reads(page, 2, 2, "Kiel", null)
      assert.strictEqual((yield* read(0)).port, "Narva")
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a number that may be read in two ways is read as its reader writes numbers; one of another tab is an export's",
    () =>
      Effect.gen(function* () {
        const { app, read } = yield* seedBoats(6, "Cutters")
        const { page } = yield* openGrid(app)
        yield* promise(async () => {
          const cdp = await page.createCDPSession()
          await cdp.send("Emulation.setLocaleOverride", { locale: "de-DE" })
        })
        yield* clickCell(page, 0, 1)
        yield* putOnClipboard(page, "1.234\n5.678")
        yield* keys(page, "Control+v")
        yield* reads(page, 1, 1, "5.678", null)
        assert.deepStrictEqual([(yield* read(0)).length, (yield* read(1)).length], [1_234, 5_678])
        yield* promise(() =>
          page.evaluate(() => {
            const { Blob, ClipboardItem, navigator } = globalThis as any
            const part = (type: string, text: string) => new Blob([text], { type })
            const html = '<table data-source="millrace"><tr><td>1.234</td></tr></table>'
            const item = { "text/plain": part("text/plain", "1.234"), "text/html": part("text/html", html) }
            return navigator.clipboard.write([new ClipboardItem(item)])
          })
        )
        yield* clickCell(page, 2, 1)
        yield* keys(page, "Control+v")
        yield* eventually(
          "it is the exported number, of which the field keeps no decimals",
          read(2),
          ({ length }) => length === 1
        )
        yield* clickCell(page, 3, 1)
        yield* keys(page, "Shift+F10", "ArrowDown", "ArrowDown", "Enter")
        yield* eventually("the menu pastes the same", read(3), ({ length }) => length === 1)
      }).pipe(Effect.scoped)
  )
})

// docs/console.md, the grid in real Chromium: walked and edited by keyboard and mouse like a spreadsheet, and scrolled to any place at once.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { KeyInput, Page } from "puppeteer-core"
import { Scene, sceneWith } from "../pages/chromium.ts"
import { clicked, found, until } from "../pages/waiting.ts"
import { callerOfScene, field, seedRecords } from "./consoleSeeds.ts"
import { complaintsOf, gone, judgedAsItIs, openConsoleTab, opened, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const keys = (page: Page, ...names: ReadonlyArray<KeyInput>) =>
  promise(async () => {
    for (const name of names) await page.keyboard.press(name)
  })
/** Where the keyboard is, as a screen reader is told. */
const focusedCell = (page: Page) =>
  promise(() =>
    page.evaluate(`(() => {
      const grid = document.querySelector("[role=grid]")
      const cell = document.getElementById(grid.getAttribute("aria-activedescendant"))
      return document.activeElement === grid && cell !== null ? [cell.dataset.row, cell.dataset.column].map(Number) : null
    })()`)
  )
const isAt = (page: Page, row: number, column: number) =>
  promise(() =>
    until(
      page,
      (wanted) => {
        const { activeElement, querySelector } = (globalThis as any).document
        const grid = querySelector.call((globalThis as any).document, "[role=grid]")
        return activeElement === grid && grid.getAttribute("aria-activedescendant")?.endsWith(wanted)
      },
      `-${row}-${column}`
    )
  )
const reads = (page: Page, row: number, column: number, words: string) =>
  promise(async () => {
    const selector = `[data-row="${row}"][data-column="${column}"]`
    try {
      await until(
        page,
        (cell, text) => (globalThis as any).document.querySelector(cell)?.textContent?.trim() === text,
        selector,
        words
      )
    } catch (cause) {
      const cellText = await page.$$eval(selector, ([cell]) => cell?.textContent)
      throw new Error(`row ${row}, column ${column} reads ${cellText}, not ${words}`, { cause })
    }
  })

layer(sceneWith({ RATE_BUDGET: "1000000" }), { excludeTestServices: true })("the grid in the console", (it) => {
  it.effect("cells are walked with the arrows and edited in their place", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, recordId, ships } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps/${ships.app_id}`, "Harbor Works")
      yield* opened(page, "Ships")
      yield* promise(() => page.focus("[role=grid]"))
      assert.deepStrictEqual(yield* focusedCell(page), [0, 0])
      // A name is typed over; Enter keeps it and goes down.
      yield* promise(() => page.keyboard.type("The Petrel"))
      yield* keys(page, "Enter")
      yield* reads(page, 0, 0, "The Petrel")
      yield* isAt(page, 1, 0)
      // Tab goes on beside it, Escape leaves a cell as it was.
      yield* keys(page, "ArrowUp", "ArrowRight", "ArrowRight", "Enter")
      yield* promise(() => found(page, ".cell-editor input"))
      yield* judgedAsItIs(page, "grid-editing")
      yield* promise(() => page.keyboard.type("5"))
      yield* keys(page, "Escape")
      yield* isAt(page, 0, 2)
      yield* promise(() => page.keyboard.type("77.5"))
      yield* keys(page, "Tab")
      yield* reads(page, 0, 2, "77.5 m")
      yield* isAt(page, 0, 3)
      // A state is chosen from its list, by mouse.
      yield* promise(() => clicked(page, `[data-row="0"][data-column="1"]`, 2))
      yield* promise(async () => {
        const select = await found(page, ".cell-editor select")
        const values = await select!.evaluate((one) => [...(one as any).options].map((option) => option.value))
        await select!.select(values[1])
        await page.keyboard.press("Enter")
      })
      yield* reads(page, 0, 1, "In port")
      // What does not fit a cell is edited beside it.
      yield* isAt(page, 1, 1)
      yield* keys(page, "ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight", "Enter")
      yield* promise(() => found(page, "dialog input[type=checkbox]:not(:checked)"))
      yield* keys(page, "Space", "Enter")
      yield* reads(page, 0, 4, "Harbor Owner")
      // Emptied, and what must not be empty stays.
      yield* isAt(page, 0, 4)
      yield* keys(page, "ArrowLeft", "ArrowLeft", "Delete")
      yield* reads(page, 0, 2, "")
      yield* gone(page, "[data-write]")
      const { fields, title } = yield* call("GET", `/record/${recordId}`)
      const valuesById = Object.fromEntries(fields.map(({ external_id, values }: any) => [external_id, values]))
      assert.deepStrictEqual(
        [title, valuesById.length, valuesById.state[0].value.text, valuesById.pilots.length],
        ["The Petrel", undefined, "In port", 1]
      )
      yield* promise(() => page.keyboard.type("wide"))
      yield* keys(page, "Enter")
      yield* shows(page, "Length of The Petrel was not saved.")
      yield* keys(page, "Home", "Space")
      yield* promise(() => found(page, ".record-panel h2::-p-text(Ship 238)"))
      yield* judgedAsItIs(page, "grid-panel")
      // Escape gives the keyboard back to the grid, which has stayed.
      yield* keys(page, "Escape")
      yield* gone(page, ".record-panel")
      yield* isAt(page, 1, 0)
      assert.deepStrictEqual(
        complaintsOf(tab).filter((one) => !one.includes("400")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.effect("any place of a long list is there at once: the scroll bar's middle, the last row, by keyboard", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const sql = yield* SqlClient.SqlClient
      const call = yield* callerOfScene
      const { workspaces } = yield* call("GET", "/workspace/org")
      const { workspace_id } = workspaces[0]
      const COUNT = Number(process.env["GRID_RECORDS"] ?? 360_000)
      const app = yield* call("POST", "/app", {
        workspace_id,
        name: "Tides",
        fields: [field("single_text", "Name"), field("number", "Level")]
      })
      const [name, level] = app.fields.map(({ field_id }: any) => String(field_id))
      yield* call("POST", `/record/app/${app.app_id}`, { fields: { name: "Tide 1", level: 1 } })
      yield* sql`
        INSERT INTO records (org_id, app_id, app_record_id, title, cells, created_on, created_by)
        SELECT org_id, app_id, n, 'Tide ' || n, jsonb_build_object(${name}::text, jsonb_build_array('Tide ' || n),
          ${level}::text, jsonb_build_array(n % 1000)), created_on, created_by
        FROM records, generate_series(2, ${COUNT}::int) AS t (n) WHERE app_id = ${app.app_id}`
      yield* sql`VACUUM (ANALYZE) records`
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps/${app.app_id}`, "Harbor Works")
      yield* opened(page, "Tides")
      yield* shows(page, `${COUNT.toLocaleString("en-US")} records`)
      yield* reads(page, 0, 0, `Tide ${COUNT}`)
      const started = Date.now()
      yield* promise(() => page.$eval(".gridbox", (box) => box.scrollTo(0, (box.scrollHeight - box.clientHeight) / 2)))
      // Rows of the middle: as many before as behind.
      yield* promise(() =>
        until(
          page,
          (count) => {
            const row = (globalThis as any).document.querySelector(`table.records tbody tr:nth-child(14) th`)
            const number = Number(/^Tide (\d+)$/.exec(row?.textContent ?? "")?.[1])
            return Math.abs(number - count / 2) < 60
          },
          COUNT
        )
      )
      console.log(`the middle of ${COUNT} records: ${Date.now() - started} ms`)
      yield* promise(() => page.focus("[role=grid]"))
      yield* promise(async () => {
        await page.keyboard.down("Control")
        await page.keyboard.press("End")
        await page.keyboard.up("Control")
      })
      yield* reads(page, COUNT - 1, 0, "Tide 1")
      yield* isAt(page, COUNT - 1, 1)
      yield* keys(page, "PageUp", "ArrowUp")
      yield* promise(async () => {
        await page.keyboard.down("Control")
        await page.keyboard.press("Home")
        await page.keyboard.up("Control")
      })
      yield* reads(page, 0, 0, `Tide ${COUNT}`)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})

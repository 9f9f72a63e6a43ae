// A grid in a tab of the console: opened on a small app, its cells addressed by row and column, its keys pressed one after another.
import { Effect } from "effect"
import type { KeyInput, Page } from "puppeteer-core"
import { Scene } from "../../pages/chromium.ts"
import { clicked, found, until } from "../../pages/waiting.ts"
import { callerOfScene, field } from "../consoleSeeds.ts"
import { openConsoleTab, opened, promise } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"

export const cell = (row: number, column: number) => `[data-row="${row}"][data-column="${column}"]`

/** Keys that Chromium has to be told the meaning of, since no window system tells it. */
const commands: Readonly<Record<string, string>> = { c: "Copy", x: "Cut", v: "Paste" }

/** Presses keys, written as `Control+Shift+ArrowDown`. */
export const keys = (page: Page, ...names: ReadonlyArray<string>) =>
  promise(async () => {
    for (const name of names) {
      const parts = name === "+" ? ["+"] : name.split("+")
      const key = parts.pop() as KeyInput
      for (const part of parts) await page.keyboard.down(part as KeyInput)
      const command = parts.includes("Control") ? commands[key] : undefined
      await page.keyboard.press(key, command === undefined ? {} : { commands: [command] })
      for (const part of parts.toReversed()) await page.keyboard.up(part as KeyInput)
    }
  })

/** Waits until a cell reads so. @param write state of its write; null once it is saved, undefined if that does not matter */
export const reads = (page: Page, row: number, column: number, words: string, write?: string | null) =>
  promise(() =>
    until(
      page,
      (selector, text, kind) => {
        const element = (globalThis as any).document.querySelector(selector)
        return element?.textContent?.trim() === text && (kind === "any" || element.getAttribute("data-write") === kind)
      },
      cell(row, column),
      words,
      write === undefined ? "any" : write
    )
  )

/** Waits until so many cells are selected, as a screen reader is told. */
export const selects = (page: Page, words: string) =>
  promise(() =>
    until(page, (text) => (globalThis as any).document.querySelector(".selection-words")?.textContent === text, words)
  )

/** Waits until the report of the grid begins so. */
export const reports = (page: Page, words: string) => promise(() => found(page, `.grid-report ::-p-text(${words})`))

/** Clicks a cell once it is there: the grid comes before its records. */
export const clickCell = (page: Page, row: number, column: number) => promise(() => clicked(page, cell(row, column)))

/** Boats with a name, a length, a port, a state and a day, the newest first: Boat 1 in row 0. */
export const seedBoats = Effect.fnUntraced(function* (count = 6, name = "Boats") {
  const call = yield* callerOfScene
  const { workspaces } = yield* call("GET", "/workspace/org")
  const app = yield* call("POST", "/app", {
    workspace_id: workspaces[0].workspace_id,
    name,
    item_name: "Boat",
    fields: [
      field("single_text", "Name"),
      field("number", "Length"),
      field("single_text", "Port"),
      field("single_category", "Kind", {
        options: [
          { text: "Sail", color: "blue" },
          { text: "Motor", color: "red" }
        ]
      }),
      field("single_date", "Built")
    ]
  })
  const ids: Array<number> = []
  for (let remaining = count; remaining > 0; remaining -= 50) {
    const inputs = Array.from({ length: Math.min(50, remaining) }, (_, index) => ({
      fields: { name: `Boat ${remaining - index}`, length: remaining - index, port: "Kiel" }
    }))
    const { records } = yield* call("POST", `/record/app/batch/${app.app_id}`, { inputs })
    ids.unshift(...records.map(({ record_id }: any) => record_id).toReversed())
  }
  /** Values of a boat as the API has them. @param row as the grid shows it */
  const read = (row: number) =>
    Effect.map(call("GET", `/record/${ids[row]}?include_deleted=true`), ({ fields }: any) =>
      Object.fromEntries(
        fields.map(({ external_id, values: [entry] }: any) => [
          external_id,
          entry?.value?.text ?? entry?.value ?? entry?.start_date_utc ?? null
        ])
      )
    )
  const total = Effect.map(call("GET", `/record/app/${app.app_id}?limit=1`), (answer: any) => answer.total as number)
  return { app, call, ids, read, total }
})

/** Opens the grid of an app, with the keyboard in it. */
export const openGrid = Effect.fnUntraced(function* (app: { readonly app_id: number; readonly name: string }) {
  const { browser, service } = yield* Scene
  const tab = yield* openConsoleTab(browser)
  yield* promise(() =>
    tab.page
      .browserContext()
      .overridePermissions(service.origin, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"])
  )
  yield* openSignedIn(tab, `${service.origin}/console/apps/${app.app_id}`, "Harbor Works")
  yield* opened(tab.page, app.name)
  yield* promise(() => found(tab.page, "[role=grid]"))
  yield* promise(() => tab.page.focus("[role=grid]"))
  return tab
})

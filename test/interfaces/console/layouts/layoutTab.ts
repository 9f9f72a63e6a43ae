// An app in its layouts, in a tab of the console: ships with a state, a kind, dates and pictures; cards addressed by their titles.
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { Scene } from "../../pages/chromium.ts"
import { found, until } from "../../pages/waiting.ts"
import { callerOfScene, field } from "../consoleSeeds.ts"
import { openConsoleTab, opened, promise } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"

export const seedFleet = Effect.fnUntraced(function* (ships: ReadonlyArray<Record<string, unknown>>) {
  const call = yield* callerOfScene
  const { workspaces } = yield* call("GET", "/workspace/org")
  const app = yield* call("POST", "/app", {
    workspace_id: workspaces[0].workspace_id,
    name: "Fleet",
    item_name: "Ship",
    fields: [
      field("single_text", "Name"),
      field(
        "status",
        "State",
        {
          options: [
            { text: "Expected", color: "orange", means_completed: false },
            { text: "In port", color: "green", means_completed: false },
            { text: "Left", color: "blue", means_completed: true }
          ]
        },
        true
      ),
      field("single_category", "Kind", {
        options: [
          { text: "Sail", color: "blue" },
          { text: "Motor", color: "red" }
        ]
      }),
      field("single_date", "Arrives", { time: "enabled" }),
      field("single_date", "Leaves"),
      field("number", "Length", { decimals: 1, unit: "m", unit_location: "suffix" }),
      field("multi_image", "Pictures")
    ]
  })
  const optionsOf = (name: string) =>
    Object.fromEntries(
      app.fields
        .find(({ external_id }: any) => external_id === name)
        .config.settings.options.map(({ id, text }: any) => [text, id])
    )
  const [states, kinds] = [optionsOf("state"), optionsOf("kind")]
  const ids: Record<string, number> = {}
  for (let from = 0; from < ships.length; from += 50) {
    const inputs = ships.slice(from, from + 50).map(({ kind, state, ...more }) => ({
      fields: {
        ...more,
        state: states[(state as string) ?? "Expected"],
        ...(kind !== undefined && { kind: kinds[kind as string] })
      }
    }))
    const { records } = yield* call("POST", `/record/app/batch/${app.app_id}`, { inputs })
    for (const { record_id, title } of records) ids[title] = record_id
  }
  /** First entry of a field, as the API has it. */
  const read = (name: string, external_id: string) =>
    Effect.map(call("GET", `/record/${ids[name]}`), ({ fields }: any) => {
      const [entry] = fields.find((one: any) => one.external_id === external_id).values
      return entry?.value?.text ?? entry?.start_utc ?? entry?.value ?? null
    })
  const fieldId = (name: string): number => app.fields.find(({ external_id }: any) => external_id === name).field_id
  return { app, call, fieldId, ids, read }
})

/** Opens the app in a layout. @param more further parameters of the address */
export const openLayout = Effect.fnUntraced(function* (app: { readonly app_id: number }, more: string) {
  const { browser, service } = yield* Scene
  const tab = yield* openConsoleTab(browser, { width: 1440, height: 900 })
  yield* openSignedIn(tab, `${service.origin}/console/apps/${app.app_id}${more}`, "Harbor Works")
  yield* opened(tab.page, "Fleet")
  return tab
})

/** The card or part of a calendar with this title. */
const findCard = `((title) => [...document.querySelectorAll("[data-card]:not(.dragged-copy)")]
  .find((card) => card.querySelector(".card-link").textContent.trim().endsWith(title)))`

export const cardOf = (page: Page, title: string) =>
  promise(() => until(page, `${findCard}(${JSON.stringify(title)})?.dataset.card ?? false`).then(String))

export const focusCard = (page: Page, title: string) =>
  promise(async () => {
    await until(page, `${findCard}(${JSON.stringify(title)}) !== undefined`)
    await page.evaluate(`${findCard}(${JSON.stringify(title)}).querySelector(".card-link").focus()`)
  })

/** Waits until the card is in this place, saved or not. */
export const standsIn = (page: Page, title: string, place: string, write: "saved" | "any" = "any") =>
  promise(() =>
    until(
      page,
      `(() => {
        const card = ${findCard}(${JSON.stringify(title)})
        return card?.closest("[data-drop]")?.dataset.drop === ${JSON.stringify(place)} &&
          (${JSON.stringify(write)} === "any" || card.dataset.write === undefined)
      })()`
    )
  )

const middleOf = async (page: Page, selector: string) => {
  const element = await found(page, selector)
  await element.scrollIntoView()
  const { height, width, x, y } = (await element.boundingBox())!
  return { x: x + width / 2, y: y + Math.min(height / 2, 60) }
}

/** Drags a card by the mouse to a place. @param meanwhile is done before the button is released */
export const dragCard = Effect.fnUntraced(function* (
  page: Page,
  title: string,
  place: string,
  meanwhile: Effect.Effect<void> = Effect.void
) {
  const id = yield* cardOf(page, title)
  yield* promise(async () => {
    const to = await middleOf(page, `[data-drop="${place}"]`)
    const from = await middleOf(page, `[data-card="${id}"] .card-link`)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 10, from.y + 10, { steps: 3 })
    await page.mouse.move(to.x, to.y, { steps: 6 })
    await found(page, `[data-drop="${place}"][data-over]`)
  })
  yield* meanwhile
  yield* promise(() => page.mouse.up())
})

/** What a screen reader was told last. */
export const tells = (page: Page, words: string) =>
  promise(() =>
    until(
      page,
      (text) =>
        [...(globalThis as any).document.querySelectorAll("output")].some((one: any) => one.textContent === text),
      words
    )
  )

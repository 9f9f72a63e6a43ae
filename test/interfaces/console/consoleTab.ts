// A tab of the console in a real Chromium: signed in as a person would, looked at by axe, photographed where SCREENSHOTS names a folder.
import { mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser, CookieParam, Page } from "puppeteer-core"
import { BOUND } from "../../support/eventually.ts"
import { EMAIL, openTab, PASSWORD, type Tab } from "../pages/chromium.ts"
import { clicked, found, led, typeInto, until, vanished } from "../pages/waiting.ts"

export const promise = <A>(body: () => Promise<A>) => Effect.promise(body)

/** With scripts, as the console needs them. */
export const openConsoleTab = Effect.fnUntraced(function* (
  browser: Browser,
  { width = 1280, height = 800, dark = false, cookies = [] as ReadonlyArray<CookieParam> } = {}
) {
  const tab = yield* openTab(browser, width, height, dark)
  yield* promise(async () => {
    tab.page.setDefaultTimeout(BOUND)
    await tab.page.setJavaScriptEnabled(true)
    await tab.page.setCookie(...cookies)
  })
  return tab
})

/** From the console's address through the sign-in to the console. */
export const signInTo = Effect.fnUntraced(function* (
  { page }: Tab,
  address: string,
  organization: string,
  email = EMAIL
) {
  yield* promise(async () => {
    await page.goto(address)
    await typeInto(page, "#email", email)
    await typeInto(page, "#password", PASSWORD)
    await led(page, () => clicked(page, "main button"))
    await led(page, () => clicked(page, `button[aria-label="Go on in ${organization}"]`))
  })
})

/** Waits until the heading of the page is this one and nothing is loading. */
export const opened = (page: Page, heading: string) =>
  promise(() =>
    until(
      page,
      (text) =>
        (globalThis as any).document.querySelector("h1")?.textContent === text &&
        (globalThis as any).document.querySelector(".loading") === null,
      heading
    )
  )

/** Presses the button or link of this name, by mouse, as one who sees it: once it stands still and may be pressed. */
export const press = (page: Page, name: string, role = "button") =>
  promise(() => clicked(page, `::-p-aria([name="${name}"][role="${role}"])`))

/** Writes into the field of this label, in place of what it holds. @param role where something else has the same name */
export const fill = (page: Page, label: string, text: string, role?: string) =>
  promise(async () => {
    const field = `::-p-aria([name="${label}"]${role === undefined ? "" : `[role="${role}"]`})`
    await clicked(page, field, 3)
    await page.keyboard.type(text)
  })

/** Chooses what reads so from the list of this label, or from the field that finds in its list. */
export const choose = (page: Page, label: string, words: string) =>
  promise(async () => {
    const selector = `::-p-aria([name="${label}"][role="combobox"])` as const
    const list = await found(page, selector)
    if (await list.evaluate((one: any) => one.tagName === "INPUT")) {
      await clicked(page, selector)
      await page.keyboard.type(words)
      // Words that tell two of the same text apart follow it.
      return clicked(page, `::-p-xpath(//*[@role="option"][text()[normalize-space()=${JSON.stringify(words)}]])`)
    }
    const value = await until(
      page,
      (select: any, text) => [...select.options].find((one: any) => one.textContent === text)?.value,
      list,
      words
    )
    await list.select(String(value))
  })

export const shows = (page: Page, words: string) => promise(() => found(page, `::-p-text(${words})`))

/** Waits until nothing on the page matches. */
export const gone = (page: Page, selector: string) => promise(() => vanished(page, selector))

/** What the browser complains of, without requests that the page has no more use for. */
export const complaintsOf = ({ complaints }: Tab) => complaints.filter((one) => !one.startsWith("net::ERR_ABORTED"))

/** The minified one: each page that axe looks at is sent its source. */
const axe = createRequire(import.meta.url)("axe-core/axe.min.js") as typeof import("axe-core")

/** Rules whose outcome a theme can change: themes differ in colors alone (test/interfaces/console/themes.test.ts). */
const COLOR_RULES = ["color-contrast", "link-in-text-block"]

/** Lists each rule that axe finds broken, with the first place. @param rules all of axe's own choice when left out */
const axeFaults = (page: Page, rules?: ReadonlyArray<string>) =>
  promise(async (): Promise<ReadonlyArray<string>> => {
    if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe.source)
    const options = { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: rules }) }
    const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as any
    return violations.map((found: any) => `${found.id}: ${found.nodes[0].html} ${found.nodes[0].failureSummary}`)
  })

const isTooWide = (page: Page) =>
  promise(() => page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))

const devices = [
  ["phone", 360, 740],
  ["desktop", 1280, 800]
] as const

type Theme = "light" | "dark"
const THEMES = ["light", "dark"] as const

const showIn = (page: Page, theme: Theme) =>
  promise(async () => {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }])
    // Colours change by and by.
    await page.evaluate("Promise.allSettled(document.getAnimations().map(({ finished }) => finished))")
  })

const lookAt = Effect.fnUntraced(function* (page: Page, name: string, rules?: ReadonlyArray<string>) {
  const folder = process.env["SCREENSHOTS"]
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true })
    yield* promise(() => page.screenshot({ path: `${folder}/${name}.png`, fullPage: true }))
  }
  assert.deepStrictEqual(yield* axeFaults(page, rules), [], name)
  assert.isFalse(yield* isTooWide(page), `${name}: it scrolls sideways`)
})

/** Looks at what a page has come to, where it is not opened like that. */
export const judgedAsItIs = (page: Page, name: string) => lookAt(page, name)

/** Looks at a page in both themes: all of axe in the light one, its rules of colors in the dark one. */
const judgedInBothThemes = Effect.fnUntraced(function* (page: Page, name: string) {
  for (const theme of THEMES) {
    yield* showIn(page, theme)
    yield* lookAt(page, `${name}-${theme}`, theme === "dark" ? COLOR_RULES : undefined)
  }
})

/** Looks at it in three sizes and both themes, and leaves it as it was. */
export const judgedInAllSizes = Effect.fnUntraced(function* (page: Page, name: string) {
  const former = page.viewport()
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [360, 740]
  ] as const) {
    yield* promise(() => page.setViewport({ width, height, deviceScaleFactor: 1 }))
    yield* judgedInBothThemes(page, `${name}-${width}`)
  }
  yield* promise(() => page.setViewport(former))
  yield* showIn(page, "light")
})

interface Judged {
  readonly address: string
  readonly heading: string
  readonly name: string
  readonly cookies: Array<CookieParam>
  /** Of the editor: the step whose form is open. */
  readonly step?: string
}

/**
 * Looks at a page on a phone and a desktop, light and dark: axe, its width, the console's own complaints. In one tab, since each has a
 * process of its own that compiles the console anew; it is closed afterwards: a person has ten streams of events at a time.
 */
export const judged = (browser: Browser, { address, cookies, heading, name, step }: Judged) =>
  Effect.scoped(
    Effect.gen(function* () {
      const tab = yield* openConsoleTab(browser, { cookies })
      const { page } = tab
      for (const [device, width, height] of devices) {
        yield* promise(async () => {
          await page.setViewport({ width, height, deviceScaleFactor: 1 })
          await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }])
          await page.goto(address)
        })
        yield* opened(page, heading)
        if (step !== undefined) yield* promise(() => clicked(page, `[data-step="${step}"]`))
        yield* judgedInBothThemes(page, `${name}-${device}`)
        assert.deepStrictEqual(complaintsOf(tab), [], `${name}, ${device}`)
      }
    })
  )

// Waits and presses of tests that look at pages (polled.ts).
import type { ElementHandle, Page } from "puppeteer-core"
import { polled, telling } from "./polled.ts"

/** What may be pressed and is not still and pointed at in this time is pressed where it is. */
const PATIENCE_MILLIS = 15_000

/** Waits until the expression or function comes to something there; what it comes to. */
export const until = <Given extends Array<unknown>>(
  page: Page,
  holds: string | ((...given: Given) => unknown),
  ...given: Given
): Promise<unknown> =>
  polled(page, [holds, ...given.map((one) => (typeof one === "object" ? "an element" : one))].join(", "), async () => {
    const value = await (typeof holds === "string" ? page.evaluate(holds) : page.evaluate(holds as any, ...given))
    return value ? value : undefined
  })

/** Waits until something matches. */
export const found = (page: Page, selector: string): Promise<ElementHandle<any>> =>
  polled(page, selector, async () => (await page.$(selector)) ?? undefined)

/** Waits until nothing that can be seen matches. */
export const vanished = (page: Page, selector: string): Promise<true> =>
  polled(page, `nothing is ${selector}`, async () => {
    const element = await page.$(selector)
    return element === null || (await element.isHidden()) ? true : undefined
  })

/** Box of an element that may be pressed, and whether letters still wait for their font; undefined while it may not. */
const readBox = (element: any): string | undefined => {
  const { height, left, top, width } = element.getBoundingClientRect()
  if (width === 0 || height === 0 || element.matches(":disabled")) return undefined
  return [left, top, width, height, element.ownerDocument.fonts.status].join()
}

/** What else the pointer, which is at this point, is on; null while it is on the element, and the page has not moved that away since. */
const coverOf = (element: any, x: number, y: number): string | null => {
  const top = element.getRootNode().elementFromPoint(x, y)
  if (element.contains(top)) return element.matches(":hover") ? null : "it has no hover"
  return `the pointer is on ${top?.outerHTML.slice(0, 200)}`
}

/** A look at an element that a page has taken away since it was found. */
const isGone = (error: unknown) =>
  /detached|not clickable|not visible/.test(error instanceof Error ? error.message : "")

/**
 * Clicks what matches, as one who sees it: once it stands still, may be pressed and has the pointer on it. A font that comes late moves what is
 * below its text, and a press on the place where it was is lost.
 */
export const clicked = async (page: Page, selector: string, count = 1): Promise<void> => {
  const what = `a click on ${selector}`
  let lastBox: string | undefined
  let obstacle = "nothing matches"
  const startMillis = performance.now()
  const lookForPoint = async () => {
    const element = await page.$(selector)
    try {
      await element?.scrollIntoView()
      const box = await element?.evaluate(readBox)
      if (box !== undefined && performance.now() - startMillis > PATIENCE_MILLIS) {
        // Seen once, of a step in the canvas of the editor.
        console.log(`${what} goes where it is: ${obstacle}`)
        return await element?.clickablePoint()
      }
      const still = box !== undefined && box === lastBox && box.endsWith("loaded")
      if (!still) obstacle = `its box is ${box}, and was ${lastBox}`
      lastBox = box
      if (element === null || !still) return undefined
      const { x, y } = await element.clickablePoint()
      await page.mouse.move(x, y)
      const cover = await element.evaluate(coverOf, x, y)
      if (cover === null) return { x, y }
      obstacle = cover
      // A notice that covers it stays for as long as the pointer is on it.
      await page.mouse.move(0, 0)
      return undefined
    } catch (error) {
      if (isGone(error)) return undefined
      throw error
    }
  }
  const point = await polled(page, what, lookForPoint, () => `, since ${obstacle}`)
  // biome-ignore lint/plugin: the pointer is on it.
  await telling(page, what, () => page.mouse.click(point.x, point.y, { count }))
}

/** Clicks into what matches until what is typed goes there: a page that something has come to meanwhile takes the click elsewhere. */
export const entered = (page: Page, selector: string, count = 1): Promise<ElementHandle<any>> =>
  polled(page, `the focus in ${selector}`, async () => {
    const field = await page.$(selector)
    await field?.click({ count })
    return field !== null && (await field.evaluate((element) => element.matches(":focus"))) ? field : undefined
  })

/** Types into what matches once it is there, behind what it holds: a page shows a moment later what a click asks for. */
export const typeInto = async (page: Page, selector: string, text: string): Promise<void> => {
  const field = await found(page, selector)
  await field.type(text)
}

/** Chooses from a list that matches once it has the value: lists of what a page fetches are empty before. */
export const selectIn = async (page: Page, selector: string, value: string): Promise<void> => {
  const list = await polled(page, `${selector} with ${value}`, async () => {
    const select = await page.$(selector)
    const offers = await select?.evaluate(
      (one: any, wanted) => [...one.options].some((o: any) => o.value === wanted),
      value
    )
    return offers === true ? select! : undefined
  })
  await list.select(value)
}

/** Does what leads to another page, until that is there. */
export const led = async (page: Page, act: () => Promise<unknown>): Promise<void> => {
  await telling(page, "another page", () => Promise.all([page.waitForNavigation(), act()]))
}

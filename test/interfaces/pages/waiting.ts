// Waits of tests that look at pages. They look again and again from here, by short calls: one that lasts as long as the wait would be ended by
// the protocol's own bound. In vain, they say what was waited for and what the page shows.
import type { ElementHandle, Page } from "puppeteer-core"
import { BOUND, nextLookMillis } from "../../support/eventually.ts"
import { waitedInVain } from "../../support/waitedInVain.ts"

/** A look at a page is a call of the browser. */
const LEAST_MILLIS = 50
/** A page that hangs shows nothing in this time. */
const SIGHT_MILLIS = 10_000
const SHOWN_CHARS = 1_500
/** What may be pressed and is not still and pointed at in this time is pressed where it is. */
const PATIENCE_MILLIS = 15_000

const complaintsOf = new WeakMap<Page, ReadonlyArray<string>>()

/** What the browser complains of is said where a wait is in vain. */
export const remember = (page: Page, complaints: ReadonlyArray<string>) => complaintsOf.set(page, complaints)

const sleep = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

const readPage = `(() => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent.trim())
  return {
    at: location.pathname + location.search + (document.hidden ? ", hidden" : ""),
    headings: texts("h1"),
    tags: texts("main .tag"),
    text: (document.querySelector("main") ?? document.body).innerText
  }
})()`

/** The page as it is, in words. */
const sightOf = async (page: Page): Promise<string> => {
  const timeout = sleep(SIGHT_MILLIS).then(() => {
    throw new Error("it hangs")
  })
  const pageState = await Promise.race([page.evaluate(readPage) as Promise<any>, timeout]).catch((error) =>
    String(error)
  )
  const complaints = complaintsOf.get(page) ?? []
  const complaintText = `The browser complains of ${complaints.length === 0 ? "nothing" : complaints.join("; ")}.`
  if (typeof pageState === "string") return `The page cannot be seen: ${pageState}. ${complaintText}`
  const { at, headings, tags, text } = pageState
  return `The page ${at} has the heading ${headings.join(", ")} and the tags ${tags.join(", ")}. ${complaintText} It reads:\n${text.slice(0, SHOWN_CHARS)}`
}

/** A wait by the browser's own means that says the same when it fails. */
const telling = async <A>(page: Page, what: string, wait: () => Promise<A>): Promise<A> => {
  try {
    return await wait()
  } catch (cause) {
    throw new Error(`${what}: ${cause instanceof Error ? cause.message : cause}\n${await sightOf(page)}`, { cause })
  }
}

/** While a page is left for another one. */
const isLeft = (error: unknown) =>
  /context was destroyed|Cannot find context|navigated or closed/.test(error instanceof Error ? error.message : "")

/** Waits until a look finds something. */
export const polled = <A>(page: Page, what: string, look: () => Promise<A | undefined>): Promise<A> =>
  telling(page, what, async () => {
    const startMillis = performance.now()
    for (;;) {
      const value = await look().catch((error: unknown) => {
        if (isLeft(error)) return undefined
        throw error
      })
      if (value !== undefined) return value
      const waited = performance.now() - startMillis
      if (waited > BOUND) throw waitedInVain("the page", waited, "")
      await sleep(Math.max(LEAST_MILLIS, nextLookMillis(waited)))
    }
  })

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

/** True if the pointer, which is at this point, is on the element, and the page has not moved it away since. */
const isPointed = (element: any, x: number, y: number): boolean =>
  element.matches(":hover") && element.contains(element.getRootNode().elementFromPoint(x, y))

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
  const startMillis = performance.now()
  const point = await polled(page, what, async () => {
    const element = await page.$(selector)
    try {
      await element?.scrollIntoView()
      const box = await element?.evaluate(readBox)
      // Seen once, of a step in the canvas of the editor; why is not known.
      if (box !== undefined && performance.now() - startMillis > PATIENCE_MILLIS) return await element?.clickablePoint()
      const still = box !== undefined && box === lastBox && box.endsWith("loaded")
      lastBox = box
      if (element === null || !still) return undefined
      const { x, y } = await element.clickablePoint()
      await page.mouse.move(x, y)
      if (await element.evaluate(isPointed, x, y)) return { x, y }
      // A notice that covers it stays for as long as the pointer is on it.
      await page.mouse.move(0, 0)
      return undefined
    } catch (error) {
      if (isGone(error)) return undefined
      throw error
    }
  })
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
  const list = await found(page, selector)
  await until(page, (select: any, wanted) => [...select.options].some((one: any) => one.value === wanted), list, value)
  await list.select(value)
}

/** Does what leads to another page, until that is there. */
export const led = async (page: Page, act: () => Promise<unknown>): Promise<void> => {
  await telling(page, "another page", () => Promise.all([page.waitForNavigation(), act()]))
}

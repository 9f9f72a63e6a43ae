// A wait that looks at a page again and again from here, by short calls: one that lasts as long as the wait would be ended by the protocol's
// own bound. In vain, it says what was waited for and what the page shows.
import type { Page } from "puppeteer-core"
import { BOUND, nextLookMillis } from "../../support/eventually.ts"
import { waitedInVain } from "../../support/waitedInVain.ts"

/** A look at a page is a call of the browser. */
const LEAST_MILLIS = 50
/** A page that hangs shows nothing in this time. */
const SIGHT_MILLIS = 10_000
const SHOWN_CHARS = 1_500

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
export const telling = async <A>(page: Page, what: string, wait: () => Promise<A>, why = () => ""): Promise<A> => {
  try {
    return await wait()
  } catch (cause) {
    throw new Error(`${what}${why()}: ${cause instanceof Error ? cause.message : cause}\n${await sightOf(page)}`, {
      cause
    })
  }
}

/** While a page is left for another one. */
const isLeft = (error: unknown) =>
  /context was destroyed|Cannot find context|navigated or closed/.test(error instanceof Error ? error.message : "")

/** Waits until a look finds something. @param why what kept the last look from it */
export const polled = <A>(
  page: Page,
  what: string,
  look: () => Promise<A | undefined>,
  why?: () => string
): Promise<A> => {
  const poll = async () => {
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
  }
  return telling(page, what, poll, why)
}
